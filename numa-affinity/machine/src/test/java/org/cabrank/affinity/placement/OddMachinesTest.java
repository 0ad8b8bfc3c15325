package org.cabrank.affinity.placement;

import static org.cabrank.affinity.placement.Plans.cpus;
import static org.cabrank.affinity.placement.Plans.plan;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.stream.Collectors;
import org.cabrank.affinity.CpuList;
import org.cabrank.affinity.topology.MemoryNode;
import org.cabrank.affinity.topology.Topology;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Plans of machines whose packages, nodes, caches and cores are not nested as in most servers. */
class OddMachinesTest {
    /** Two nodes of four CPUs; packages count through the nodes in turn. */
    private static final Topology PACKAGE_PER_CPU =
            Machines.withAPackageForEachCpu(Machines.regular(1, 2, 1, 4, 1), cpu -> cpu % 4 * 2 + cpu / 4);

    private static Set<Integer> nodes(Topology machine, ShardPlace shard) {
        return shard.cpus()
                .cpus()
                .mapToObj(cpu -> machine.cpu(cpu).orElseThrow().node())
                .collect(Collectors.toSet());
    }

    @Test
    void spreadAlternatesAmongNodesThatAreLargerThanPackages() {
        assertEquals("0[0] 4[4] 1[1] 5[5]", cpus(plan("spread", PACKAGE_PER_CPU, 4, 1)));
    }

    @Test
    void packFillsANodeThatIsLargerThanAPackage() {
        assertEquals("0[0] 1[1] 2[2] 3[3]", cpus(plan("pack", PACKAGE_PER_CPU, 4, 1)));
    }

    @ParameterizedTest
    @ValueSource(strings = {"spread", "pack"})
    void noShardIsSplitOverNodesThatAreLargerThanPackages(String placement) {
        PlacementPlan plan = plan(placement, PACKAGE_PER_CPU, 2, 4);
        plan.shards()
                .forEach(shard -> assertEquals(1, nodes(PACKAGE_PER_CPU, shard).size(), plan.describe()));
    }

    /** A square of four nodes: each has two near neighbours, and one behind them. */
    private static Topology square() {
        return Machines.withDistances(
                Machines.regular(4, 1, 1, 2, 1),
                new int[][] {{10, 30, 20, 20}, {30, 10, 20, 20}, {20, 20, 10, 30}, {20, 20, 30, 10}});
    }

    @Test
    void packGoesToTheNearestNodesAndSpreadToTheFarthest() {
        assertEquals(List.of(0, 0, 2, 2), nodesOf("pack", 4));
        assertEquals(List.of(0, 1), nodesOf("spread", 2));
        PlacementPlan wide = plan("pack", square(), 1, 4);
        assertEquals(Set.of(0, 2), nodes(square(), wide.shards().get(0)), wide.describe());
    }

    private static List<Integer> nodesOf(String placement, int shards) {
        List<Integer> nodes = new ArrayList<>();
        plan(placement, square(), shards, 1)
                .shards()
                .forEach(shard -> nodes.addAll(OddMachinesTest.nodes(square(), shard)));
        return nodes;
    }

    /** The second shard would take the sibling of a core of the first, while its own core has a free one. */
    @Test
    void packedShardsShareNoCoreWhileTheirOwnHaveFreeSiblings() {
        Topology machine = Machines.regular(1, 1, 1, 4, 2);
        for (int threads = 1; threads <= 4; threads++) {
            PlacementPlan plan = plan("pack", machine, 2, threads);
            assertFalse(plan.describe().contains("on the core"), plan.describe());
        }
        assertFalse(plan("pack", machine, 4, 2).describe().contains("on the core"));
        assertTrue(plan("pack", machine, 5, 1).describe().contains("on the core"), "five shards on four cores");
    }

    /** POWER7: four hardware threads and an L3 cache for each core. */
    @Test
    void packDoesNotPutFourShardsOnOneCoreBecauseItHasItsOwnCache() {
        Topology machine = Machines.regular(1, 1, 4, 1, 4);
        assertEquals("0[0] 1[1] 2[2] 3[3]", cpus(plan("pack", machine, 4, 1)));
    }

    /** Lakefield: the fast core is the last one. */
    @Test
    void fasterCoresOfAKindComeFirst() {
        Topology machine = Machines.withCapacities(Machines.regular(1, 1, 1, 5, 1), cpu -> cpu == 4 ? 1_024 : 700);
        for (String placement : new String[] {"cores", "pack", "threads", "spread", "smt"}) {
            assertEquals("4[4] 0[0]", cpus(plan(placement, machine, 2, 1)), placement);
        }
    }

    /** numa=fake: each node names all CPUs. */
    @Test
    void memoryOfNodesThatShareCpusIsNotBound() {
        Topology one = Machines.regular(1, 1, 1, 4, 1);
        CpuList all = one.nodes().get(0).cpus();
        List<MemoryNode> fake = List.of(
                new MemoryNode(0, all, 1L << 30, 1L << 30, List.of(10, 10)),
                new MemoryNode(1, all, 1L << 30, 1L << 30, List.of(10, 10)));
        Topology machine = new Topology(one.machine(), one.cpus(), fake, List.of(), List.of());
        for (String placement : new String[] {"cores", "pack", "node", "spread"}) {
            PlacementPlan plan = plan(placement, machine, 1, 1);
            assertEquals(-1, plan.shards().get(0).node(), plan.describe());
            assertEquals(List.of(), plan.warnings());
        }
    }
}
