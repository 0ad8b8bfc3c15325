package org.cabrank.lf.counting;

import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;

/**
 * Counts with one writer at a time and any number of readers, who may see them a little late. 64 bytes of padding on either side keep these
 * counts off the cache lines of the next counts in memory, which other threads write at every event.
 */
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
