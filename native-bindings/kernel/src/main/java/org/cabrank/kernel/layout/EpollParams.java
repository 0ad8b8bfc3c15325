package org.cabrank.kernel.layout;

/**
 * Layout of {@code struct epoll_params} ({@code Epoll.EPIOCSPARAMS}), in bytes. The last byte must be 0.
 *
 * <pre>
 * 0                  4                    6                    7     8
 * | busy poll usecs  | busy poll budget   | prefer busy poll   | 0   |
 * </pre>
 */
public final class EpollParams {
    public static final int SIZE_BYTES = 8;
    /** {@code __u32}, time in us for which a wait looks at the network devices; 0 to 2,147,483,647. */
    public static final int BUSY_POLL_USECS_OFFSET = 0;

    /** {@code __u16}, packets that one look takes; more than 64 need CAP_NET_ADMIN. */
    public static final int BUSY_POLL_BUDGET_OFFSET = 4;

    /** {@code __u8}, 1: the devices leave it to these looks, rather than to interrupts. */
    public static final int PREFER_BUSY_POLL_OFFSET = 6;

    private EpollParams() {}
}
