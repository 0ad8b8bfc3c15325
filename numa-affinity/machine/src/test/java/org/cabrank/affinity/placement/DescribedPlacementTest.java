package org.cabrank.affinity.placement;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;

import java.nio.file.Path;
import java.util.List;
import java.util.stream.Collectors;
import org.cabrank.affinity.CpuList;
import org.cabrank.affinity.fixture.DescribedMachine;
import org.cabrank.affinity.fixture.InMemory;
import org.cabrank.affinity.fixture.MachineFixture;
import org.cabrank.affinity.limits.ProcessLimits;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Placements on machines that are described by short texts. */
@Tag("newest") // on an older JDK in a soak only
class DescribedPlacementTest {
    @TempDir(factory = InMemory.class)
    private Path directory;

    private PlacementPlan plan(DescribedMachine described, String placement, int shards, int threads) {
        MachineFixture machine = described.in(directory);
        return Plans.plan(placement, machine.topology(), machine.limits(), shards, threads);
    }

    private static String cpus(PlacementPlan plan) {
        return plan.shards().stream().map(shard -> shard.cpus().toString()).collect(Collectors.joining(" "));
    }

    @Test
    void packTakesPerformanceCoresFirstAndLowPowerCoresLast() {
        assertEquals(
                "0 2 4 6 8 10 12 13 14 15 16 17 18 19 1 3 5 7 9 11 20 21",
                cpus(plan(DescribedMachine.METEOR_LAKE, "pack", 22, 1)));
    }

    @Test
    void isolatedFallsBackToPerformanceCores() {
        assertEquals("0 2 4", cpus(plan(DescribedMachine.METEOR_LAKE, "isolated", 3, 1)));
    }

    @Test
    void nearAnUnknownInterfacePerformanceCoresAreTaken() {
        assertEquals("0 2 4", cpus(plan(DescribedMachine.METEOR_LAKE, "nic:eth0", 3, 1)));
    }

    @Test
    void packTakesTheLargeCoreOfAPhoneFirst() {
        assertEquals("7 4 5 6 0 1 2 3", cpus(plan(DescribedMachine.PHONE, "pack", 8, 1)));
    }

    @Test
    void packTakesLargeCoresFirstWithoutL3() {
        assertEquals("8 9 0 1", cpus(plan(DescribedMachine.PHONE_WITHOUT_L3, "pack", 4, 1)));
    }

    @Test
    void packKeepsCoresOfOneKindTogether() {
        assertEquals("0 1 2 3 12 13 14 15 4", cpus(plan(DescribedMachine.STRIX_POINT, "pack", 9, 1)));
    }

    @Test
    void spreadTakesLowPowerCoresAfterEfficiencyCores() {
        assertEquals(
                "0 2 4 6 8 10 12 16 13 17 14 18 15 19 20 21 1",
                cpus(plan(DescribedMachine.METEOR_LAKE, "spread", 17, 1)));
    }

    @Test
    void spreadTakesACoreOfEachClusterFirst() {
        PlacementPlan plan = plan(DescribedMachine.ALTRA_MAX, "spread", 66, 1);
        assertEquals("0 2 4 6", cpus(plan).substring(0, 7));
        assertEquals("126", plan.shards().get(63).cpus().toString());
        assertEquals("1", plan.shards().get(64).cpus().toString());
    }

    @Test
    void threadsOfAShardShareACluster() {
        assertEquals("0-1 2-3 4-5", cpus(plan(DescribedMachine.ALTRA_MAX, "spread", 3, 2)));
        assertEquals("8-9 0-1 4-5", cpus(plan(DescribedMachine.PHONE_WITHOUT_L3, "spread", 3, 2)));
    }

    @Test
    void packGivesEachShardCoresOfOneKindAndItsOwnSiblings() {
        assertEquals("0-3 4-7 8-11 12-15", cpus(plan(DescribedMachine.METEOR_LAKE, "pack", 4, 4)));
    }

    @ParameterizedTest
    @CsvSource({
        "pack, 3, 2, '0,2 4,6 8,10'",
        "pack, 4, 2, 0-1 2-3 4-5 6-7",
        "pack, 7, 2, 0-1 2-3 4-5 6-7 8-9 10-11 12-13",
        "pack, 3, 3, '0-2 4-6 8-10'",
        "spread, 4, 2, 0-1 2-3 4-5 6-7",
        "spread, 8, 2, 0-1 2-3 4-5 6-7 8-9 10-11 12-13 16-17",
        "pack, 7, 1, 0 2 4 6 8 10 12"
    })
    void threadsOfAShardShareFastCoresBeforeTheyUseSlowerOnes(
            String placement, int shards, int threads, String expected) {
        assertEquals(expected, cpus(plan(DescribedMachine.METEOR_LAKE, placement, shards, threads)));
    }

    @Test
    void denseCoresWithSmtAreUsedAfterAllThreadsOfTheFastOnes() {
        assertEquals("0,12 1,13 2,14 3,15 4-5 6-7", cpus(plan(DescribedMachine.STRIX_POINT, "pack", 6, 2)));
    }

    @Test
    void shardsThatTheFastCoresCannotTakeFillTheMachine() {
        // Eleven shards of two threads are as many as there are CPUs.
        PlacementPlan plan = plan(DescribedMachine.METEOR_LAKE, "pack", 11, 2);
        assertEquals("0-21", plan.cpus().toString());
        assertEquals(
                22,
                plan.shards().stream().mapToInt(shard -> shard.cpus().size()).sum());
    }

    @Test
    void shardsOfAnLxcfsContainerArePinnedWithinTheMask() {
        PlacementPlan plan = plan(DescribedMachine.LXCFS_CONTAINER, "cores", 0, 1);
        assertEquals("8 9", cpus(plan));
        assertEquals(List.of(), plan.warnings());
    }

