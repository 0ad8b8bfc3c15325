package org.cabrank.kernel;

import org.cabrank.kernel.layout.EpollParams;

/** Constants of epoll(7), for {@link EpollCalls}. */
public final class Epoll {
    public static final int EPOLL_CTL_ADD = 1;
    public static final int EPOLL_CTL_DEL = 2;
    public static final int EPOLL_CTL_MOD = 3;

    public static final int EPOLL_CLOEXEC = 0x80000;

    public static final int EPOLLIN = 0x001;
    public static final int EPOLLPRI = 0x002;
    public static final int EPOLLOUT = 0x004;
    public static final int EPOLLERR = 0x008;
    /** Both directions are shut down. Like {@link #EPOLLERR}, reported even if not requested. */
    public static final int EPOLLHUP = 0x010;
    /** The peer has shut down its writing side. */
    public static final int EPOLLRDHUP = 0x2000;

    /** An event need not wake all epolls that watch the descriptor, but at least one (since Linux 4.5). Only with EPOLL_CTL_ADD. */
    public static final int EPOLLEXCLUSIVE = 1 << 28;

    public static final int EPOLLONESHOT = 1 << 30;
    /** Edge-triggered. This is the sign bit of the {@code int}, because events are 32 unsigned bits in C. */
    public static final int EPOLLET = 1 << 31;

    /** Request of ioctl(2): sets the busy polling of an epoll to an {@link EpollParams} (since Linux 6.9). */
    public static final long EPIOCSPARAMS = 0x4008_8a01L;

    /** Request of ioctl(2): reads the busy polling of an epoll (since Linux 6.9). */
    public static final long EPIOCGPARAMS = 0x8008_8a02L;

    private Epoll() {}
}
