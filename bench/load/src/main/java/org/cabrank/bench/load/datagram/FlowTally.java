package org.cabrank.bench.load.datagram;

import org.HdrHistogram.Histogram;
import org.cabrank.bench.load.engine.LoadErrors;

final class FlowTally {
    private static final long LATENCY_NS_MAX = 60_000_000_000L;
    private static final int LATENCY_DIGITS = 3;

    final LoadErrors errors = new LoadErrors();
    final Histogram latencies = new Histogram(1, LATENCY_NS_MAX, LATENCY_DIGITS);
    long sent;
    long received;
    long reordered;
    long duplicated;
    long wrong;
    long late;
    long answersInTime;
    long timedSends;
    long lateSends;
    long drops;
    long elapsedNs;

    void latency(long ns) {
        latencies.recordValue(Math.min(Math.max(1, ns), LATENCY_NS_MAX));
    }

    void add(FlowTally other) {
        latencies.add(other.latencies);
        sent += other.sent;
        received += other.received;
        reordered += other.reordered;
        duplicated += other.duplicated;
        wrong += other.wrong;
        late += other.late;
        answersInTime += other.answersInTime;
        timedSends += other.timedSends;
        lateSends += other.lateSends;
        drops += other.drops;
        elapsedNs = Math.max(elapsedNs, other.elapsedNs);
    }
}
