package org.cabrank.kernel;

import org.cabrank.kernel.layout.InotifyEvent;

/** Constants of inotify(7), for {@link InotifyCalls} and {@link InotifyEvent}. */
public final class Inotify {
    public static final int IN_NONBLOCK = 0x800;
    public static final int IN_CLOEXEC = 0x80000;

    /** A file that was open for writing was closed. */
    public static final int IN_CLOSE_WRITE = 0x008;

    public static final int IN_CLOSE_NOWRITE = 0x010;
    public static final int IN_OPEN = 0x020;
    /** A name has left the directory. If an {@link #IN_MOVED_TO} belongs to it, both have the same cookie. */
    public static final int IN_MOVED_FROM = 0x040;

    public static final int IN_MOVED_TO = 0x080;
    public static final int IN_CREATE = 0x100;
    public static final int IN_DELETE = 0x200;
    /** The watched file or directory was deleted; {@link #IN_IGNORED} follows. */
    public static final int IN_DELETE_SELF = 0x400;

    public static final int IN_ALL_EVENTS = 0xfff;

    /** Reported, without a watch: the queue was full (fs.inotify.max_queued_events), and events were lost. */
    public static final int IN_Q_OVERFLOW = 0x4000;
    /** Reported: the watch has ended. */
    public static final int IN_IGNORED = 0x8000;

    /** Requested: adding the watch fails with ENOTDIR if the file is not a directory. */
    public static final int IN_ONLYDIR = 0x1000000;

    public static final int IN_DONT_FOLLOW = 0x2000000;
    /** Requested: no events for files that were unlinked from the directory. */
    public static final int IN_EXCL_UNLINK = 0x4000000;
    /** Requested: adding the watch fails with EEXIST if the file is watched already (since Linux 4.18). */
    public static final int IN_MASK_CREATE = 0x10000000;
    /** Requested: the mask is added to the mask of an existing watch, instead of replacing it. */
    public static final int IN_MASK_ADD = 0x20000000;
    /** Reported: the event is about a directory. */
    public static final int IN_ISDIR = 0x40000000;
    /** Requested: the watch ends after one event. This is the sign bit of the {@code int}, because a mask is 32 unsigned bits in C. */
    public static final int IN_ONESHOT = 1 << 31;

    private Inotify() {}
}
