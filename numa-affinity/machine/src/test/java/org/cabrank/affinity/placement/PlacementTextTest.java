package org.cabrank.affinity.placement;

import static org.cabrank.affinity.placement.Plans.BIG;
import static org.cabrank.affinity.placement.Plans.plan;
import static org.cabrank.affinity.placement.Plans.warns;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.stream.Stream;
import org.cabrank.affinity.topology.Topology;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;
import org.junit.jupiter.params.provider.ValueSource;

/** Texts of placements and plans, written and parsed. */
class PlacementTextTest {
    @Test
    void thePlanIsReadable() {
        assertEquals("""
                placement 0-1: 2 shards x 2 threads, CPUs named by the user
                  shard 0  CPU 0  node 0  named by the user: core 0, L3 0, node 0, package 0
                  shard 1  CPU 1  node 0  named by the user: core 1, L3 0, node 0, package 0
                """, plan("0-1", BIG, 2, 2).describe());
    }

    @Test
    void manyShardsShareTheLinesOfTheirNodes() {
        assertEquals("""
                placement threads: 32 shards, a hardware thread for each shard
                  shards 0-3,16-19    CPU 0-3,16-19    node 0  8 shards, 1 CPU each
                  shards 4-7,20-23    CPU 4-7,20-23    node 1  8 shards, 1 CPU each
                  shards 8-11,24-27   CPU 8-11,24-27   node 2  8 shards, 1 CPU each
                  shards 12-15,28-31  CPU 12-15,28-31  node 3  8 shards, 1 CPU each
                """, plan("threads", BIG, 0, 1).describe(4));
        assertEquals("""
                placement threads: 32 shards, a hardware thread for each shard
                  shards 0-3,16-19  CPU 0-3,16-19  node 0  8 shards, 1 CPU each
                  shards 4-7,20-23  CPU 4-7,20-23  node 1  8 shards, 1 CPU each
                  ... and 16 more shards
                """, plan("threads", BIG, 0, 1).describe(3));
        assertEquals(
                plan("threads", BIG, 0, 1).describe(),
                plan("threads", BIG, 0, 1).describe(32));
    }

    @Test
    void aPlanHasNoMoreShardsThanAreAccepted() {
        Topology machine = Machines.regular(8, 1, 16, 8, 2);
        assertEquals(
                Placement.SHARDS_MAX, plan("threads", machine, 0, 1).shards().size());
        assertEquals(
                Placement.SHARDS_MAX,
                plan("threads", machine, Placement.SHARDS_MAX, 1).shards().size());
        assertThrows(IllegalArgumentException.class, () -> plan("threads", machine, Placement.SHARDS_MAX + 1, 1));
    }

    @Test
    void unevenDomainsAreMentioned() {
        Topology machine = Machines.offline(BIG, "1,17");
        assertTrue(
                plan("l3", machine, 0, 1).summary().endsWith(", which are uneven: 2 to 4 CPUs that may be used"),
                plan("l3", machine, 0, 1).summary());
        assertFalse(plan("l3", BIG, 0, 1).summary().contains("uneven"));
    }

    @Test
    void aMachineWithoutNetworkInterfacesSaysSo() {
        warns(plan("nic:eth0", BIG, 1, 1), "no network interface eth0", "shows no network interface at all");
    }

    static Stream<String> texts() {
        return Stream.concat(
                Placement.values().stream().map(Placement::toString),
                Stream.of("nic:eth0", "cores:performance", "l3:low-power", "0-3,8"));
    }

    @ParameterizedTest
    @MethodSource("texts")
    void aPlacementIsWrittenAsItIsRead(String text) {
        assertEquals(text, Placement.parse(text).toString());
        assertEquals(Placement.parse(text), Placement.parse(text));
    }

    @ParameterizedTest
    @ValueSource(strings = {"", "core", "nic:", "CORES", "nic"})
    void unknownPlacementIsRefusedWithTheValidOnes(String text) {
        IllegalArgumentException wrong = assertThrows(IllegalArgumentException.class, () -> Placement.parse(text));
        assertTrue(wrong.getMessage().contains("right would be none, cores, smt"), wrong.getMessage());
    }

    @ParameterizedTest
    @ValueSource(strings = {"none:performance", "isolated:efficiency", "cores:performance:middle", "cores:uniform"})
    void placementThatTakesNoKindOfCoresIsRefused(String text) {
        IllegalArgumentException wrong = assertThrows(IllegalArgumentException.class, () -> Placement.parse(text));
        assertTrue(wrong.getMessage().contains("cores:performance"), wrong.getMessage());
    }

    @Test
    void aPlanNeedsAThread() {
        assertThrows(
                IllegalArgumentException.class, () -> Placement.CORES.plan(BIG, Machines.unlimited(BIG), 1, 0, false));
        assertThrows(
                IllegalArgumentException.class, () -> Placement.CORES.plan(BIG, Machines.unlimited(BIG), -1, 1, false));
    }
}
