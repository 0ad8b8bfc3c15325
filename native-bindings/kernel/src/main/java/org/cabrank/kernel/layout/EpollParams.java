package org.cabrank.kernel.layout;

/** Layout of {@code struct epoll_params}, in bytes. The fields are unsigned and have 32, 16 and 8 bits. The last byte is 0. */
public final class EpollParams {
    public static final int SIZE_BYTES = 8;
    /** Time in us for which a wait polls the network devices, from 0 to 2,147,483,647. */
    public static final int BUSY_POLL_USECS_OFFSET = 0;

    /** Maximum number of packets of one poll. A number above 64 needs CAP_NET_ADMIN. */
    public static final int BUSY_POLL_BUDGET_OFFSET = 4;

    public static final int PREFER_BUSY_POLL_OFFSET = 6;

    private EpollParams() {}
}
