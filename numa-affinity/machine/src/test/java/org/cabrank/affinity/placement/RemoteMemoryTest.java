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
import org.junit.jupiter.params.provider.ValueSource;

/** Shards on nodes without memory of their own. */
class RemoteMemoryTest {
    private static ProcessLimits memoryOnly(String nodes) {
        CpuList all = CpuList.parse("0-31");
        return new ProcessLimits(
                all, all, CpuList.parse(nodes), Double.POSITIVE_INFINITY, Integer.MAX_VALUE, 32, all, List.of());
    }

    private static String why(PlacementPlan plan, int shard) {
        return plan.shards().get(shard).why();
    }

    @ParameterizedTest
    @ValueSource(strings = {"node", "l3", "smt", "cores", "threads", "pack"})
    void aShardOnANodeWithoutMemorySaysWhereItsMemoryIs(String placement) {
        PlacementPlan plan = plan(placement, Machines.withoutMemory(BIG, 0), 1, 1);
        assertTrue(why(plan, 0).endsWith("; memory is remote, on node 1: node 0 has none"), plan.describe());
        assertFalse(why(plan(placement, BIG, 1, 1), 0).contains("remote"));
    }

    @Test
    void aShardWhoseMemoryTheCpusetLeavesOutSaysSo() {
        PlacementPlan plan = plan("node", BIG, memoryOnly("2"), 3, 1);
        assertTrue(
                why(plan, 0).endsWith("; memory is remote, on node 2: the cpuset leaves node 0 out"), plan.describe());
        assertEquals(2, plan.shards().get(0).node());
        assertFalse(why(plan, 2).contains("remote"), plan.describe());
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
