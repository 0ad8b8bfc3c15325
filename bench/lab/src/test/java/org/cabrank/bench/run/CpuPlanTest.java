package org.cabrank.bench.run;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import org.cabrank.affinity.CpuList;
import org.junit.jupiter.api.Test;

final class CpuPlanTest {

    private static final CpuPlan.Siblings NONE = cpu -> CpuList.of(cpu);
    private static final CpuPlan.Siblings PAIRS = cpu -> CpuList.of(cpu & ~1, cpu | 1);

    @Test
    void oneCpuIsSharedAndSaidToBe() {
        CpuPlan plan = CpuPlan.of(CpuList.parse("3"), null, 1, null, NONE);
        assertEquals("3 3", plan.server() + " " + plan.load());
        assertTrue(plan.shared());
        assertTrue(plan.explanation().contains("they share"), plan.explanation());
    }

    @Test
    void twoCpusAreOneForEach() {
        CpuPlan plan = CpuPlan.of(CpuList.parse("0-1"), null, 1, null, NONE);
        assertEquals("1 0", plan.server() + " " + plan.load());
        assertFalse(plan.shared());
        assertTrue(plan.explanation().contains("pinned before it started"), plan.explanation());
    }

    @Test
    void twoHardwareThreadsOfOneCoreAreUsedAndNamed() {
        CpuPlan plan = CpuPlan.of(CpuList.parse("0-1"), null, 1, null, PAIRS);
        assertEquals("1 0", plan.server() + " " + plan.load());
        assertTrue(plan.explanation().contains("hardware threads of one core"), plan.explanation());
    }

    @Test
    void theLoadGetsOtherCoresWhereThereAreAny() {
        CpuPlan plan = CpuPlan.of(CpuList.parse("2-7"), null, 1, null, PAIRS);
        assertEquals("7 2-3", plan.server() + " " + plan.load());
        assertFalse(plan.explanation().contains("hardware threads"), plan.explanation());
    }

    @Test
    void explicitChoiceOfTheUserIsFollowed() {
        CpuPlan plan = CpuPlan.of(CpuList.parse("0-7"), CpuList.parse("0-1"), 1, CpuList.parse("4"), NONE);
        assertEquals("0-1 4", plan.server() + " " + plan.load());
        assertEquals(
                "7",
                CpuPlan.of(CpuList.parse("0-7"), null, 1, CpuList.parse("0-1"), NONE)
                        .server()
                        .toString());
        assertEquals(
                "6",
                CpuPlan.of(CpuList.parse("0-7"), null, 1, CpuList.parse("7"), NONE)
                        .server()
                        .toString());
    }

    @Test
    void aServerOfSeveralCpusGetsTheLastOnes() {
        CpuPlan plan = CpuPlan.of(CpuList.parse("0-7"), null, 4, null, NONE);
        assertEquals("4-7 0-1", plan.server() + " " + plan.load());
        assertFalse(plan.shared());
    }

    @Test
    void loadSharesTheCpusIfTheServerUsesAll() {
        CpuPlan plan = CpuPlan.of(CpuList.parse("0-1"), null, 2, null, NONE);
        assertEquals("0-1 0-1", plan.server() + " " + plan.load());
        assertTrue(plan.shared());
    }

    @Test
    void moreCpusThanThereAreAreRefused() {
        IllegalArgumentException refused = assertThrows(
                IllegalArgumentException.class, () -> CpuPlan.of(CpuList.parse("0-1"), null, 3, null, NONE));
        assertTrue(refused.getMessage().startsWith("the server is to have 3 CPUs, but this process may use only 0-1"));
    }

    @Test
    void aCpuThatIsNotAllowedIsRefused() {
        IllegalArgumentException refused = assertThrows(
                IllegalArgumentException.class,
                () -> CpuPlan.of(CpuList.parse("0-1"), CpuList.parse("2"), 1, null, NONE));
        assertEquals("--server-cpus 2: this process may use only 0-1", refused.getMessage());
    }
}
