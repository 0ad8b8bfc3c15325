package org.cabrank.lf.observe;

import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;
import java.util.Objects;

/**
 * Durations that a service measures itself, such as the time of a query. They are counted in the buckets of {@link LatencyCounters}. So a
 * duration is reported at most 1/32 too long, and a duration of more than 137 s is reported as 137 s.
 * <pre>{@code
 * LatencyHistogram queries = new LatencyHistogram("query");
 * long startNs = System.nanoTime();
 * ...
 * queries.recordSince(startNs);
 *
 * LatencyCounters sinceTheStart = queries.read();
 * LatencyCounters ofTheInterval = queries.read().since(earlier);
 * }</pre>
 * <p>Any thread may record and read. Recording allocates nothing, and is wait-free if the processor can add atomically. There is one stripe
 * of counts (8.7 KB) for each processor, but at most {@value #STRIPES_MAX}. So threads rarely write to the same cache line. A reading may
 * miss durations that are recorded at the same time.
 */
public final class LatencyHistogram {
    public static final int STRIPES_MAX = 16;

    private static final VarHandle COUNT = MethodHandles.arrayElementVarHandle(long[].class);

    /** Number of longs in two cache lines. One line is not enough, because a processor may also fetch the next line. */
    private static final int PADDING = 16;

    /** Golden ratio as a fraction of 2^64. If neighbouring thread ids are multiplied by it, the products differ in their high bits. */
    private static final long SPREAD = 0x9E3779B97F4A7C15L;

    private final String name;

    /** Counts of the buckets, padded before and after. The number of stripes is a power of two. */
    private final long[][] stripes;

    private final int stripeBits;

    public LatencyHistogram(String name) {
        this(name, Runtime.getRuntime().availableProcessors());
    }

    LatencyHistogram(String name, int processors) {
        this.name = Objects.requireNonNull(name, "name");
        int wanted = Math.min(STRIPES_MAX, processors);
        stripeBits = Integer.SIZE - Integer.numberOfLeadingZeros(wanted - 1);
        stripes = new long[1 << stripeBits][PADDING + LatencyCounters.BUCKETS_MAX + PADDING];
    }

    public String name() {
        return name;
    }

    /** Records a duration in ns. A negative duration counts as 0. */
    public void record(long durationNs) {
        COUNT.getAndAdd(stripeOfCaller(), PADDING + LatencyCounters.bucketOf(durationNs), 1L);
    }

    public void recordSince(long startNs) {
        record(System.nanoTime() - startNs);
    }

    private long[] stripeOfCaller() {
        return stripes[stripe(Thread.currentThread().getId(), stripeBits)];
    }

    /** Shifts twice, because {@code bits} may be 0, and Java ignores a single shift by 64. */
    static int stripe(long threadId, int bits) {
        return (int) (threadId * SPREAD >>> 1 >>> Long.SIZE - 1 - bits);
    }

    public LatencyCounters read() {
        long[] sums = new long[LatencyCounters.BUCKETS_MAX];
        for (long[] stripe : stripes) {
            for (int bucket = 0; bucket < sums.length; bucket++) {
                sums[bucket] += (long) COUNT.getOpaque(stripe, PADDING + bucket);
            }
        }
        return new LatencyCounters(sums);
    }

    @Override
    public String toString() {
        LatencyCounters now = read();
        return name + ": " + now.events() + " recorded, p50 " + now.percentileNs(50) + " ns, p99 "
                + now.percentileNs(99) + " ns, longest " + now.percentileNs(100) + " ns";
    }
}
