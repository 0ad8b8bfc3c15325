package org.cabrank.socket.transport;

import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicLong;
import org.cabrank.stream.AcceptRate;

/**
 * Token bucket for the {@link AcceptRate} of one listener, in all its shards.
 *
 * <p>The bucket is one number: the time at which it is full again. Each taken token moves this time by the interval of the rate. There are
 * tokens while the time is less than {@code burst} intervals ahead.
 *
 * <pre>
 *            now          fullAtNs        now + burst * interval
 *  -----------|--------------|-----------------|----------&gt; time
 *             taken tokens -&gt;|&lt;- tokens left -&gt;|
 * </pre>
 */
final class AcceptTokens {
    /** Minimum pause, unless a whole burst takes less time. A timer for each token would cost more than it gains. */
    static final long PAUSE_MIN_NS = TimeUnit.MILLISECONDS.toNanos(1);

    private final long intervalNs;
    private final long burstNs;
    private final AtomicLong fullAtNs;

    private AcceptTokens(AcceptRate rate, long nowNs) {
        intervalNs = TimeUnit.SECONDS.toNanos(1) / rate.perSecond();
        burstNs = intervalNs * rate.burst();
        fullAtNs = new AtomicLong(nowNs);
    }

    static AcceptTokens of(AcceptRate rate, long nowNs) {
        return rate.isUnlimited() ? null : new AcceptTokens(rate, nowNs);
    }

    /** Takes a token and returns 0. If there is none, returns the time in ns until the next attempt is useful. */
    long take(long nowNs) {
        while (true) {
            long before = fullAtNs.get();
            long after = (before - nowNs > 0 ? before : nowNs) + intervalNs;
            long missingNs = after - nowNs - burstNs;
            if (missingNs > 0) {
                return Math.max(missingNs, Math.min(PAUSE_MIN_NS, burstNs));
            }
            if (fullAtNs.compareAndSet(before, after)) {
                return 0;
            }
        }
    }

    void giveBack() {
        fullAtNs.addAndGet(-intervalNs);
    }
}
