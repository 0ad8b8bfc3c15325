package org.cabrank.bench.run;

import org.cabrank.affinity.CpuList;
import org.cabrank.bench.load.LoadTraffic;

/**
 * Settings of all runs of an experiment that measures one server after the other.
 *
 * @param rounds number of measurements of each server, 1 to 1,000
 * @param warmupNs load time in ns before each measured interval
 * @param durationNs length of the measured interval in ns, more than 0
 * @param connections number of connections of the load generator
 * @param sizeBytes size in bytes of a request and of its answer
 * @param serverCpus null: the stage chooses
 * @param loadCpus null: the stage chooses
 * @param loadThreads 0: as many threads as the load has CPUs
 */
public record RunnerSettings(
        int rounds,
        long warmupNs,
        long durationNs,
        int connections,
        int sizeBytes,
        CpuList serverCpus,
        CpuList loadCpus,
        int loadThreads) {

    private static final int ROUNDS_MAX = 1_000;

    public RunnerSettings {
        if (rounds < 1 || rounds > ROUNDS_MAX) {
            throw new IllegalArgumentException("rounds is " + rounds + ", expected 1 to " + ROUNDS_MAX);
        }
        if (durationNs <= 0) {
            throw new IllegalArgumentException("the duration is zero: nothing would be measured");
        }
    }

    /** Estimated time of a run in ns. */
    public double turnNs() {
        return warmupNs + durationNs + Progress.TURN_OVERHEAD_NS;
    }

    /** Number of threads of the load generator on {@code stage}. */
    public int loadThreads(Stage stage) {
        return stage.loadThreads(loadThreads, connections);
    }

    LoadTraffic traffic() {
        return LoadTraffic.pingPong(connections, sizeBytes);
    }
}
