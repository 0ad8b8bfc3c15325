package org.cabrank.bench.jmh;

import org.openjdk.jmh.runner.options.ChainedOptionsBuilder;
import org.openjdk.jmh.runner.options.Options;
import org.openjdk.jmh.runner.options.TimeValue;

/** Default length of each benchmark. There are several JVMs ({@code forks}), because the JIT's result differs from JVM to JVM. */
record RunLength(int forks, int warmups, int iterations, int iterationMs) {
    /** Takes some 7 min for all benchmarks. */
    static final RunLength STANDARD = new RunLength(2, 3, 5, 300);

    /** Takes some 2 min for all benchmarks. */
    static final RunLength QUICK = new RunLength(1, 2, 3, 200);

    /** Adds to {@code options} the values that {@code users} does not set. */
    void fillIn(Options users, ChainedOptionsBuilder options) {
        TimeValue time = TimeValue.milliseconds(iterationMs);
        if (!users.getForkCount().hasValue()) {
            options.forks(forks);
        }
        if (!users.getWarmupIterations().hasValue()) {
            options.warmupIterations(warmups);
        }
        if (!users.getWarmupTime().hasValue()) {
            options.warmupTime(time);
        }
        if (!users.getMeasurementIterations().hasValue()) {
            options.measurementIterations(iterations);
        }
        if (!users.getMeasurementTime().hasValue()) {
            options.measurementTime(time);
        }
    }

    @Override
    public String toString() {
        return "-f " + forks + " -wi " + warmups + " -w " + iterationMs + "ms -i " + iterations + " -r " + iterationMs
                + "ms";
    }
}
