package org.cabrank.socket.transport;

import java.io.IOException;
import java.time.Duration;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.locks.LockSupport;
import java.util.function.LongConsumer;
import java.util.function.LongSupplier;
import org.cabrank.kernel.Errno;
import org.cabrank.lf.Timers;
import org.cabrank.lf.failure.FailureLog;
import org.cabrank.lf.handle.HandleSet;

/**
 * Limits the time for which the kernel may refuse a set's wait with a temporary error, mostly lack of memory. Each refusal is counted
 * ({@link HandleSet#kernelRetryCount}), and the first in a process is logged. If every call is refused for {@link #LIMIT_DEFAULT}, the set
 * and its reactor fail. Used by the thread that waits in the set. Leadership orders successive threads.
 */
public final class KernelRetry {
    /** Default limit. It lets the kernel reclaim memory or kill a greedy process, and is short enough for waiting clients. */
    public static final Duration LIMIT_DEFAULT = Duration.ofSeconds(5);

    /** System property that sets the limit in ms, from 0 to 3,600,000 (an hour). With 0 the first refusal ends the reactor. */
    public static final String LIMIT_PROPERTY = "cabrank.kernel.retry.ms";

    private static final long LIMIT_MAX_MS = 3_600_000;

    static final long PAUSE_MIN_NS = 100_000;

    static final long PAUSE_MAX_NS = 50_000_000;

    private static final System.Logger LOGGER = System.getLogger(KernelRetry.class.getName());

    private static final AtomicBoolean WARNED = new AtomicBoolean();

    private final LongSupplier clock;
    private final LongConsumer sleep;
    private final Runnable count;
    private final long limitNs;

    private boolean refused;
    private long sinceNs;
    private long tries;
    private long pauseNs;

    public KernelRetry(HandleSet set) {
        this(set::nanoTime, LockSupport::parkNanos, set::noteKernelRetry, limit());
    }

    /** {@code clock} and {@code sleep} use ns. {@code count} is run at each refusal. */
    public KernelRetry(LongSupplier clock, LongConsumer sleep, Runnable count, Duration limit) {
        this.clock = clock;
        this.sleep = sleep;
        this.count = count;
        this.limitNs = Timers.delayNs(limit);
    }

    private static Duration limit() {
        long ms = Long.getLong(LIMIT_PROPERTY, Timers.delayNs(LIMIT_DEFAULT) / 1_000_000);
        if (ms < 0 || ms > LIMIT_MAX_MS) {
            throw new IllegalArgumentException(
                    LIMIT_PROPERTY + " must be from 0 to " + LIMIT_MAX_MS + " ms, but is " + ms);
        }
        return Duration.ofMillis(ms);
    }

    public void taken() {
        if (refused) {
            refused = false;
        }
    }

    /**
     * Called after a refused call, before the next try.
     *
     * @param result {@code -errno}
     * @throws IOException if the kernel has refused every call for longer than the limit. The message names the remedy
     */
    public void refused(String call, int result) throws IOException {
        count.run();
        long nowNs = clock.getAsLong();
        if (!refused) {
            refused = true;
            sinceNs = nowNs;
            tries = 0;
            pauseNs = PAUSE_MIN_NS;
        }
        tries++;
        if (nowNs - sinceNs >= limitNs) {
            throw exhausted(call, result);
        }
        if (WARNED.compareAndSet(false, true)) {
            FailureLog.write(
                    LOGGER,
                    System.Logger.Level.WARNING,
                    () -> call + ": " + Errno.describe(-result) + "; tried again for " + limitNs / 1_000_000
                            + " ms, then the reactor ends (logged once; refusals are counted)",
                    null);
        }
    }

    /** Sleeps until the next try. An interrupt ends the sleep. */
    public void sleep() {
        sleep.accept(pauseNs);
        pauseNs = Math.min(2 * pauseNs, PAUSE_MAX_NS);
    }

    private IOException exhausted(String call, int result) {
        IOException cause = Errno.exception(call, result);
        return new IOException(
                cause.getMessage() + ", refused " + tries + " times in " + limitNs / 1_000_000
                        + " ms; free memory, or raise the memory limit of this process's cgroup, and restart",
                cause);
    }
}
