package org.cabrank.affinity.placement;

import static org.cabrank.affinity.placement.Plans.cpus;
import static org.cabrank.affinity.placement.Plans.fits;
import static org.cabrank.affinity.placement.Plans.plan;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import org.cabrank.affinity.topology.Topology;
import org.junit.jupiter.api.Test;

/** Shards near a network interface: node 1 has cores 4 to 7, whose hardware threads are CPUs 4-7 and 12-15. */
class NearInterfaceTest {
    private static final Topology TWO_NODES = Machines.regular(2, 1, 1, 4, 2);

    private static void contains(String text, String... words) {
        for (String word : words) {
            assertTrue(text.contains(word), text);
        }
    }

    @Test
    void asManyShardsAsCoresWithoutInterruptsAreTheDefault() {
        PlacementPlan plan = plan("nic:eth0", Machines.withInterface(TWO_NODES, "eth0", 1, "4", "13"), 0, 1);
        fits(plan);
        assertEquals("6[6] 7[7]", cpus(plan));
        contains(plan.summary(), "near eth0", "2 cores of node 1 are left to its interrupts");
    }

    @Test
    void aShardOnEachCoreIsTheDefaultWhereEveryCoreServesInterrupts() {
        Topology machine = Machines.withInterface(TWO_NODES, "eth0", 1, "4", "5", "6,14", "15");
        PlacementPlan plan = plan("nic:eth0", machine, 0, 1);
        fits(plan);
        assertEquals("6[6] 7[7] 12[12] 13[13]", cpus(plan), "hardware threads beside those that serve interrupts");
        contains(plan.summary(), "every core of node 1 serves its interrupts");
        assertTrue(plan.shards().get(0).why().endsWith("serves interrupts of eth0"), plan.describe());
        assertTrue(plan.shards().get(1).why().endsWith("its core serves interrupts of eth0"), plan.describe());
    }

    @Test
    void aShardOnEachCoreIsTheDefaultWithoutInterrupts() {
        PlacementPlan plan = plan("nic:eth0", Machines.withInterface(TWO_NODES, "eth0", 1), 0, 1);
        assertEquals("4[4] 5[5] 6[6] 7[7]", cpus(plan));
        assertFalse(plan.summary().contains("interrupts"), plan.summary());
    }

    @Test
    void coresOfAllCachesComeBeforeSecondHardwareThreads() {
        Topology machine = Machines.withInterface(Machines.regular(2, 1, 2, 2, 2), "eth0", 1);
        assertEquals("4[4] 5[5] 6[6] 7[7]", cpus(plan("nic:eth0", machine, 0, 1)));
    }

    @Test
    void aShardThatSharesACoreWithAnotherOneOrWithInterruptsIsMarked() {
        PlacementPlan plan = plan("nic:eth0", Machines.withInterface(TWO_NODES, "eth0", 1, "4"), 8, 1);
        fits(plan);
        assertEquals("5[5] 6[6] 7[7] 13[13] 14[14] 15[15] 12[12] 4[4]", cpus(plan));
        contains(plan.shards().get(3).why(), "on the core of shard 0");
        contains(plan.shards().get(6).why(), "its core serves interrupts of eth0");
        contains(plan.shards().get(7).why(), "on the core of shard 6", "serves interrupts of eth0");
    }
}
