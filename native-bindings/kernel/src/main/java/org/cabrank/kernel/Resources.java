package org.cabrank.kernel;

/** Constants of getrlimit(2), for {@link ResourceCalls}. */
public final class Resources {
    public static final int RLIMIT_CORE = 4;
    public static final int RLIMIT_NOFILE = 7;
    public static final int RLIMIT_MEMLOCK = 8;

    public static final int RLIMIT_NICE = 13;
    public static final int RLIMIT_RTPRIO = 14;

    /** No limit. Limits are unsigned in C, so compare them with {@link Long#compareUnsigned}. */
    public static final long RLIM_INFINITY = -1L;

    private Resources() {}
}
