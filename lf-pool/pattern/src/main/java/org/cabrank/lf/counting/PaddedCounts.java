package org.cabrank.lf.counting;

import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;

/** Counts that one thread at a time writes and any thread reads. Padding keeps other data out of the cache lines of the counts. */
public final class PaddedCounts {
    private static final VarHandle COUNT = MethodHandles.arrayElementVarHandle(long[].class);

    private static final int CACHE_LINE_BYTES = 64;

    private static final int PADDING = CACHE_LINE_BYTES / Long.BYTES;

    private final long[] counts;

    PaddedCounts(int size) {
        counts = new long[PADDING + size + PADDING];
    }

    int size() {
        return counts.length - 2 * PADDING;
    }

    public void add(int number, long count) {
        COUNT.setOpaque(counts, PADDING + number, counts[PADDING + number] + count);
    }

    public void raiseTo(int number, long value) {
        if (value > counts[PADDING + number]) {
            COUNT.setOpaque(counts, PADDING + number, value);
        }
    }

    public long valueOpaque(int number) {
        return (long) COUNT.getOpaque(counts, PADDING + number);
    }
}
