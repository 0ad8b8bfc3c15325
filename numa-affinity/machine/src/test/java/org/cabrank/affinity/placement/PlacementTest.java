package org.cabrank.affinity.placement;

import static org.cabrank.affinity.placement.Plans.BIG;
import static org.cabrank.affinity.placement.Plans.cpus;
import static org.cabrank.affinity.placement.Plans.fits;
import static org.cabrank.affinity.placement.Plans.plan;
import static org.cabrank.affinity.placement.Plans.refuses;
import static org.cabrank.affinity.placement.Plans.warns;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.List;
import org.cabrank.affinity.CpuList;
import org.cabrank.affinity.limits.ProcessLimits;
import org.cabrank.affinity.topology.Topology;
import org.junit.jupiter.api.Test;

class PlacementTest {
    @Test
    void aShardOnEachCoreLeavesTheSiblingIdle() {
        PlacementPlan plan = plan("cores", BIG, 3, 1);
        fits(plan);
        assertEquals("0[0] 1[1] 2[2]", cpus(plan));
        assertEquals(
                "core 2, L3 1, node 0, package 0; sibling CPU 18 stays idle",
                plan.shards().get(2).why());
    }

    @Test
    void threadsOfAShardOnACoreTakeTurns() {
        assertEquals("0[0, 0, 0]", cpus(plan("cores", BIG, 1, 3)));
    }

    @Test
    void asManyShardsAsThereAreCoresFit() {
        assertEquals(16, plan("cores", BIG, 0, 1).shards().size());
        assertEquals(32, plan("threads", BIG, 0, 1).shards().size());
        assertEquals(16, plan("smt", BIG, 0, 2).shards().size());
        assertEquals(8, plan("l3", BIG, 0, 2).shards().size());
        assertEquals(4, plan("node", BIG, 0, 2).shards().size());
        assertEquals(5, plan("pack", BIG, 0, 3).shards().size());
        assertEquals(8, plan("spread", BIG, 0, 2).shards().size());
        assertEquals(4, plan("0-7", BIG, 0, 2).shards().size());
    }

    @Test
    void moreShardsThanCoresGoOnSiblingsWithAWarning() {
        Topology small = Machines.regular(1, 1, 1, 2, 2);
        PlacementPlan plan = plan("cores", small, 3, 1);
        assertEquals("0[0] 1[1] 2[2]", cpus(plan));
        warns(plan, "3 shards but only 2 cores", "other hardware threads", "ask for 2 shards");
        refuses("cores", small, Machines.unlimited(small), 3, 1, "3 shards but only 2 cores");
    }

    @Test
    void moreShardsThanCpusShareThemInTurn() {
        Topology small = Machines.regular(1, 1, 1, 2, 1);
        for (String placement : new String[] {"cores", "threads", "pack", "spread", "0-1", "smt"}) {
            PlacementPlan plan = plan(placement, small, 3, 1);
            assertEquals("0[0] 1[1] 0[0]", cpus(plan), placement);
            warns(plan, "3 shards");
            refuses(placement, small, Machines.unlimited(small), 3, 1, "3 shards");
        }
    }

    @Test
    void smtGivesAShardAllHardwareThreadsOfACore() {
        PlacementPlan plan = plan("smt", BIG, 2, 2);
        fits(plan);
        assertEquals("0,16[0, 16] 1,17[1, 17]", cpus(plan));
    }

    @Test
    void threadsFillEveryCoreBeforeTheFirstSibling() {
        Topology small = Machines.regular(1, 1, 1, 2, 2);
        assertEquals("0[0] 1[1] 2[2]", cpus(plan("threads", small, 3, 1)));
    }

    @Test
    void aShardOfAnL3DomainMayRunAllOverIt() {
        PlacementPlan plan = plan("l3", BIG, 2, 1);
        fits(plan);
        assertEquals("0-1,16-17[0-1,16-17] 2-3,18-19[2-3,18-19]", cpus(plan));
        assertEquals(
                "all 4 CPUs of L3 1, node 0, package 0 that may be used",
                plan.shards().get(1).why());
    }

