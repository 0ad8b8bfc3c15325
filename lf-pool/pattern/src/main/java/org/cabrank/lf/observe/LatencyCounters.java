package org.cabrank.lf.observe;

import java.util.Arrays;
import java.util.stream.IntStream;

/**
 * Times of events since the pool was made: from the return of the wait in which the kernel reported an event to the end of its handler.
 * Includes the time in the ready list behind earlier events and the handler's run, over streams with reading and writing; excludes the time
 * in the kernel before a thread asked.
 *
 * <p>If the handler offloads work ({@link org.cabrank.lf.handle.Handle#offload}), the latency ends when the last continuation has returned:
 * it includes the wait for the executor, the work and the continuation. If the handle is closed before, the event is not counted. Nor are
 * calls for posts and timers, and for events met while their handle was processed ({@link PoolCounters#claimedAndMore}), whose detection
 * time is not kept.
 *
 * <p>Buckets as in a histogram of high dynamic range: up to 63 ns one for each ns, then 32 for each power of two, so results exceed the
 * measured time by at most 1/32. The last bucket holds times longer than 2 minutes. Immutable; the difference of two is the interval
 * between them, so each reader has intervals of its own.
 */
public final class LatencyCounters {
    public static final LatencyCounters NONE = new LatencyCounters(new long[0]);

    private static final int PRECISION_BITS = 5;

    private static final int PARTS = 1 << PRECISION_BITS;

    /** Number of bits of the longest time that is distinguished: 137 s. */
    private static final int LONGEST_BITS = 37;

    public static final int BUCKETS_MAX = (LONGEST_BITS - PRECISION_BITS + 1) * PARTS;

    /** Without the empty buckets at the end. */
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

    /** Counters of these latencies, as if measured; for tests of evaluations. */
    public static LatencyCounters of(long... latenciesNs) {
        long[] counts = new long[BUCKETS_MAX];
        for (long latencyNs : latenciesNs) {
            counts[bucketOf(latencyNs)]++;
        }
        return new LatencyCounters(counts);
    }

    /** Returns the bucket of a latency in ns; longer ones than 137 s are in the last. */
    public static int bucketOf(long latencyNs) {
        long counted = Math.min(Math.max(0, latencyNs), (1L << LONGEST_BITS) - 1);
        int shift = Math.max(0, Long.SIZE - Long.numberOfLeadingZeros(counted) - PRECISION_BITS - 1);
        return shift * PARTS + (int) (counted >>> shift);
    }

    /** The longest time in ns of a bucket. Buckets begin at 0, each at the end of the one before. */
    public static long bucketEndNs(int bucket) {
        int shift = Math.max(0, bucket / PARTS - 1);
        return ((long) (bucket - shift * PARTS) + 1 << shift) - 1;
    }

    public long events() {
        return events;
    }

    /** Number of events of each bucket, up to the last non-empty one. */
    public long[] counts() {
        return counts.clone();
    }

    public long[] bucketEndsNs() {
        return IntStream.range(0, counts.length)
                .mapToLong(LatencyCounters::bucketEndNs)
                .toArray();
    }

    /** Upper bound in ns for {@code percent} (0 to 100, the longest) of the events; 0 if there are none. */
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
