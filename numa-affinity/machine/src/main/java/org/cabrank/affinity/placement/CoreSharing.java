package org.cabrank.affinity.placement;

import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;
import org.cabrank.affinity.CpuList;
import org.cabrank.affinity.topology.Cpu;

/** Describes shards whose CPUs are hardware threads of one core. Call {@link #words} for the shards in ascending order. */
final class CoreSharing {
    private final boolean hybrid;
    private final Map<Integer, Integer> firstOn = new HashMap<>();
    private final Set<Integer> sharing = new TreeSet<>();

    /** @param hybrid true if the machine has slower cores, which sharing a core avoids */
    CoreSharing(boolean hybrid) {
        this.hybrid = hybrid;
    }

    /** Text to append to the shard's description; empty if no other shard uses its cores. */
    String words(int shard, List<Cpu> cpus) {
        Set<Integer> others = new TreeSet<>();
        for (Cpu cpu : cpus) {
            int first = firstOn.computeIfAbsent(cpu.core(), core -> shard);
            if (first != shard) {
                others.add(first);
            }
        }
        if (!others.isEmpty()) {
            sharing.add(shard);
            return "; on the core" + (others.size() == 1 ? " of shard " : "s of shards ") + list(others);
        }
        return hybrid && Cpus.shareCore(cpus) ? "; its threads share a core rather than go to slower cores" : "";
    }

    /** Warns of the shards that share a core with another shard. That is no compromise: each has a CPU as asked for. */
    void warn(Planning planning, int shards, int cores) {
        if (!sharing.isEmpty()) {
            planning.warn("there are " + Cpus.count(shards, "shard") + " but only "
                    + Cpus.count(cores, "isolated core") + ": " + (sharing.size() == 1 ? "shard " : "shards ")
                    + list(sharing) + (sharing.size() == 1 ? " runs" : " run")
                    + " on hardware threads of cores that other shards use, and they slow each other down; ask for "
                    + Cpus.count(Math.max(1, cores / planning.threadsPerShard()), "shard") + " or isolate more cores");
        }
    }

    private static String list(Set<Integer> numbers) {
        return CpuList.of(numbers.stream().mapToInt(number -> number).toArray()).toString();
    }
}
