package org.cabrank.affinity.placement;

import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import org.cabrank.affinity.CpuList;
import org.cabrank.affinity.limits.ProcessLimits;
import org.cabrank.affinity.topology.Cpu;
import org.cabrank.affinity.topology.Topology;

/**
 * The CPUs that the user names. With one shard its threads take turns over them; with more, each shard gets its share of
 * them in ascending order, and its threads take turns over that.
 */
record Listed(CpuList cpus) implements Placement {
    Listed {
        if (cpus.isEmpty()) {
            throw new IllegalArgumentException("the list names no CPU; right would be 0-3,8 for instance");
        }
    }

    @Override
    public PlacementPlan plan(Topology topology, ProcessLimits limits, int shards, int threadsPerShard, boolean strict)
            throws PlacementException {
        Planning planning = new Planning(topology, limits, shards, threadsPerShard, strict);
        List<Cpu> listed = reachable(planning);
        int count = planning.shards(listed.size() / threadsPerShard);
        if (listed.isEmpty()) {
            return planning.plan(this, "nothing is pinned", unpinned(planning, count));
        }
        if (count > listed.size()) {
            planning.compromise(
                    "there are " + Cpus.count(count, "shard") + " for " + Cpus.count(listed.size(), "CPU"),
                    "they share CPUs in turn",
                    "name as many CPUs as there are shards");
        }
        return planning.plan(this, "CPUs named by the user", places(planning, listed, count));
    }

    private static List<ShardPlace> places(Planning planning, List<Cpu> listed, int shards) {
        // CPUs beyond one for each thread stay unused.
        int used = (int) Math.min(listed.size(), (long) shards * planning.threadsPerShard());
        List<ShardPlace> places = new ArrayList<>();
        for (int shard = 0; shard < shards; shard++) {
            List<Cpu> share = used < shards
                    ? List.of(listed.get(shard % used))
                    : listed.subList((int) ((long) shard * used / shards), (int) ((shard + 1L) * used / shards));
            places.add(planning.inTurn(shard, share, "named by the user: " + Cpus.where(share)));
        }
        return places;
    }

    private static List<ShardPlace> unpinned(Planning planning, int shards) {
        List<ShardPlace> places = new ArrayList<>();
        for (int shard = 0; shard < shards; shard++) {
            places.add(planning.anywhere(shard, "not pinned: of the CPUs that were named none can be used"));
        }
        return places;
    }

    private List<Cpu> reachable(Planning planning) throws PlacementException {
        Map<Integer, Cpu> byId = new TreeMap<>();
        planning.topology().cpus().forEach(cpu -> byId.put(cpu.id(), cpu));
        Map<String, List<Integer>> refused = new TreeMap<>();
        List<Cpu> reachable = new ArrayList<>();
        cpus.cpus().forEach(id -> {
            String obstacle = obstacle(planning, byId.get(id), id);
            if (obstacle == null) {
                reachable.add(byId.get(id));
            } else {
                refused.computeIfAbsent(obstacle, none -> new ArrayList<>()).add(id);
            }
        });
        for (Map.Entry<String, List<Integer>> cause : refused.entrySet()) {
            CpuList ids =
                    CpuList.of(cause.getValue().stream().mapToInt(id -> id).toArray());
            planning.compromise(
                    "CPU " + ids + " " + cause.getKey(),
                    reachable.isEmpty()
                            ? "nothing is pinned"
                            : "only " + Cpus.list(reachable) + " of the list " + cpus + " is used",
                    "this process may use " + planning.limits().usable());
        }
        return reachable;
    }

    /** The reason why a CPU cannot be used, worded to follow the CPU's number; null if it can be used. */
    private static String obstacle(Planning planning, Cpu cpu, int id) {
        if (cpu == null) {
            return "does not exist on this machine";
        }
        if (!cpu.online()) {
            return "is offline";
        }
        if (!planning.inCpuset(id)) {
            return "is outside this process's cpuset";
        }
        if (planning.limits().reserved().contains(id)) {
            return "is reserved by another service";
        }
        if (!planning.reachable(cpu)) {
            return "is outside this process's affinity mask";
        }
        return null;
    }

    @Override
    public String description() {
        return "a share of these CPUs for each shard";
    }

    @Override
    public String toString() {
        return cpus.toString();
    }
}
