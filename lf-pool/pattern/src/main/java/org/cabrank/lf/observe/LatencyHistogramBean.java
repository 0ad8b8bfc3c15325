package org.cabrank.lf.observe;

import java.util.stream.IntStream;

/** A histogram in the form that JMX asks for. */
record LatencyHistogramBean(LatencyHistogram histogram) implements LatencyHistogramMXBean {
    @Override
    public long getEvents() {
        return histogram.read().events();
    }

    @Override
    public long getP50Ns() {
        return histogram.read().percentileNs(50);
    }

    @Override
    public long getP90Ns() {
        return histogram.read().percentileNs(90);
    }

    @Override
    public long getP99Ns() {
        return histogram.read().percentileNs(99);
    }

    @Override
    public long getP999Ns() {
        return histogram.read().percentileNs(99.9);
    }

    @Override
    public long getMaxNs() {
        return histogram.read().percentileNs(100);
    }

    @Override
    public long[] getBucketEndsNs() {
        return IntStream.range(0, histogram.read().buckets())
                .mapToLong(LatencyCounters::bucketEndNs)
                .toArray();
    }

    @Override
    public long[] getBuckets() {
        LatencyCounters counters = histogram.read();
        return IntStream.range(0, counters.buckets())
                .mapToLong(counters::bucket)
                .toArray();
    }
}
