package org.cabrank.bench.jmh;

import org.openjdk.jmh.runner.options.ChainedOptionsBuilder;
import org.openjdk.jmh.runner.options.Options;
import org.openjdk.jmh.runner.options.TimeValue;

/** Default length of each benchmark. There should be several {@code forks} (JVMs), because each compiles the code differently. */
record RunLength(int forks, int warmups, int iterations, int iterationMs) {
    /** All benchmarks together take about 7 min. */
    static final RunLength STANDARD = new RunLength(2, 3, 5, 300);

    /** All benchmarks together take about 2 min. */
    static final RunLength QUICK = new RunLength(1, 2, 3, 200);

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
