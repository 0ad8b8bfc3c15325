package org.cabrank.bench.run;

import org.cabrank.bench.report.RunRecord.Measured;

/** Detects full speed with one kind of traffic: in the last window almost nothing was compiled, and the server was no faster. */
final class Warmth {

    /** A window counts as faster only beyond this factor of the fastest so far. Slower windows are noise. */
    private static final double STILL_GETTING_FASTER = 1.05;

    /** Share of the CPU time of the server or of the load: a compiler that uses less compiles only code that hardly runs. */
    static final double COMPILING = 0.02;

    private double fastest;

    private boolean reached;

    void add(Measured window) {
        double now = window.requestsPerSecond();
        reached = now <= fastest * STILL_GETTING_FASTER
                && window.server().compilerShare() < COMPILING
                && window.load().compilerShare() < COMPILING;
        fastest = Math.max(fastest, now);
    }

    /** Returns true if the server was at full speed in the last window. */
    boolean reached() {
        return reached;
    }
}
