package org.cabrank.kernel.layout;

/** Layout of {@code struct inotify_event} (inotify(7)), in bytes: four 32-bit fields, the name, zero bytes. A read returns whole events. */
public final class InotifyEvent {
    /** Size of an event without its name. */
    public static final int SIZE_BYTES = 16;

    public static final int WD_OFFSET = 0;
    public static final int MASK_OFFSET = 4;
    /** The same number for the two events of a rename; otherwise 0. */
    public static final int COOKIE_OFFSET = 8;
    /** Size of the name in bytes, including the zero bytes after it; 0: no name. */
    public static final int LEN_OFFSET = 12;

    public static final int NAME_OFFSET = 16;

    /** Size of the longest name, its zero byte included. */
    public static final int NAME_BYTES_MAX = 256;

    private InotifyEvent() {}
}
