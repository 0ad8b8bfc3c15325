package org.cabrank.affinity.placement;

import static org.cabrank.affinity.placement.Plans.BIG;
import static org.cabrank.affinity.placement.Plans.cpus;
import static org.cabrank.affinity.placement.Plans.plan;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.List;
import org.cabrank.affinity.CpuList;
import org.cabrank.affinity.limits.ProcessLimits;
import org.cabrank.affinity.topology.Topology;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Shards on nodes without memory of their own. */
class RemoteMemoryTest {
    private static ProcessLimits memoryOnly(String nodes) {
        CpuList all = CpuList.parse("0-31");
        return new ProcessLimits(
                all,
                all,
                CpuList.parse(nodes),
                Double.POSITIVE_INFINITY,
                32,
                all,
                CpuList.of(),
                CpuList.of(),
                List.of());
    }

    private static String why(PlacementPlan plan, int shard) {
        return plan.shards().get(shard).why();
    }

    /** Number of shards that fit, one of which has to go to the node without memory. */
    @ParameterizedTest
    @CsvSource({"node, 4", "l3, 8", "smt, 16", "cores, 16", "threads, 32", "pack, 32", "spread, 32"})
    void nodesWithMemoryAreTakenFirstAndTheRestIsWarnedOf(String placement, int shards) {
        Topology machine = Machines.withoutMemory(BIG, 0);
        PlacementPlan one = plan(placement, machine, 1, 1);
        assertFalse(why(one, 0).contains("remote"), one.describe());
        assertEquals(List.of(), one.warnings());
        PlacementPlan all = plan(placement, machine, shards, 1);
        List<ShardPlace> remote = all.shards().stream()
                .filter(shard -> shard.why().endsWith("; memory is remote, on node 1: node 0 has none"))
                .toList();
        assertEquals(shards / 4, remote.size(), all.describe());
        assertEquals(1, all.warnings().size(), all.describe());
        assertTrue(
                all.warnings().get(0).contains("on a node without memory for this process")
                        && all.warnings().get(0).endsWith("ask for " + Cpus.count(shards - shards / 4, "shard")),
                all.describe());
        assertTrue(all.describe(3).contains("without memory"), all.describe(3));
        assertEquals(List.of(), plan(placement, BIG, shards, 1).warnings());
    }

    @Test
    void aShardWhoseMemoryTheCpusetLeavesOutSaysSo() {
        PlacementPlan plan = plan("node", BIG, memoryOnly("2"), 3, 1);
        assertFalse(why(plan, 0).contains("remote"), plan.describe());
        assertTrue(
                why(plan, 1).endsWith("; memory is remote, on node 2: the cpuset leaves node 0 out"), plan.describe());
        assertEquals(2, plan.shards().get(1).node());
    }

    @Test
    void spreadTakesNodesWithMemoryFirst() {
        Topology machine = Machines.withoutMemory(BIG, 0);
        assertEquals("8[8] 4[4] 12[12]", cpus(plan("spread", machine, 3, 1)));
        PlacementPlan eight = plan("spread", machine, 16, 1);
        List<Integer> last = eight.shards().subList(12, 16).stream()
                .map(shard -> shard.cpus().cpus().min().orElseThrow())
                .sorted()
                .toList();
        assertEquals(List.of(0, 1, 2, 3), last, "cores of the node without memory come last, before second threads");
        assertEquals("8[8] 10[10]", cpus(plan("spread", BIG, memoryOnly("2"), 2, 1)));
        assertEquals("0[0] 8[8]", cpus(plan("spread", BIG, 2, 1)));
    }
}
