package org.cabrank.bench.topology;

import java.util.BitSet;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.cabrank.affinity.CpuList;
import org.cabrank.affinity.limits.ProcessLimits;
import org.cabrank.affinity.placement.PlacementPlan;
import org.cabrank.affinity.placement.ShardPlace;
import org.cabrank.affinity.topology.Cpu;

final class Marks {
    private final CpuList usable;
    private final Map<Integer, BitSet> shards = new HashMap<>();

    Marks(ProcessLimits limits, PlacementPlan plan) {
        usable = limits.usable();
        if (plan != null) {
            for (ShardPlace place : plan.shards()) {
                place.cpus()
                        .cpus()
                        .forEach(cpu -> shards.computeIfAbsent(cpu, none -> new BitSet())
                                .set(place.shard()));
            }
        }
    }

    boolean usable(Cpu cpu) {
        return usable.contains(cpu.id());
    }

    int shard(Cpu cpu) {
        BitSet there = shards.get(cpu.id());
        return there == null ? -1 : there.nextSetBit(0);
    }

    List<Integer> shardNumbers(Cpu cpu) {
        return shards.getOrDefault(cpu.id(), new BitSet()).stream().boxed().toList();
    }

    /** Returns the shards on a CPU, such as {@code s3}, or {@code s0,4} if two shards share the CPU. Empty without shards. */
    String shards(Cpu cpu) {
        BitSet there = shards.get(cpu.id());
        return there == null ? "" : "s" + CpuList.of(there.stream().toArray());
    }

    CpuList shardsOn(Iterable<Cpu> cpus) {
        BitSet all = new BitSet();
        for (Cpu cpu : cpus) {
            all.or(shards.getOrDefault(cpu.id(), new BitSet()));
        }
        return CpuList.of(all.stream().toArray());
    }
}
