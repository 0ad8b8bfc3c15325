package org.cabrank.affinity.placement;

import static org.cabrank.affinity.placement.Plans.BIG;
import static org.cabrank.affinity.placement.Plans.cpus;
import static org.cabrank.affinity.placement.Plans.plan;
import static org.cabrank.affinity.placement.Plans.refuses;
import static org.cabrank.affinity.placement.Plans.warns;
import static org.junit.jupiter.api.Assertions.assertEquals;

import java.util.List;
import org.cabrank.affinity.limits.ProcessLimits;
import org.cabrank.affinity.topology.Topology;
import org.junit.jupiter.api.Test;

/** CPUs that the user names. */
class ListedTest {
    @Test
    void listedCpusAreSharedOutAmongShards() {
        assertEquals("0[0] 1[1]", cpus(plan("0,1", BIG, 2, 1)));
        assertEquals("0[0, 0, 0] 1[1, 1, 1]", cpus(plan("0,1", BIG, 2, 3)));
        assertEquals("0-1[0, 1] 2-3[2, 3]", cpus(plan("0-3", BIG, 2, 2)));
        assertEquals("0[0, 0] 1-2[1, 2]", cpus(plan("0-2", BIG, 2, 2)));
        assertEquals("0[0] 1[1]", cpus(plan("0-7", BIG, 2, 1)));
    }

    @Test
    void threadsOfOneShardTakeListedCpusInTurn() {
        assertEquals("3,5[3, 5, 3]", cpus(plan("3,5", BIG, 1, 3)));
    }

    @Test
    void listedCpusThatCannotBeUsedAreNamedWithTheReason() {
        Topology machine = Machines.offline(Machines.regular(1, 1, 1, 4, 1), "3");
        ProcessLimits limits = Machines.allowed(machine, "0-1");
        PlacementPlan plan = plan("1-4", machine, limits, 1, 1);
        assertEquals("1[1]", cpus(plan));
        assertEquals(
                List.of(
                        "CPU 4 does not exist on this machine: only 1 of the list 1-4 is used; this process may use 0-1",
                        "CPU 3 is offline: only 1 of the list 1-4 is used; this process may use 0-1",
                        "CPU 2 is outside this process's affinity mask: only 1 of the list 1-4 is used; this process may"
                                + " use 0-1"),
                plan.warnings());
        refuses("4", machine, limits, 1, 1, "CPU 4 does not exist on this machine; this process may use 0-1");
        refuses("3", machine, limits, 1, 1, "CPU 3 is offline");
        refuses("2", machine, limits, 1, 1, "CPU 2 is outside this process's affinity mask");
    }

    @Test
    void whenNoListedCpuCanBeUsedNothingIsPinned() {
        PlacementPlan plan = plan("100", BIG, 1, 2);
        assertEquals("[, ]", cpus(plan));
        warns(plan, "CPU 100 does not exist", "nothing is pinned");
    }
}
