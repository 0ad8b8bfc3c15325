package org.cabrank.kernel.layout;

/** Layout of {@code struct inotify_event} (inotify(7)), in bytes. It has four 32-bit fields, and the name with at least one zero byte. */
public final class InotifyEvent {
    /** Size of an event without its name. */
    public static final int SIZE_BYTES = 16;

    public static final int WD_OFFSET = 0;
    public static final int MASK_OFFSET = 4;
    /** Both events of a rename have the same number here. All other events have 0. */
    public static final int COOKIE_OFFSET = 8;
    /** Size of the name in bytes, including the zero bytes after it. If 0, the event has no name. */
    public static final int LEN_OFFSET = 12;

    public static final int NAME_OFFSET = 16;

    /** Size of the longest name, including a zero byte. */
    public static final int NAME_BYTES_MAX = 256;

    private InotifyEvent() {}
}
