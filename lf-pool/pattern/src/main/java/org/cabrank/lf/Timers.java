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
 * Makes timers that the pool of a handle set serves, without an extra thread: the leader waits until the earliest deadline at most. By the
 * clock {@link HandleSet#nanoTime}, a timer never expires early. Lateness depends on the reactor's wait, which takes nanoseconds if the
 * kernel does (epoll from Linux 5.11 on, else whole milliseconds), and on the thread's timer slack (PR_SET_TIMERSLACK in prctl(2)): 1 ns in
 * threads that a pool of descriptors has started, else 50 us by default.
 *
 * <p>Timers of one set run on different threads, one call per timer at a time. They stand in the set's heap, not in a timer wheel: the
 * leader needs the earliest deadline to the nanosecond, but a wheel has only the resolution of its slots. A heap of a hundred thousand
 * timers has 17 levels.
 *
 * <p>In a graceful stop, the pool still runs the timers that it had already seen expire, and no others. Once the set is closed, all its
 * timers have ended. A handler that throws, even for want of stack or memory, is counted and logged once per kind; a periodic timer is
 * called again at its next deadline. All methods may be called by any thread.
 */
public final class Timers {
    /** Longest delay and period; a longer value is replaced by this. Well within the range of a clock of nanoseconds. */
    public static final Duration DELAY_MAX = Deadlines.TIMEOUT_MAX;

    /** Default maximum of timers registered at a time by one object: about 300 MB of heap. */
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
     * Timers of {@code set}, with a limit and a failure listener.
     *
     * @param timersMax maximum number of registered timers, from 1. A timer counts until the pool has closed its handle, after its only run
     *     or its cancellation
     * @param onFailure called with a timer and its handler's exception, in addition to the count and the log entry, by the thread that ran
     *     the handler. An exception of the listener is counted and logged
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
     * @throws RejectedExecutionException if too many timers are registered; counted by {@link #refused}
     */
    public Timer after(Duration delay, TimerHandler handler) {
        return register(handler, delayNs(delay), Timer.ONCE);
    }

    /** Calls {@link #every(Duration, Duration, TimerHandler)} with the first deadline after one period. */
    public Timer every(Duration period, TimerHandler handler) {
        return every(period, period, handler);
    }

    /**
     * Calls {@code handler} at a fixed rate. The first deadline is {@code first} from now (0 or negative: as soon as a thread is free),
     * each further deadline one {@code period} (at least 1 ns) after the previous deadline, however long or late the calls are. A timer
     * that is late by more than a period does not catch up in a burst: one call stands for all passed deadlines ({@link Timer#missed}
     * counts all but one of them), and the next call follows at the next deadline.
     *
     * @throws IllegalStateException if the set is closed
     * @throws RejectedExecutionException if too many timers are registered; counted by {@link #refused}
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

    /**
     * Returns {@code delay} in nanoseconds: 0 for a negative delay, {@link #DELAY_MAX} for a longer delay. The result can be added to any
     * clock reading. Never throws for a long delay, unlike {@link Duration#toNanos}.
     */
    public static long delayNs(Duration delay) {
        return Deadlines.ns(delay);
    }
}
