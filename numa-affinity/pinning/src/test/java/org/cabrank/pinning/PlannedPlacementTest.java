package org.cabrank.pinning;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.ArrayList;
import java.util.List;
import org.cabrank.affinity.CpuList;
import org.cabrank.affinity.fixture.SimulatedCpus;
import org.cabrank.affinity.fixture.SimulatedNodes;
import org.cabrank.affinity.placement.PlacementPlan;
import org.cabrank.affinity.placement.ShardPlace;
import org.cabrank.affinity.topology.MachineInfo;
import org.cabrank.affinity.topology.MemoryNode;
import org.cabrank.affinity.topology.Topology;
import org.cabrank.kernel.Errno;
import org.cabrank.kernel.Kernels;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** A plan of two shards on two nodes, in a kernel whose CPUs come and go; each test is the thread itself. */
class PlannedPlacementTest {
    private final List<String> lost = new ArrayList<>();
    private SimulatedCpus cpus;
    private SimulatedNodes nodes;

    @BeforeEach
    void haveTwoNodesOfTwoCpus() throws Exception {
        cpus = new SimulatedCpus(Kernels.system(), 8, CpuList.parse("0-3"));
        nodes = new SimulatedNodes(cpus, CpuList.parse("0-1"));
        nodes.statuses = new int[] {1};
    }

    private static ShardPlace shard(int number, int first) {
        return new ShardPlace(
                number,
                CpuList.of(first, first + 1),
                List.of(CpuList.of(first), CpuList.of(first + 1)),
                number,
                "by hand");
    }

    private PlannedPlacement placement(boolean strict, int nodesOfTheMachine) {
        List<MemoryNode> all = List.of(
                new MemoryNode(0, CpuList.parse("0-1"), -1, -1, List.of(10, 20)),
                new MemoryNode(1, CpuList.parse("2-3"), -1, -1, List.of(20, 10)));
        Topology topology = new Topology(
                new MachineInfo("", "", ""), List.of(), all.subList(0, nodesOfTheMachine), List.of(), List.of());
        PlacementPlan plan = new PlacementPlan("0-3", "by hand", List.of(shard(0, 0), shard(1, 2)), List.of(), false);
        PlannedPlacement placement = new PlannedPlacement(plan, strict, nodes, topology);
        placement.whenLost(lost::add);
        return placement;
    }

    private CpuList mask() {
        return cpus.maskOf(cpus.gettid());
    }

    @Test
    void threadIsPinnedAndWatched() {
        PlannedPlacement placement = placement(true, 2);
        placement.place(1, 1);
        assertEquals(CpuList.of(3), mask());
        cpus.online(CpuList.parse("0-2"));
        placement.check();
        assertEquals(CpuList.of(2), mask(), "the rest of its shard's");
        assertEquals(1, lost.size());
        assertTrue(lost.get(0).contains("was to run on CPU 3: "), lost.get(0));
    }

    @Test
    void threadWhoseCpuIsGoneIsRefusedWhereStrictOnly() {
        cpus.online(CpuList.parse("0-2"));
        assertThrows(PlacementRefusedException.class, () -> placement(true, 2).place(1, 1));
        assertEquals(CpuList.parse("0-2"), mask());
        placement(false, 2).place(1, 1);
        assertEquals(CpuList.of(2), mask());
        assertEquals(List.of(), lost);
    }

    @Test
    void sharedMemoryIsAllocatedOnTheCpusAndNodeOfTheThreads() {
        placement(true, 2).prepare(1);
        assertEquals(CpuList.parse("2-3"), mask());
        assertEquals(List.of("preferred:1"), nodes.set);
    }

    @Test
    void nodeThatIsFullIsFoundOut() {
        nodes.statuses = new int[] {1, 1, 0};
        PlacementRefusedException full = assertThrows(
                PlacementRefusedException.class, () -> placement(true, 2).prepare(1));
        assertEquals(
                "the memory of shard 1: memory was to come from node 1, but of 16 pages there are 5 pages on node 0, 11 pages on node 1:"
                        + " the node has none left",
                full.getMessage());
        placement(false, 2).prepare(1);
    }

    @Test
    void forbiddenMemoryPolicyIsRefusedWhereStrictOnly() {
        nodes.errno = Errno.EPERM;
        PlacementRefusedException forbidden = assertThrows(
                PlacementRefusedException.class, () -> placement(true, 2).prepare(1));
        assertTrue(forbidden.getMessage().contains("EPERM"), forbidden::getMessage);
        placement(false, 2).prepare(1);
        assertEquals(CpuList.parse("2-3"), mask());
    }

    @Test
    void shardWhoseCpusAreGoneHasItsMemoryOnItsNode() {
        cpus.online(CpuList.parse("0-1"));
        assertThrows(PlacementRefusedException.class, () -> placement(true, 2).prepare(1));
        assertEquals(List.of(), nodes.set);
        placement(false, 2).prepare(1);
        assertEquals(List.of("preferred:1"), nodes.set);
    }

    @Test
    void machineOfOneNodeIsAskedForNoPolicy() {
        nodes.errno = Errno.EPERM;
        placement(true, 1).prepare(1);
        assertEquals(List.of(), nodes.set);
    }
}