    @Test
    void nodeCountsAsL3IfNoneIsShown() {
        Topology arm = Machines.withoutL3(Machines.regular(2, 1, 1, 4, 1));
        PlacementPlan plan = plan("l3", arm, 2, 1);
        assertEquals("0-3[0-3] 4-7[4-7]", cpus(plan));
        warns(plan, "shows no L3 cache", "node");
        refuses("l3", arm, Machines.unlimited(arm), 2, 1, "shows no L3 cache");
    }

    @Test
    void aShardOfANodeMayRunAllOverItAndHasItsMemory() {
        PlacementPlan plan = plan("node", BIG, 4, 3);
        fits(plan);
        assertEquals("12-15,28-31", plan.shards().get(3).cpus().toString());
        assertEquals(3, plan.shards().get(3).node());
    }

    @Test
    void moreShardsThanNodesShareThem() {
        PlacementPlan plan = plan("node", BIG, 5, 1);
        assertEquals(plan.shards().get(0).cpus(), plan.shards().get(4).cpus());
        warns(plan, "5 shards but only 4 nodes");
    }

    /** The scheduler does not balance over isolated CPUs: all of them would stay on the first. */
    @Test
    void threadsOnIsolatedCpusOfADomainAreHeldToOneEach() {
        Topology machine = Machines.isolating(Machines.regular(1, 1, 1, 2, 1), "0-1");
        assertEquals("0-1[0, 1]", cpus(plan("l3", machine, Machines.allowed(machine, "0-1"), 1, 2)));
    }

    @Test
    void packFillsAnL3DomainBeforeTheNext() {
        PlacementPlan plan = plan("pack", BIG, 3, 2);
        fits(plan);
        assertEquals("0,16[0, 16] 1,17[1, 17] 2-3[2, 3]", cpus(plan));
    }

    @Test
    void spreadAlternatesAmongPackagesNodesAndL3Domains() {
        PlacementPlan plan = plan("spread", BIG, 8, 1);
        fits(plan);
        assertEquals("0[0] 8[8] 4[4] 12[12] 2[2] 10[10] 6[6] 14[14]", cpus(plan));
    }

    @Test
    void spreadKeepsTheThreadsOfAShardTogether() {
        assertEquals("0-1[0, 1] 8-9[8, 9] 4-5[4, 5] 12-13[12, 13]", cpus(plan("spread", BIG, 4, 2)));
    }

    @Test
    void threadsOfAShardShareTheSiblingsOfACoreBeforeTheyTakeThoseOfAnotherShard() {
        Topology small = Machines.regular(1, 1, 1, 4, 2);
        for (String placement : new String[] {"pack", "spread", "nic:eth0"}) {
            Topology machine = Machines.withInterface(small, "eth0", 0);
            assertEquals("0,4[0, 4] 1,5[1, 5] 2,6[2, 6] 3,7[3, 7]", cpus(plan(placement, machine, 4, 2)), placement);
            assertEquals("0,4[0, 4] 1,5[1, 5] 2-3[2, 3]", cpus(plan(placement, machine, 3, 2)), placement);
            assertEquals("0-1[0, 1] 2-3[2, 3]", cpus(plan(placement, machine, 2, 2)), placement);
        }
        Topology isolated = Machines.isolating(small, "1-2,5-6");
        assertEquals("1,5[1, 5] 2,6[2, 6]", cpus(plan("isolated", isolated, 2, 2)));
    }

