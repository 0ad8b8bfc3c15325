package org.cabrank.lf.observe;

import java.util.Arrays;
import java.util.stream.IntStream;

/**
 * Times of events since the pool was made. A time begins when the wait in which the kernel reported the event returns, and ends when the
 * handler ends. So it includes the wait in the ready list behind earlier events.
 *
 * <p>If the handler offloads work ({@link org.cabrank.lf.handle.Handle#offload}), the time ends when the last continuation has returned. If
 * the handle is closed before that, the event is not counted. Calls for posts and timers, and events that found their handle being
 * processed ({@link PoolCounters#claimedAndMore}), are not counted.
 *
 * <p>The buckets are those of a histogram of high dynamic range. Up to 63 ns there is one bucket for each ns, and above that there are 32
 * buckets for each power of two. So a result exceeds the measured time by at most 1/32. The last bucket also holds all times longer than
 * 137 s.
 *
 * <p>An object of this class is immutable. The difference of two readings ({@link #since}) covers the interval between them.
 */
public final class LatencyCounters {
    public static final LatencyCounters NONE = new LatencyCounters(new long[0]);

    private static final int PRECISION_BITS = 5;

    private static final int PARTS = 1 << PRECISION_BITS;

    /** Number of bits of the longest time in ns. This time is 137 s. */
    private static final int LONGEST_BITS = 37;

    public static final int BUCKETS_MAX = (LONGEST_BITS - PRECISION_BITS + 1) * PARTS;

    /** Count of each bucket, without the empty buckets at the end. */
    private final long[] counts;

    private final long events;

    public LatencyCounters(long[] counts) {
        int used = counts.length;
        while (used > 0 && counts[used - 1] == 0) {
            used--;
        }
        this.counts = Arrays.copyOf(counts, used);
        this.events = Arrays.stream(this.counts).sum();
    }

    /** Returns counters as if {@code latenciesNs} had been measured. For tests of code that evaluates counters. */
    public static LatencyCounters of(long... latenciesNs) {
        long[] counts = new long[BUCKETS_MAX];
        for (long latencyNs : latenciesNs) {
            counts[bucketOf(latencyNs)]++;
        }
        return new LatencyCounters(counts);
    }

    /** Returns the bucket of a latency in ns. A latency longer than 137 s is in the last bucket. */
    public static int bucketOf(long latencyNs) {
        long counted = Math.min(Math.max(0, latencyNs), (1L << LONGEST_BITS) - 1);
        int shift = Math.max(0, Long.SIZE - Long.numberOfLeadingZeros(counted) - PRECISION_BITS - 1);
        return shift * PARTS + (int) (counted >>> shift);
    }

    /** The longest time in ns of a bucket. The first bucket begins at 0, each further bucket where the previous bucket ends. */
    public static long bucketEndNs(int bucket) {
        int shift = Math.max(0, bucket / PARTS - 1);
        return ((long) (bucket - shift * PARTS) + 1 << shift) - 1;
    }

    public long events() {
        return events;
    }

    /** Number of events of each bucket, up to the last non-empty bucket. */
    public long[] counts() {
        return counts.clone();
    }

    public long[] bucketEndsNs() {
        return IntStream.range(0, counts.length)
                .mapToLong(LatencyCounters::bucketEndNs)
                .toArray();
    }

    /** Returns a time in ns that {@code percent} of the events did not exceed. If there are no events, returns 0. */
    public long percentileNs(double percent) {
        if (!(percent >= 0 && percent <= 100)) {
            throw new IllegalArgumentException("percent must be from 0 to 100, but is " + percent);
        }
        long wanted = Math.max(1, (long) Math.ceil(events * percent / 100));
        long passed = 0;
        for (int bucket = 0; bucket < counts.length; bucket++) {
            passed += counts[bucket];
            if (passed >= wanted) {
                return bucketEndNs(bucket);
            }
        }
        return 0;
    }

    public LatencyCounters plus(LatencyCounters others) {
        long[] sums = Arrays.copyOf(counts, Math.max(counts.length, others.counts.length));
        for (int bucket = 0; bucket < others.counts.length; bucket++) {
            sums[bucket] += others.counts[bucket];
        }
        return new LatencyCounters(sums);
    }

    /** Returns the counts since {@code earlier}, which must be of the same pool or pools. */
    public LatencyCounters since(LatencyCounters earlier) {
        long[] rest = counts.clone();
        for (int bucket = 0; bucket < earlier.counts.length; bucket++) {
            rest[bucket] -= earlier.counts[bucket];
        }
        return new LatencyCounters(rest);
    }
}
