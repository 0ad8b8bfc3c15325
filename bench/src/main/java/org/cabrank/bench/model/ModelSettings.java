package org.cabrank.bench.model;

import java.util.ArrayList;
import java.util.List;

/**
 * What is simulated.
 *
 * @param cores of each machine
 * @param coresPerNode of each memory node
 * @param connectionsPerCore that many for each core of the machine
 * @param thinkNs the mean time from an answer to the connection's next request
 * @param workNs of each request
 * @param slowPermille that many of 1,000 requests block their thread besides
 * @param slowNs for so long
 * @param maxGapNs of deferred promotion
 * @param requestsPerCore simulated for each core of the machine
 * @param seed of the random numbers
 */
public record ModelSettings(
        List<Integer> cores,
        int coresPerNode,
        int connectionsPerCore,
        long thinkNs,
        long workNs,
        int slowPermille,
        long slowNs,
        long maxGapNs,
        int requestsPerCore,
        long seed) {

    public static final int CORES_MAX = 1_024;
    private static final int PER_CORE_MAX = 100_000;

    public ModelSettings {
        cores = List.copyOf(cores);
        if (cores.isEmpty()) {
            throw new IllegalArgumentException("no number of cores was given");
        }
        cores.forEach(number -> check("cores", number, CORES_MAX));
        check("cores per node", coresPerNode, CORES_MAX);
        check("connections per core", connectionsPerCore, PER_CORE_MAX);
        check("requests per core", requestsPerCore, PER_CORE_MAX);
        if (requestsPerCore < 100) {
            throw new IllegalArgumentException("requests per core is " + requestsPerCore + ", expected 100 or more");
        }
    }

    private static void check(String what, int value, int most) {
        if (value < 1 || value > most) {
            throw new IllegalArgumentException(what + " is " + value + ", expected 1 to " + most);
        }
    }

    /** As many threads as cores, from one shard to as many shards; shards double, and the number of cores ends the row. */
    List<Scenario> scenarios(int machine) {
        List<Scenario> all = new ArrayList<>();
        for (int shards = 1; shards < machine; shards *= 2) {
            if (machine % shards == 0) {
                all.add(scenario(machine, shards));
            }
        }
        all.add(scenario(machine, machine));
        return all;
    }

    private Scenario scenario(int machine, int shards) {
        return new Scenario(
                machine,
                coresPerNode,
                shards,
                machine / shards,
                false,
                maxGapNs,
                connectionsPerCore * machine,
                thinkNs,
                workNs,
                slowPermille,
                slowNs,
                0,
                0,
                0,
                requestsPerCore * machine,
                seed);
    }
}
