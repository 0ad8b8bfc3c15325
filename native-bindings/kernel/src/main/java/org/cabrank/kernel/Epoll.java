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
    /** Both directions are shut down. The kernel reports this event even if it was not requested, as it does with {@link #EPOLLERR}. */
    public static final int EPOLLHUP = 0x010;
    /** The peer has shut down its writing side. */
    public static final int EPOLLRDHUP = 0x2000;

    /** If several epolls watch the descriptor, an event may wake only some of them. Only with EPOLL_CTL_ADD (since Linux 4.5). */
    public static final int EPOLLEXCLUSIVE = 1 << 28;

    public static final int EPOLLONESHOT = 1 << 30;
    /** Edge-triggered. This is the sign bit of the {@code int}, because events are 32 unsigned bits in C. */
    public static final int EPOLLET = 1 << 31;

    /** Request of ioctl(2). It takes an {@link EpollParams}, and sets the busy polling of an epoll (since Linux 6.9). */
    public static final long EPIOCSPARAMS = 0x4008_8a01L;

    public static final long EPIOCGPARAMS = 0x8008_8a02L;

    private Epoll() {}
}
