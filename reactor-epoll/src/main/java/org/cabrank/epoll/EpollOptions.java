package org.cabrank.epoll;

import java.time.Duration;
import java.util.Objects;
import org.cabrank.lf.Timers;
import org.cabrank.lf.settings.Settings;

/**
 * Options of the epoll backend for busy polling of network devices (Linux 6.9, ioctl_eventpoll(2)). Before the thread sleeps, a wait polls
 * the receive queue of the connection that last received data. This saves the interrupt and the wake-up, but takes CPU time. All
 * connections of a shard should have the same receive queue. {@link org.cabrank.stream.AcceptMode#REUSEPORT_CPU} or the steering of the
 * device can ensure this. Loopback and Unix sockets have no receive queue, so a wait for them sleeps at once.
 *
 * @param busyPoll time for which a wait polls before it sleeps, in whole us, 1 us to 1 s. With {@link Duration#ZERO}, the setting of the
 *     machine applies ({@code net.core.busy_poll}). Its default is no polling
 * @param busyPollBudget number of packets that one poll takes, 1 to 65,535. More than 64 require CAP_NET_ADMIN. It has an effect only with
 *     a {@code busyPoll}
 * @param preferBusyPoll true if the device raises no interrupts while a thread polls often enough. {@code napi_defer_hard_irqs} and {@code
 *     gro_flush_timeout} of the device must be set. It has an effect only with a {@code busyPoll}
 */
public record EpollOptions(Duration busyPoll, int busyPollBudget, boolean preferBusyPoll) {
    private static final int BUDGET_DEFAULT = 8;

    private static final int BUDGET_MAX = 65_535;
    private static final int NS_PER_US = 1_000;
    private static final Duration BUSY_POLL_MIN = Duration.ofNanos(NS_PER_US);
    private static final Duration BUSY_POLL_MAX = Duration.ofSeconds(1);

    /** No busy polling is requested. The parameters of the kernel are not changed. */
    public static final EpollOptions DEFAULT = new EpollOptions(Duration.ZERO, BUDGET_DEFAULT, false);

    /** Throws IllegalArgumentException if a value is out of range, or if a combination of values has no effect. */
    public EpollOptions {
        Objects.requireNonNull(busyPoll, "busyPoll");
        if (!busyPoll.isZero() && (busyPoll.compareTo(BUSY_POLL_MIN) < 0 || busyPoll.compareTo(BUSY_POLL_MAX) > 0)) {
            throw new IllegalArgumentException("busyPoll must be zero, or from " + BUSY_POLL_MIN + " to "
                    + BUSY_POLL_MAX + ", but is " + busyPoll);
        }
        if (Timers.delayNs(busyPoll) % NS_PER_US != 0) {
            throw new IllegalArgumentException("busyPoll must be a whole number of microseconds, but is " + busyPoll);
        }
        if (busyPollBudget < 1 || busyPollBudget > BUDGET_MAX) {
            throw new IllegalArgumentException(
                    "busyPollBudget must be from 1 to " + BUDGET_MAX + ", but is " + busyPollBudget);
        }
        if (busyPoll.isZero() && busyPollBudget != BUDGET_DEFAULT) {
            throw new IllegalArgumentException(
                    "busyPollBudget needs a busyPoll: without one no thread looks at the devices");
        }
        if (busyPoll.isZero() && preferBusyPoll) {
            throw new IllegalArgumentException(
                    "preferBusyPoll needs a busyPoll: without one no thread looks at the devices");
        }
    }

    /** Returns these options with another time of busy polling. If the time is zero, returns {@link #DEFAULT}. */
    public EpollOptions withBusyPoll(Duration time) {
        return time.isZero() ? DEFAULT : new EpollOptions(time, busyPollBudget, preferBusyPoll);
    }

    public EpollOptions withBusyPollBudget(int packets) {
        return Settings.with(this, "busyPollBudget", packets);
    }

    public EpollOptions withPreferBusyPoll(boolean preferred) {
        return Settings.with(this, "preferBusyPoll", preferred);
    }

    int busyPollUs() {
        return (int) (Timers.delayNs(busyPoll) / NS_PER_US);
    }
}
