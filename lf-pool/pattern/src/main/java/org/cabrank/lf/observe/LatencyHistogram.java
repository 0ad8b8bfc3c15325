package org.cabrank.lf.observe;

import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;
import java.util.Objects;

/**
 * Durations that a service measures itself, such as the time of a query, in the buckets of {@link LatencyCounters}: a duration is reported
 * at most 1/32 too long, a duration above 137 s as 137 s.
 * <pre>{@code
 * LatencyHistogram queries = new LatencyHistogram("query");
 * long startNs = System.nanoTime();
 * ...
 * queries.recordSince(startNs);
 *
 * LatencyCounters sinceTheStart = queries.read();
 * LatencyCounters ofTheInterval = queries.read().since(earlier);
 * }</pre>
 * <p>Any thread may record and read. Recording allocates nothing and is wait-free if the processor adds atomically (x86-64, aarch64 since
 * Armv8.1). Threads spread over at most {@value #STRIPES_MAX} stripes, one for each processor, so they rarely write to one cache line. Each
 * stripe takes 8.7 KB. A reading may miss durations recorded during it, but never has a duration twice.
 */
public final class LatencyHistogram {
    public static final int STRIPES_MAX = 16;

    private static final VarHandle COUNT = MethodHandles.arrayElementVarHandle(long[].class);

    /** 128 bytes: two cache lines, because processors may also fetch the next line. */
    private static final int PADDING = 16;

    /** Golden ratio as a fraction of 2^64: products with neighbouring thread ids differ in their high bits. */
    private static final long SPREAD = 0x9E3779B97F4A7C15L;

    private final String name;

    /** Counts of the buckets, padded before and after. The number of stripes is a power of two. */
    private final long[][] stripes;

    private final int stripeBits;

    /** {@code name} is for reports and JMX. */
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

    /** Records a duration in ns; a negative duration counts as 0, because a clock may go back. */
    public void record(long durationNs) {
        COUNT.getAndAdd(stripeOfCaller(), PADDING + LatencyCounters.bucketOf(durationNs), 1L);
    }

    public void recordSince(long startNs) {
        record(System.nanoTime() - startNs);
    }

    private long[] stripeOfCaller() {
        return stripes[stripe(Thread.currentThread().getId(), stripeBits)];
    }

    /** Returns the {@code bits} highest bits of the product. Two shifts, because Java ignores a shift by 64. */
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
