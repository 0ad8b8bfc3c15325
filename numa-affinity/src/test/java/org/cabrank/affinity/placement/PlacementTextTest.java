package org.cabrank.affinity.placement;

import static org.cabrank.affinity.placement.Plans.BIG;
import static org.cabrank.affinity.placement.Plans.plan;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** What is written of placements and plans, and what is read. */
class PlacementTextTest {
    @Test
    void thePlanIsReadable() {
        assertEquals("""
                placement 0-1: 2 shards x 2 threads, CPUs named by the user
                  shard 0  CPU 0  node 0  named by the user: core 0, L3 0, node 0, package 0
                  shard 1  CPU 1  node 0  named by the user: core 1, L3 0, node 0, package 0
                """, plan("0-1", BIG, 2, 2).describe());
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "none",
                "cores",
                "smt",
                "threads",
                "l3",
                "node",
                "pack",
                "spread",
                "isolated",
                "nic:eth0",
                "0-3,8"
            })
    void aPlacementIsWrittenAsItIsRead(String text) {
        assertEquals(text, Placement.parse(text).toString());
        assertEquals(Placement.parse(text), Placement.parse(text));
    }

    @ParameterizedTest
    @ValueSource(strings = {"", "core", "nic:", "CORES", "nic"})
    void whatIsNoPlacementIsRefusedWithWhatIs(String text) {
        IllegalArgumentException wrong = assertThrows(IllegalArgumentException.class, () -> Placement.parse(text));
        assertTrue(wrong.getMessage().contains("right would be none, cores, smt"), wrong.getMessage());
    }

    @Test
    void aPlanNeedsAThread() {
        assertThrows(
                IllegalArgumentException.class,
                () -> Placement.cores().plan(BIG, Machines.unlimited(BIG), 1, 0, false));
        assertThrows(
                IllegalArgumentException.class,
                () -> Placement.cores().plan(BIG, Machines.unlimited(BIG), -1, 1, false));
    }
}
