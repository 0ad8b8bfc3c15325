package org.cabrank.kernel.layout;

/**
 * Layout of {@code struct inotify_event} (inotify(7)), in bytes. A read gives one after the other, never a part of one.
 *
 * <pre>
 * 0    4      8        12     16             16 + len
 * | wd | mask | cookie | len  | name, zeroes |
 * </pre>
 */
public final class InotifyEvent {
    /** The size without the name. */
    public static final int SIZE_BYTES = 16;

    public static final int WD_OFFSET = 0;
    public static final int MASK_OFFSET = 4;
    /** Ties the two events of a rename together; else 0. */
    public static final int COOKIE_OFFSET = 8;
    /** Size of the name in bytes, including the zero bytes after it; 0: no name. */
    public static final int LEN_OFFSET = 12;

    public static final int NAME_OFFSET = 16;

    /** Room for any event: a name is no longer than this, with its zero. */
    public static final int NAME_BYTES_MAX = 256;

    private InotifyEvent() {}
}
