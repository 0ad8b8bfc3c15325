package org.cabrank.affinity.placement;

import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;
import java.util.stream.IntStream;
import org.cabrank.affinity.CpuList;
import org.cabrank.affinity.topology.Cpu;

/** Describes shards whose CPUs are hardware threads of one core. */
final class CoreSharing {
    private final List<List<Cpu>> cpusOfShards;
    private final boolean hybrid;

    /** For each shard, the first ones on its cores. */
    private final List<Set<Integer>> others = new ArrayList<>();

    /** @param hybrid true if the machine has slower cores, which sharing a core avoids */
    CoreSharing(List<List<Cpu>> cpusOfShards, boolean hybrid) {
        this.cpusOfShards = cpusOfShards;
        this.hybrid = hybrid;
        Map<Integer, Integer> firstOn = new HashMap<>();
        for (List<Cpu> cpus : cpusOfShards) {
            int shard = others.size();
            Set<Integer> first = new TreeSet<>();
            cpus.forEach(cpu -> first.add(firstOn.computeIfAbsent(cpu.core(), core -> shard)));
            first.remove(shard);
            others.add(first);
        }
    }

    /** Text to append to the shard's description; empty if no other shard uses its cores. */
    String words(int shard) {
        Set<Integer> first = others.get(shard);
        if (!first.isEmpty()) {
            return (first.size() == 1 ? "; on the core of " : "; on the cores of ") + Cpus.shards(CpuList.of(first));
        }
        return hybrid && Cpus.shareCore(cpusOfShards.get(shard))
                ? "; its threads share a core rather than go to slower cores"
                : "";
    }

    /** Warns of the shards that share a core with another shard. That is no compromise: each has a CPU as asked for. */
    void warn(Planning planning, int cores) {
        CpuList sharing = CpuList.of(IntStream.range(0, others.size())
                .filter(shard -> !others.get(shard).isEmpty())
                .toArray());
        if (!sharing.isEmpty()) {
            planning.warn("there are " + Cpus.count(others.size(), "shard") + " but only "
                    + Cpus.count(cores, "isolated core") + ": " + Cpus.shards(sharing)
                    + (sharing.size() == 1 ? " runs" : " run")
                    + " on hardware threads of cores that other shards use, and they slow each other down; ask for "
                    + Cpus.count(Math.max(1, cores / planning.threadsPerShard()), "shard") + " or isolate more cores");
        }
    }
}
