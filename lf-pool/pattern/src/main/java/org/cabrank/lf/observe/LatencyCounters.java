package org.cabrank.lf.observe;

import java.util.Arrays;
import java.util.stream.IntStream;

/**
 * Times that events have taken, counted since the pool was made: from the return of the wait in which the kernel has reported an
 * event to the end of its handler. So it has in it how long the event stood in the ready list behind earlier events, and how long its
 * handler ran, over streams with reading and writing; but not how long the kernel had the event before a thread asked.
 *
 * <p>The latency of an event whose handler offloads work ({@link org.cabrank.lf.handle.Handle#offload}) ends when the handler
 * has gone on and offloads no more: it has in it the wait for the executor, the work and the continuation. Where the handle is
 * closed before, the event is not counted.
 *
 * <p>Not counted are calls of handlers for what was posted by a program or a timer, and for what has become ready while the
 * handle was being processed already ({@link PoolCounters#claimedAndMore}): when that was detected is not kept.
 *
 * <p>Buckets are as in a histogram of high dynamic range: up to 63 ns one for each ns, from there 32 for each power of two, so
 * that what is answered is at most 1/32 more than what was measured. The last holds what has taken longer than 2 minutes.
 * Immutable; two of them make one of the time in between, so that any number of readers have intervals of their own.
 */
public final class LatencyCounters {
    public static final LatencyCounters NONE = new LatencyCounters(new long[0]);

    private static final int PRECISION_BITS = 5;

    private static final int PARTS = 1 << PRECISION_BITS;

    /** Number of bits of the longest time that is distinguished: 137 s. */
    private static final int LONGEST_BITS = 37;

    public static final int BUCKETS_MAX = (LONGEST_BITS - PRECISION_BITS + 1) * PARTS;

    /** Without the buckets behind the last count that is not 0. */
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

    /** Returns the counters of these latencies, as if they had been measured. Meant for tests of evaluations. */
    public static LatencyCounters of(long... latenciesNs) {
        long[] counts = new long[BUCKETS_MAX];
        for (long latencyNs : latenciesNs) {
            counts[bucketOf(latencyNs)]++;
        }
        return new LatencyCounters(counts);
    }

    /** Returns the bucket of a latency in ns; longer latencies than 137 s are in the last bucket. */
    public static int bucketOf(long latencyNs) {
        long counted = Math.min(Math.max(0, latencyNs), (1L << LONGEST_BITS) - 1);
        int shift = Math.max(0, Long.SIZE - Long.numberOfLeadingZeros(counted) - PRECISION_BITS - 1);
        return shift * PARTS + (int) (counted >>> shift);
    }

    /** The longest that a bucket counts, in ns. Buckets begin at 0, each where the one before it ends. */
    public static long bucketEndNs(int bucket) {
        int shift = Math.max(0, bucket / PARTS - 1);
        return ((long) (bucket - shift * PARTS) + 1 << shift) - 1;
    }

    public long events() {
        return events;
    }

    /** Returns the number of events of each bucket, up to the last that is not empty. */
    public long[] counts() {
        return counts.clone();
    }

    /** Returns the ends in ns of these buckets: {@link #bucketEndNs}. */
    public long[] bucketEndsNs() {
        return IntStream.range(0, counts.length)
                .mapToLong(LatencyCounters::bucketEndNs)
                .toArray();
    }

    /**
     * Upper bound in ns of the processing times of that part of the events; 0 if there are none.
     *
     * @param percent from 0 to 100, which is the longest
     */
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

    /** Returns the sums of these counts and those of other threads or pools. */
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
