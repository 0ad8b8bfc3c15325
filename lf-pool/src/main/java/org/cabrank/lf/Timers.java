package org.cabrank.lf;

import java.time.Duration;
import java.util.Objects;

/**
 * Makes timers that the pool of a handle set serves: no thread of their own, the leader waits no longer than to the earliest
 * deadline. They never expire before their time by {@link HandleSet#nanoTime}. How long after it they do is up to the
 * reactor's wait, which is told nanoseconds where the kernel can be (epoll does so from Linux 5.11 on, and waits for whole
 * milliseconds before), and to the thread's timer slack, by default 50 us (PR_SET_TIMERSLACK in prctl(2)).
 *
 * <p>Timers of one set run on different threads, one call per timer at a time. They stand in the set's heap, not in a
 * wheel: the leader needs the earliest deadline to the nanosecond, which a wheel only has to the width of its slots, and a
 * hundred thousand timers are but 17 levels deep.
 *
 * <p>When a pool stops, no timer runs any more, except those whose deadline it has seen pass before a graceful stop. When
 * the set is closed all its timers have ended.
 *
 * <p>All methods may be called by any thread.
 */
public final class Timers {
    /** Longer delays and periods are taken for this; it is what the clock of nanoseconds can tell apart, with room. */
    public static final Duration DELAY_MAX = Duration.ofDays(36_500);

    private final HandleSet set;

    public Timers(HandleSet set) {
        this.set = Objects.requireNonNull(set, "set");
    }

    /**
     * A call once {@code delay} has passed.
     *
     * @param delay 0 or negative: as soon as a thread is free
     * @throws IllegalStateException when the set is closed
     */
    public Timer after(Duration delay, TimerHandler handler) {
        return new Timer(set, Objects.requireNonNull(handler, "handler"), delayNs(delay), Timer.ONCE);
    }

    /** As {@link #every(Duration, Duration, TimerHandler)}, the first time after one period. */
    public Timer every(Duration period, TimerHandler handler) {
        return every(period, period, handler);
    }

    /**
     * A call at a fixed rate: {@code first} from now, and every {@code period} after that moment, however long the calls
     * take and however late they come. A timer that was held up for longer than a period does not catch up in a burst: one
     * late call stands for all deadlines that have passed ({@link Timer#missed} counts the others), and the next comes at
     * the next deadline.
     *
     * @param first 0 or negative: as soon as a thread is free
     * @param period at least 1 ns
     * @throws IllegalStateException when the set is closed
     */
    public Timer every(Duration first, Duration period, TimerHandler handler) {
        if (period.isZero() || period.isNegative()) {
            throw new IllegalArgumentException("the period must be at least 1 ns, but is " + period);
        }
        return new Timer(set, Objects.requireNonNull(handler, "handler"), delayNs(first), delayNs(period));
    }

    private static long delayNs(Duration delay) {
        if (delay.isNegative()) {
            return 0;
        }
        return (delay.compareTo(DELAY_MAX) < 0 ? delay : DELAY_MAX).toNanos();
    }
}
