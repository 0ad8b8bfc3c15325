package org.cabrank.lf.observe;

/**
 * A histogram of a service as JMX shows it, beside the pools of the reactor NAME:
 * {@code org.cabrank:type=Latency,name=NAME,histogram=HISTOGRAM}. Counts are since the histogram was made; see
 * {@link LatencyHistogram}.
 */
public interface LatencyHistogramMXBean {
    /** Returns the number of recorded durations. */
    long getEvents();

    /** See {@link LatencyCounters#percentileNs}. */
    long getP50Ns();

    long getP90Ns();

    long getP99Ns();

    long getP999Ns();

    long getMaxNs();

    /**
     * Returns the end of each bucket in ns: {@link LatencyCounters#bucketEndNs}. A client computes the percentiles of an interval from
     * {@link #getBuckets} at its beginning and at its end.
     */
    long[] getBucketEndsNs();

    /** Returns the number of durations of each bucket: {@link LatencyCounters#bucket}. */
    long[] getBuckets();
}
