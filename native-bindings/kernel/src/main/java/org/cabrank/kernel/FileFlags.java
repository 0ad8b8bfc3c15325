package org.cabrank.kernel;

/** Flags of open(2), pipe2(2), mq_open(3) and preadv2(2), and commands of fcntl(2), for {@link FileCalls} and {@link MessageQueueCalls}. */
public final class FileFlags {
    public static final int O_RDONLY = 0;
    public static final int O_WRONLY = 1;
    public static final int O_RDWR = 2;
    public static final int O_CREAT = 0x40;
    public static final int O_EXCL = 0x80;

    public static final int O_TRUNC = 0x200;
    public static final int O_APPEND = 0x400;

    public static final int O_NONBLOCK = 0x800;
    public static final int O_DSYNC = 0x1000;

    public static final int O_CLOEXEC = 0x80000;

    public static final int O_SYNC = 0x101000;

    public static final int F_GETFD = 1;

    public static final int F_SETFD = 2;
    /** Returns the flags of the open file. All duplicates of a descriptor share these flags. */
    public static final int F_GETFL = 3;

    public static final int F_SETFL = 4;

    /** Returns a duplicate with {@link #FD_CLOEXEC}. The argument is the smallest number that the duplicate may get. */
    public static final int F_DUPFD_CLOEXEC = 1030;

    /** Flag of preadv2(2), since Linux 4.14: the call fails with EAGAIN instead of waiting for a disk. */
    public static final int RWF_NOWAIT = 8;

    public static final int FD_CLOEXEC = 1;

    private FileFlags() {}
}
