package org.cabrank.bench.run;

import org.cabrank.bench.report.RunRecord.Measured;

/** Detects a server's full speed. It is reached if almost nothing is compiled in a window and the server is not faster than before. */
final class Warmth {

    private static final double STILL_GETTING_FASTER = 1.05;

    /** If the compiler uses less than this share of a process's CPU time, it compiles only code that rarely runs. */
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

    boolean reached() {
        return reached;
    }
}
