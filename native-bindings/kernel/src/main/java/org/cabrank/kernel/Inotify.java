package org.cabrank.kernel;

import org.cabrank.kernel.layout.InotifyEvent;

/** Constants of inotify(7), for {@link InotifyCalls} and {@link InotifyEvent}. */
public final class Inotify {
    public static final int IN_NONBLOCK = 0x800;
    public static final int IN_CLOEXEC = 0x80000;

    public static final int IN_CLOSE_WRITE = 0x008;

    public static final int IN_CLOSE_NOWRITE = 0x010;
    public static final int IN_OPEN = 0x020;
    /** A file was moved. This event has the old name. The {@link #IN_MOVED_TO} with the new name has the same cookie. */
    public static final int IN_MOVED_FROM = 0x040;

    public static final int IN_MOVED_TO = 0x080;
    public static final int IN_CREATE = 0x100;
    public static final int IN_DELETE = 0x200;
    /** The watched file or directory was deleted; {@link #IN_IGNORED} follows. */
    public static final int IN_DELETE_SELF = 0x400;

    public static final int IN_ALL_EVENTS = 0xfff;

    /** The queue (fs.inotify.max_queued_events) was full, and events were lost. This event belongs to no watch. */
    public static final int IN_Q_OVERFLOW = 0x4000;
    /** The watch has ended. */
    public static final int IN_IGNORED = 0x8000;

    /** Adding the watch fails with ENOTDIR if the file is not a directory. */
    public static final int IN_ONLYDIR = 0x1000000;

    public static final int IN_DONT_FOLLOW = 0x2000000;
    /** The kernel reports no events of files that were unlinked from the directory. */
    public static final int IN_EXCL_UNLINK = 0x4000000;
    /** Adding the watch fails with EEXIST if the file already has a watch (since Linux 4.18). */
    public static final int IN_MASK_CREATE = 0x10000000;
    /** Adds the bits of the mask to the mask of an existing watch. */
    public static final int IN_MASK_ADD = 0x20000000;
    /** The event is about a directory. */
    public static final int IN_ISDIR = 0x40000000;
    /** The watch ends after one event. This is the sign bit of the {@code int}, because a mask is 32 unsigned bits in C. */
    public static final int IN_ONESHOT = 1 << 31;

    private Inotify() {}
}
