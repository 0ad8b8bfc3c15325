package org.cabrank.affinity.placement;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.List;
import java.util.stream.Collectors;
import org.cabrank.affinity.limits.ProcessLimits;
import org.cabrank.affinity.topology.Topology;

/** Makes plans, and looks at them. */
final class Plans {
    /** Two packages of two nodes of two L3 domains of two cores of two hardware threads: CPU 16 is beside CPU 0. */
    static final Topology BIG = Machines.regular(2, 2, 2, 2, 2);

    private Plans() {}

    static PlacementPlan plan(String placement, Topology machine, int shards, int threads) {
        return plan(placement, machine, Machines.unlimited(machine), shards, threads);
    }

    static PlacementPlan plan(String placement, Topology machine, ProcessLimits limits, int shards, int threads) {
        try {
            PlacementPlan plan = Placement.parse(placement).plan(machine, limits, shards, threads, false);
            plan.shards().forEach(shard -> assertEquals(threads, shard.threads().size()));
            return plan;
        } catch (PlacementException refused) {
            throw new AssertionError("nothing may be refused that is not strict", refused);
        }
    }

    /** The CPUs of each shard, and within brackets of each thread: {@code 0[0] 1[1]}. */
    static String cpus(PlacementPlan plan) {
        return plan.shards().stream()
                .map(shard -> shard.cpus() + shard.threads().toString())
                .collect(Collectors.joining(" "));
    }

    static void fits(PlacementPlan plan) {
        assertEquals(List.of(), plan.warnings());
    }

    static void warns(PlacementPlan plan, String... words) {
        assertEquals(1, plan.warnings().size(), plan.warnings().toString());
        for (String word : words) {
            assertTrue(plan.warnings().get(0).contains(word), plan.warnings().get(0));
        }
    }

    static void refuses(
            String placement, Topology machine, ProcessLimits limits, int shards, int threads, String... words) {
        PlacementException refused = assertThrows(
                PlacementException.class,
                () -> Placement.parse(placement).plan(machine, limits, shards, threads, true));
        for (String word : words) {
            assertTrue(refused.getMessage().contains(word), refused.getMessage());
        }
    }
}
