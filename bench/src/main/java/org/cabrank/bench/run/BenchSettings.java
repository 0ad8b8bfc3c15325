package org.cabrank.bench.run;

import java.util.List;
import org.cabrank.affinity.CpuList;
import org.cabrank.bench.contender.Contender;
import org.cabrank.bench.contender.ServerSettings;

/**
 * What the bench runs.
 *
 * @param contenders in the order of the table
 * @param rounds each contender runs once per round
 * @param generatorWarmupNs load before the first run, which is not measured: it has the load generator compiled
 * @param warmupNs load before each measured interval
 * @param durationNs the measured interval
 * @param serverCpus null: the bench chooses
 * @param loadCpus null: the bench chooses
 * @param loadThreads 0: as many as the load has CPUs
 */
public record BenchSettings(
        List<Contender> contenders,
        int rounds,
        long generatorWarmupNs,
        long warmupNs,
        long durationNs,
        int connections,
        int sizeBytes,
        ServerSettings server,
        CpuList serverCpus,
        CpuList loadCpus,
        int loadThreads) {

    public BenchSettings {
        contenders = List.copyOf(contenders);
        if (contenders.isEmpty()) {
            throw new IllegalArgumentException("no contender was named");
        }
        if (rounds < 1 || rounds > 1_000) {
            throw new IllegalArgumentException("rounds is " + rounds + ", expected 1 to 1000");
        }
        if (durationNs <= 0) {
            throw new IllegalArgumentException("the duration is zero: nothing would be measured");
        }
    }
}
