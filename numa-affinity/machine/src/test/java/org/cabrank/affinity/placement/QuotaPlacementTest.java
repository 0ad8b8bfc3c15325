package org.cabrank.affinity.placement;

import static org.cabrank.affinity.placement.Plans.BIG;
import static org.cabrank.affinity.placement.Plans.fits;
import static org.cabrank.affinity.placement.Plans.plan;
import static org.cabrank.affinity.placement.Plans.warns;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import org.cabrank.affinity.limits.ProcessLimits;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** CPU quotas: a shard counts as the threads of it that may run at once. */
class QuotaPlacementTest {
    private static final ProcessLimits FOUR = Machines.limits(BIG, "0-31", 4);

    @ParameterizedTest
    @CsvSource({
        "pack, 1, 4",
        "pack, 2, 2",
        "pack, 4, 1",
        "pack, 8, 1",
        "spread, 2, 2",
        // Threads that take turns on a CPU do not run at once.
        "cores, 8, 4",
        "threads, 8, 4",
        "smt, 2, 2",
        "smt, 8, 2",
        "l3, 4, 1",
        "l3, 1, 4",
        "node, 3, 1",
        "0-7, 2, 2"
    })
    void theDefaultNumberOfShardsCountsThreadsThatMayRunAtOnce(String placement, int threads, int shards) {
        PlacementPlan plan = plan(placement, BIG, FOUR, 0, threads);
        assertEquals(shards, plan.shards().size(), plan.describe());
    }

    @Test
    void theSummarySaysThatTheQuotaLimitsTheShards() {
        PlacementPlan plan = plan("pack", BIG, FOUR, 0, 2);
        assertTrue(plan.summary().endsWith("; no more shards, as the CPU quota is the time of 4 CPUs"), plan.summary());
        fits(plan);
    }

    @Test
    void threadsThatMayRunAtOnceBeyondTheQuotaAreWarnedOf() throws Exception {
        warns(plan("pack", BIG, FOUR, 2, 4), "time of 4 CPUs", "2 shards x 4 threads may keep 8 CPUs busy", "cpu.max");
        warns(plan("l3", BIG, FOUR, 2, 3), "may keep 6 CPUs busy");
        fits(plan("cores", BIG, FOUR, 4, 8));
        // Threads beyond the quota are of use where handlers wait: a strict plan is not refused for them.
        assertEquals(1, Placement.PACK.plan(BIG, FOUR, 2, 4, true).warnings().size());
    }
}
