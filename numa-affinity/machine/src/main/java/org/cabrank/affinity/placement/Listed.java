package org.cabrank.affinity.placement;

import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.stream.IntStream;
import org.cabrank.affinity.CpuList;
import org.cabrank.affinity.topology.Cpu;

/** The CPUs that the user names: each shard gets its share of them in ascending order, and its threads take turns over that. */
record Listed(CpuList cpus) {
    PlacementPlan plan(Planning planning) throws PlacementException {
        List<Cpu> listed = reachable(planning);
        int each = planning.threadsPerShard();
        int shards = planning.shards(listed.size() / each);
        if (listed.isEmpty()) {
            return planning.unpinned(shards, "not pinned: of the CPUs that were named none can be used");
        }
        if (shards > listed.size()) {
            planning.compromise(
                    "there are " + Cpus.count(shards, "shard") + " for " + Cpus.count(listed.size(), "CPU"),
                    "they share CPUs in turn",
                    "name as many CPUs as there are shards");
        }
        // CPUs beyond one for each thread stay unused.
        long used = Math.min(listed.size(), (long) shards * each);
        List<List<Cpu>> shares = IntStream.range(0, shards)
                .mapToObj(shard -> used < shards
                        ? List.of(listed.get((int) (shard % used)))
                        : listed.subList((int) (shard * used / shards), (int) ((shard + 1) * used / shards)))
                .toList();
        return planning.inTurn(
                "CPUs named by the user", shares, (shard, share) -> "named by the user: " + Cpus.where(share));
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
            planning.compromise(
                    "CPU " + CpuList.of(cause.getValue()) + " " + cause.getKey(),
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
}
