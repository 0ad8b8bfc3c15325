package org.cabrank.bench.run;

import org.cabrank.bench.report.RunRecord.Measured;

/**
 * Decides if a server and its load generator have reached their full speed with one kind of traffic: in the last window
 * hardly anything was compiled on either side, and the server was no faster than in an earlier one.
 */
final class Warmth {

    /** A window that is no faster than the fastest so far by more than this is no faster. Slower is what noise makes. */
    private static final double STILL_GETTING_FASTER = 1.05;

    /** Share of the CPU time of either side in an interval: a compiler that uses less compiles only code that hardly runs. */
    static final double COMPILING = 0.02;

    /** In requests per second. */
    private double fastest;

    private boolean reached;

    /** Adds the measurements of a further window. */
    void add(Measured window) {
        double now = window.requestsPerSecond();
        reached = now <= fastest * STILL_GETTING_FASTER
                && window.server().compilerShare() < COMPILING
                && window.load().compilerShare() < COMPILING;
        fastest = Math.max(fastest, now);
    }

    /** At the end of the last window. */
    boolean reached() {
        return reached;
    }
}
