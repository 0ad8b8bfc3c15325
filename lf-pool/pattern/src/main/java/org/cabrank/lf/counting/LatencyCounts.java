package org.cabrank.lf.counting;

import org.cabrank.lf.observe.LatencyCounters;

/** Processing times of events, in buckets of {@link LatencyCounters}. One thread at a time writes. Other threads may read old values. */
public final class LatencyCounts {
    /** Detection time of an event if no thread has read the clock. */
    public static final long UNKNOWN = Long.MIN_VALUE;

    private final PaddedCounts counts = new PaddedCounts(LatencyCounters.BUCKETS_MAX);

    public void add(long endedNs, long detectedNs) {
        if (detectedNs != UNKNOWN) {
            counts.add(LatencyCounters.bucketOf(endedNs - detectedNs), 1);
        }
    }

    public LatencyCounters read() {
        long[] read = new long[counts.size()];
        for (int bucket = 0; bucket < read.length; bucket++) {
            read[bucket] = counts.valueOpaque(bucket);
        }
        return new LatencyCounters(read);
    }
}
