package org.cabrank.bench.load;

import org.HdrHistogram.Histogram;
import org.cabrank.bench.load.engine.LoadErrors;
import org.cabrank.bench.load.engine.LoadPhase;

/** Results of a worker. Only the worker writes them. Other threads read the counters at any time, and the rest after the worker's end. */
final class Tally {

    private static final long LATENCY_NS_MAX = 60_000_000_000L;
    private static final int LATENCY_DIGITS = 3;

    enum Part {
        ALL,
        /** Latencies alone are recorded, of connections that stay open. Other workers reconnect at the same time. */
        LATENCIES,
        /** Answers and bytes alone are recorded, of connections that reconnect. */
        COUNTS
    }

    private final LoadPhase phase;
    private final Part part;
    private final LoadCounters counters = new LoadCounters();
    private final LoadErrors errors = new LoadErrors();
    private final Histogram latencies = new Histogram(1, LATENCY_NS_MAX, LATENCY_DIGITS);
    /** Latencies of requests whose handlers did not block. Null if the answers do not show if a handler blocked. */
    private final Histogram fastLatencies;

    private volatile String firstWrongAnswer;

    Tally(LoadPhase phase, Part part, boolean tellsFast) {
        this.phase = phase;
        this.part = part;
        fastLatencies = tellsFast ? new Histogram(1, LATENCY_NS_MAX, LATENCY_DIGITS) : null;
    }

    void answered(int bytes, long latencyNs) {
        answered(bytes, latencyNs, false);
    }

    /** @param fast true if the answer shows that its handler did not block */
    void answered(int bytes, long latencyNs, boolean fast) {
        if (part != Part.LATENCIES) {
            counters.answered(bytes);
        }
        if (part != Part.COUNTS && phase.measuring()) {
            long recordedNs = Math.min(Math.max(1, latencyNs), LATENCY_NS_MAX);
            latencies.recordValue(recordedNs);
            if (fast) {
                fastLatencies.recordValue(recordedNs);
            }
        }
    }

    void failed(String kind) {
        errors.count(kind);
    }

    void wrongAnswer(String where) {
        if (firstWrongAnswer == null) {
            firstWrongAnswer = where;
        }
    }

    LoadCounters counters() {
        return counters;
    }

    LoadErrors errors() {
        return errors;
    }

    String firstWrongAnswer() {
        return firstWrongAnswer;
    }

    Histogram latencies() {
        return latencies;
    }

    Histogram fastLatencies() {
        return fastLatencies;
    }
}