    @Test
    void fastCoresAreTakenBeforeSlowOnesAndSlowOnesBeforeSiblings() {
        Topology laptop = Machines.hybrid(Machines.regular(1, 1, 1, 4, 2), "0,4");
        assertEquals("1[1] 2[2] 3[3] 0[0] 5[5]", cpus(plan("threads", laptop, 5, 1)));
        assertEquals("1[1] 2[2] 3[3] 0[0]", cpus(plan("cores", laptop, 4, 1)));
        assertEquals("1[1] 2[2] 3[3] 0[0] 5[5]", cpus(plan("pack", laptop, 5, 1)));
        assertEquals("1[1] 2[2] 3[3] 0[0] 5[5]", cpus(plan("spread", laptop, 5, 1)));
    }

    @Test
    void isolatedCpusAreUsedThoughNoProcessHasThemInItsMask() {
        Topology machine = Machines.isolating(BIG, "6-7,22-23");
        PlacementPlan plan = plan("isolated", machine, 2, 1);
        fits(plan);
        assertEquals("6[6] 7[7]", cpus(plan));
        assertTrue(plan.shards().get(0).why().contains("isolated"), plan.describe());
    }

    @Test
    void isolatedCoresAreAllTakenBeforeTheirSiblings() {
        Topology machine = Machines.isolating(Machines.regular(1, 2, 1, 2, 2), "0,2,4,6");
        assertEquals("0[0] 2[2] 4[4] 6[6]", cpus(plan("isolated", machine, 4, 1)));
    }

    @Test
    void withoutIsolatedCpusOthersAreTakenWithAWarning() {
        PlacementPlan plan = plan("isolated", BIG, 2, 1);
        assertEquals("0[0] 1[1]", cpus(plan));
        warns(plan, "no isolated CPU", "isolcpus=");
        refuses("isolated", BIG, Machines.unlimited(BIG), 2, 1, "no isolated CPU");
    }

    @Test
    void isolatedCpusOutsideTheCpusetAreNotUsed() {
        Topology machine = Machines.isolating(Machines.regular(1, 1, 1, 4, 1), "2-3");
        ProcessLimits all = Machines.unlimited(machine);
        ProcessLimits fenced = new ProcessLimits(
                all.affinityMask(),
                CpuList.parse("0-2"),
                all.cpusetMems(),
                all.cpuQuota(),
                4,
                all.usable(),
                CpuList.of(),
                CpuList.of(),
                List.of());
        assertEquals("2[2]", cpus(plan("isolated", machine, fenced, 1, 1)));
        warns(plan("2-3", machine, fenced, 1, 2), "CPU 3 is outside this process's cpuset", "only 2 of the list 2-3");
    }

    @Test
    void interruptedCpusOfTheInterfacesNodeComeLast() {
        Topology machine = Machines.withInterface(Machines.regular(2, 1, 1, 4, 1), "eth0", 1, "4", "5");
        PlacementPlan plan = plan("nic:eth0", machine, 3, 1);
        fits(plan);
        assertEquals("6[6] 7[7] 4[4]", cpus(plan));
        assertTrue(plan.shards().get(0).why().endsWith("beside eth0"), plan.describe());
        assertTrue(plan.shards().get(2).why().endsWith("serves interrupts of eth0"), plan.describe());
    }

    @Test
    void siblingsOfInterruptedCpusComeAfterOtherCores() {
        Topology machine = Machines.withInterface(Machines.regular(2, 1, 1, 2, 2), "eth0", 1, "2");
        assertEquals("3[3] 7[7] 6[6] 2[2]", cpus(plan("nic:eth0", machine, 4, 1)));
    }

    @Test
    void anInterruptThatMayGoAnywhereSpeaksAgainstNoCpu() {
        Topology machine = Machines.withInterface(Machines.regular(2, 1, 1, 2, 1), "eth0", 1, "0-3");
        PlacementPlan plan = plan("nic:eth0", machine, 1, 1);
        assertEquals("2[2]", cpus(plan));
        assertTrue(plan.shards().get(0).why().endsWith("beside eth0"), plan.describe());
    }