    @Test
    void cpusOfAnIsolatedPartitionAreIsolated() {
        PlacementPlan plan = plan(DescribedMachine.ISOLATED_PARTITION, "isolated", 0, 1);
        assertEquals("4 5 6 7", cpus(plan));
        assertEquals(List.of(), plan.warnings());
        assertEquals(
                "core 4, L3 0, node 0, package 0; isolated",
                plan.shards().get(0).why());
    }

    @Test
    void threadsOfANodeInAnIsolatedPartitionAreHeldToOneCpuEach() {
        PlacementPlan plan = plan(DescribedMachine.ISOLATED_PARTITION, "node", 1, 2);
        assertEquals("[4, 5]", plan.shards().get(0).threads().toString());
    }

    @Test
    void reservedCpusOfAnIsolatedPartitionAreNotUsed() {
        MachineFixture machine = DescribedMachine.ISOLATED_PARTITION.in(directory);
        ProcessLimits limits = machine.limits();
        ProcessLimits left = limits.withUsable(limits.usable().without(CpuList.parse("4,20")));
        assertEquals("5 6 7", cpus(Plans.plan("isolated", machine.topology(), left, 0, 1)));
    }

    @Test
    void planThatMixesKindsOfCoresIsSaid() {
        Plans.warns(
                plan(DescribedMachine.METEOR_LAKE, "cores", 0, 1),
                "mixes kinds of cores",
                "shards 0-5 on performance cores, shards 6-13 on efficiency cores, shards 14-15 on low-power cores",
                "ask for cores:performance");
    }

    @Test
    void shardThatFloatsOverKindsOfCoresIsSaid() {
        Plans.warns(
                plan(DescribedMachine.METEOR_LAKE, "node", 1, 2),
                "shard 0 on performance and efficiency and low-power cores",
                "ask for node:performance");
    }

    @Test
    void coresOfOneKindAreChosen() {
        PlacementPlan plan = plan(DescribedMachine.METEOR_LAKE, "cores:performance", 0, 1);
        assertEquals("0 2 4 6 8 10", cpus(plan));
        assertEquals(List.of(), plan.warnings());
        assertEquals("cores:performance", plan.placement());
        assertEquals(
                "placement cores:performance: 6 shards, a core for each shard,"
                        + " its other hardware threads left idle",
                plan.summary());
    }

    @Test
    void lowPowerCoresAreChosenAsOneNode() {
        assertEquals("20-21", cpus(plan(DescribedMachine.METEOR_LAKE, "node:low-power", 0, 1)));
    }

    @Test
    void denseCoresShowInTheirMaximumFrequency() {
        assertEquals("4 5 6 7 8 9 10 11", cpus(plan(DescribedMachine.STRIX_POINT, "cores:efficiency", 0, 1)));
    }

    @Test
    void slowCoresWithoutL3AreNoL3Domain() {
        PlacementPlan plan = plan(DescribedMachine.METEOR_LAKE, "l3", 0, 1);
        assertEquals("0-19", cpus(plan));
        assertEquals(
                "CPU 20-21 (low-power cores) is outside every L3 cache, and is left out; ask for node, or name CPUs in a"
                        + " list, to use these cores",
                plan.warnings().get(0));
        assertFalse(plan.compromised());
    }

    @Test
    void slowCoresWithoutL3CanBeAskedFor() {
        assertEquals("20-21", cpus(plan(DescribedMachine.METEOR_LAKE, "l3:low-power", 0, 1)));
    }

    @Test
    void smallCoresOfAPhoneAreNoL3Domain() {
        assertEquals("4-7", cpus(plan(DescribedMachine.PHONE, "l3", 0, 1)));
    }

    @Test
    void isolatedShardsThatShareCoresAreNamed() {
        PlacementPlan plan = plan(DescribedMachine.ISOLATED_PARTITION, "isolated", 6, 1);
        assertEquals("4 5 6 7 20 21", cpus(plan));
        Plans.warns(
                plan,
                "there are 6 shards but only 4 isolated cores: shards 4-5 run on hardware threads of cores that other"
                        + " shards use",
                "ask for 4 shards");
        assertFalse(plan.compromised());
        assertEquals(
                "core 4, L3 0, node 0, package 0; on the core of shard 0; isolated",
                plan.shards().get(4).why());
    }

    @Test
    void isolatedShardWhoseThreadsShareACoreIsAsAskedFor() {
        Plans.fits(plan(DescribedMachine.ISOLATED_PARTITION, "isolated", 4, 2));
    }

    @Test
    void hostOfAContainerIsNamedToIsolateCpus() {
        Plans.warns(
                plan(DescribedMachine.DOCKER_CONTAINER, "isolated", 2, 1),
                "no isolated CPU that this process may use",
                "holds this process to CPU 0-3,16-19: whoever runs the host must isolate CPUs (isolcpus=LIST) and give",
                "cpuset.cpus.partition");
    }

    @Test
    void kernelParameterIsRecommendedToAProcessWithoutACpuset() {
        Plans.warns(
                plan(DescribedMachine.ALTRA_MAX, "isolated", 2, 1),
                "isolate some with the kernel's parameter isolcpus=LIST (that of the host, for a container)");
    }

    @Test
    void coresThatAreAllAlikeArePerformanceCores() {
        Plans.fits(plan(DescribedMachine.ALTRA_MAX, "cores:performance", 2, 1));
        Plans.warns(plan(DescribedMachine.ALTRA_MAX, "cores:efficiency", 2, 1), "no efficiency core", "ask for cores");
    }
}
