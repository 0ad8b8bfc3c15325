package org.cabrank.lf;

import java.time.Duration;
import java.util.Objects;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.LongAdder;
import java.util.function.BiConsumer;
import org.cabrank.lf.failure.StackRoom;
import org.cabrank.lf.handle.HandleSet;
import org.cabrank.lf.leadership.Deadlines;

/**
 * Makes timers that the pool of a handle set serves. No extra thread is needed, because the leader waits only until the earliest
 * deadline. Any thread may call any method.
 *
 * <p>Measured by the clock {@link HandleSet#nanoTime}, a timer never expires early. A timer may expire late, because before Linux 5.11
 * epoll waits for whole milliseconds, and because threads have a timer slack (prctl(2)). The slack is 50 us by default, but 1 ns in a
 * thread that the pool of a reactor has started.
 *
 * <p>Timers of one set may run at the same time on different threads, but each timer has only one call at a time. The timers are kept in a
 * heap and not in a timer wheel, because the leader needs the earliest deadline to the nanosecond.
 *
 * <p>In a graceful stop, the pool still runs the timers that it has already seen expire, but no other timers. Closing the set ends all its
 * timers.
 */
public final class Timers {
    /** Longest delay and period. A longer value is replaced by this value. */
    public static final Duration DELAY_MAX = Deadlines.TIMEOUT_MAX;

    /** Default maximum number of registered timers of one {@code Timers} object. They take about 300 MB of heap. */
    public static final int TIMERS_MAX = 1 << 20;

    private final HandleSet set;
    private final int timersMax;
    private final CallbackFailures<Timer> failures;
    private final AtomicInteger registered = new AtomicInteger();
    private final LongAdder refused = new LongAdder();

    public Timers(HandleSet set) {
        this(set, TIMERS_MAX, (timer, failure) -> {});
    }

    /**
     * Makes timers of {@code set}, with a limit and a failure listener.
     *
     * @param timersMax maximum number of registered timers, at least 1. An ended timer counts until the pool has closed its handle
     * @param onFailure called with a timer and its exception by the thread that ran the timer. Its own exceptions are counted and logged
     */
    public Timers(HandleSet set, int timersMax, BiConsumer<? super Timer, ? super Throwable> onFailure) {
        this.set = Objects.requireNonNull(set, "set");
        if (timersMax < 1) {
            throw new IllegalArgumentException("the number of timers must be at least 1, but is " + timersMax);
        }
        this.timersMax = timersMax;
        this.failures = new CallbackFailures<>(set, Objects.requireNonNull(onFailure, "onFailure"));
    }

    /**
     * Calls {@code handler} once, when {@code delay} has passed. If the delay is 0 or negative, calls it as soon as a thread is free.
     *
     * @throws IllegalStateException if the set is closed
     * @throws RejectedExecutionException if too many timers are registered. {@link #refused} counts this
     */
    public Timer after(Duration delay, TimerHandler handler) {
        return register(handler, delayNs(delay), Timer.ONCE);
    }

    /** Calls {@link #every(Duration, Duration, TimerHandler)} with the first deadline after one period. */
    public Timer every(Duration period, TimerHandler handler) {
        return every(period, period, handler);
    }

    /**
     * Calls {@code handler} at a fixed rate. The first deadline is {@code first} from now. If {@code first} is 0 or negative, the first
     * call comes as soon as a thread is free. Each further deadline is one {@code period} (at least 1 ns) after the previous deadline, even
     * if calls are late. If several deadlines have passed before a call, the call stands for all of them ({@link Timer#missed}).
     *
     * @throws IllegalStateException if the set is closed
     * @throws RejectedExecutionException if too many timers are registered. {@link #refused} counts this
     */
    public Timer every(Duration first, Duration period, TimerHandler handler) {
        if (period.isZero() || period.isNegative()) {
            throw new IllegalArgumentException("the period must be at least 1 ns, but is " + period);
        }
        return register(handler, delayNs(first), delayNs(period));
    }

    private Timer register(TimerHandler handler, long delayNs, long periodNs) {
        Objects.requireNonNull(handler, "handler");
        StackRoom.require();
        if (registered.incrementAndGet() > timersMax) {
            registered.decrementAndGet();
            refused.increment();
            set.noteQueueFull();
            throw new RejectedExecutionException(
                    "there are " + timersMax + " timers already: cancel some, or allow more of them");
        }
        Timer timer = null;
        try {
            timer = new Timer(set, this, handler, delayNs, periodNs);
        } finally {
            if (timer == null) { // else the timer is deducted when the pool has closed its handle
                registered.decrementAndGet();
            }
        }
        timer.start();
        return timer;
    }

    void left() {
        registered.decrementAndGet();
    }

    CallbackFailures<Timer> callbackFailures() {
        return failures;
    }

    public int registered() {
        return registered.get();
    }

    public long refused() {
        return refused.sum();
    }

    /** Returns {@code delay} in ns, limited to the range from 0 to {@link #DELAY_MAX}. Unlike {@link Duration#toNanos}, it never throws. */
    public static long delayNs(Duration delay) {
        return Deadlines.ns(delay);
    }
}