    @Test
    void shardsThatDoNotFitBesideTheInterfaceGoToTheNearestNode() {
        Topology machine = Machines.withInterface(Machines.regular(2, 2, 1, 2, 1), "eth0", 3);
        PlacementPlan plan = plan("nic:eth0", machine, 3, 1);
        assertEquals("6[6] 7[7] 4[4]", cpus(plan));
        warns(plan, "node 3, where eth0 is, has only 2 CPUs", "nearest others");
        assertTrue(plan.shards().get(2).why().endsWith("eth0 is on node 3"), plan.describe());
        warns(plan("nic:eth0", machine, Machines.allowed(machine, "0-1"), 1, 1), "may use no CPU of node 3");
    }

    @Test
    void anUnknownInterfaceIsNamedWithThoseThatThereAre() {
        Topology machine = Machines.withInterface(BIG, "eth0", 1);
        warns(plan("nic:eth9", machine, 1, 1), "no network interface eth9", "eth0");
        refuses("nic:eth9", machine, Machines.unlimited(machine), 1, 1, "no network interface eth9");
        warns(plan("nic:lo", Machines.withInterface(BIG, "lo", -1), 1, 1), "on which node lo is");
    }

    @Test
    void anIsolatedCpuMayBeNamedThoughItIsNotInTheMask() {
        Topology machine = Machines.isolating(BIG, "5");
        PlacementPlan plan = plan("5", machine, 1, 1);
        fits(plan);
        assertEquals("5[5]", cpus(plan));
    }

    @Test
    void aQuotaBelowTheShardsIsSaidAndLimitsWhatFits() {
        ProcessLimits limits = Machines.limits(BIG, "0-15", 2.5);
        assertEquals(2, plan("cores", BIG, limits, 0, 1).shards().size());
        fits(plan("cores", BIG, limits, 2, 1));
        warns(
                plan("cores", BIG, limits, 3, 1),
                "the time of 2.5 CPUs",
                "3 shards",
                "stops them all",
                "ask for 2 shards");
        refuses("cores", BIG, limits, 3, 1, "the time of 2.5 CPUs");
    }

    @Test
    void onlyCpusOfTheMaskAreUsed() {
        ProcessLimits limits = Machines.allowed(BIG, "5-6,21");
        assertEquals("5[5] 6[6]", cpus(plan("cores", BIG, limits, 2, 1)));
        assertEquals("5,21[5,21] 6[6]", cpus(plan("l3", BIG, limits, 2, 1)));
        assertTrue(plan("cores", BIG, limits, 2, 1).shards().get(1).why().endsWith("may be busy with other processes"));
    }

    @Test
    void nothingIsPinnedWhereNothingIsAskedFor() {
        PlacementPlan plan = plan("none", BIG, 40, 1);
        fits(plan);
        assertTrue(plan.cpus().isEmpty());
        assertEquals(-1, plan.shards().get(0).node());
    }

    @Test
    void shardsOfANodeWithoutMemoryGetTheNearest() {
        Topology machine = Machines.withoutMemory(BIG, 1);
        assertEquals(0, plan("node", machine, 4, 1).shards().get(3).node());
        ProcessLimits limits = new ProcessLimits(
                CpuList.parse("0-15"),
                CpuList.parse("0-15"),
                CpuList.parse("2-3"),
                Double.POSITIVE_INFINITY,
                16,
                CpuList.parse("0-15"),
                CpuList.of(),
                CpuList.of(),
                List.of());
        assertEquals(2, plan("node", BIG, limits, 1, 1).shards().get(0).node());
    }

    @Test
    void withNoUsableCpuNothingIsPinned() {
        for (String placement : new String[] {"cores", "threads", "pack", "spread", "l3", "node", "smt"}) {
            PlacementPlan plan = plan(placement, BIG, Machines.allowed(BIG, ""), 2, 1);
            assertEquals(2, plan.shards().size(), placement);
            assertTrue(plan.cpus().isEmpty(), placement);
            warns(plan, "no CPU is known");
        }
    }
}
