package org.cabrank.bench.model;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNotEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.Map;
import java.util.function.IntFunction;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** The simulation against what can be computed by hand. */
final class SimulationTest {

    /** Only requests cost something. */
    private static final Costs FREE = new Costs(0, 0, 0, 0, 0, 0, 0, 0, 0);

    private static final Costs ALL = new Costs(400, 4_000, 30, 60, 180, 4, 3, 5_000, 1_500);
    private static final double WORK_NS = 10_000;
    private static final int REQUESTS = 20_000;

    /** Cores and layout; 64 connections per shard that do not think. */
    private static Scenario scenario(int cores, int shards, int threads, boolean eager) {
        return new Scenario(
                cores, cores, shards, threads, eager, 1e9, 64 * shards, 0, WORK_NS, 0, 0, 0, 0, 0, REQUESTS, 1);
    }

    private static Outcome of(Scenario scenario, Costs costs) {
        return Simulation.of(scenario, costs);
    }

    @ParameterizedTest
    @ValueSource(booleans = {true, false})
    void oneThreadPaysForNoPromotion(boolean eager) {
        Outcome outcome = of(scenario(1, 1, 1, eager), FREE.with(Map.of("promotion", 1e6, "wakeup", 1e6)));
        assertEquals(0, outcome.promotionsPerRequest());
        assertEquals(1e9 / WORK_NS, outcome.requestsPerSecond(), 1e-3);
    }

    @Test
    void oneThreadHarvestsOnceForAllThatAreReady() {
        // 64 connections, none of which thinks: each call finds them all.
        Outcome outcome = of(scenario(1, 1, 1, false), FREE.with(Map.of("harvest", 6_400.0, "event", 1_000.0)));
        assertEquals(1e9 / (WORK_NS + 1_000 + 6_400 / 64.0), outcome.requestsPerSecond(), 20);
    }

    @Test
    void reactorsOfOneThreadEachAddUp() {
        double one = of(scenario(1, 1, 1, false), ALL).requestsPerSecond();
        assertEquals(16 * one, of(scenario(16, 16, 1, false), ALL).requestsPerSecond(), one * 0.01 * 16);
    }

    /** All threads work, none sleeps: leadership costs nothing, and the cores are the limit. */
    @Test
    void aSharedPoolWithoutCostsUsesAllItsCores() {
        assertEquals(8 * 1e9 / WORK_NS, of(scenario(8, 1, 8, true), FREE).requestsPerSecond(), 1e9 / WORK_NS * 0.01);
    }

    /** More threads than it can feed: they sleep, and one event at a time goes through the word. */
    @Test
    void onePromotionWordCarriesNoMoreThanItsCostAllows() {
        Costs costs =
                FREE.with(Map.of("promotion", 500.0, "transfer", 250.0, "promotion-lines", 4.0, "wakeup", 2_500.0));
        assertEquals(4_000, costs.handOverNs());
        Outcome outcome = of(scenario(64, 1, 64, true), costs);
        assertEquals(1e9 / costs.handOverNs(), outcome.requestsPerSecond(), 1e9 / costs.handOverNs() * 0.01);
        assertEquals(1, outcome.promotionsPerRequest(), 0.01);
    }

    @Test
    void twoWordsCarryTwiceAsMuch() {
        Costs costs = FREE.with(Map.of("wakeup", 4_000.0));
        assertEquals(2 * 1e9 / 4_000, of(scenario(64, 2, 32, true), costs).requestsPerSecond(), 2 * 1e9 / 4_000 * 0.01);
    }

    /** Lifo keeps near: only where most threads are busy does leadership go from node to node. */
    @Test
    void wordsThatSpanMemoryNodesCarryLess() {
        Costs costs = FREE.with(Map.of("transfer", 50.0, "remote-transfer", 500.0, "promotion-lines", 4.0));
        Scenario oneNode = scenario(64, 1, 64, true);
        Scenario fourNodes = new Scenario(64, 16, 1, 64, true, 1e9, 64, 0, WORK_NS, 0, 0, 0, 0, 0, REQUESTS, 1);
        assertTrue(of(fourNodes, costs).requestsPerSecond() < of(oneNode, costs).requestsPerSecond() / 1.5);
    }

    @Test
    void deferredPromotionLeavesShortRequestsToOneThread() {
        double one = of(scenario(4, 1, 1, false), ALL).requestsPerSecond();
        Outcome four = of(scenario(4, 1, 4, false), ALL);
        assertEquals(one, four.requestsPerSecond(), 1e-6);
        assertEquals(0, four.takeoversPerSecond());
    }

    /** One thread stands still for every slow request; of two, the other goes on when the gap is over. */
    @Test
    void deferredPromotionGoesRoundSlowRequests() {
        int permille = 10;
        double slowNs = 5e6;
        double gapNs = 200_000;
        IntFunction<Scenario> threads = number ->
                new Scenario(4, 4, 1, number, false, gapNs, 64, 0, WORK_NS, permille, slowNs, 0, 0, 0, REQUESTS, 1);
        double expected = 1e9 / (WORK_NS + slowNs * permille / 1_000);
        assertEquals(expected, of(threads.apply(1), FREE).requestsPerSecond(), expected * 0.1);
        // With ever so many threads, a slow request costs the shard the gap.
        Outcome many = of(threads.apply(32), FREE);
        double roundIt = 1e9 / (WORK_NS + gapNs * permille / 1_000);
        assertEquals(roundIt, many.requestsPerSecond(), roundIt * 0.1);
        assertEquals(roundIt * permille / 1_000, many.takeoversPerSecond(), roundIt * permille / 1_000 * 0.2);
    }

    /** Little: those in a closed system are its throughput times the time round. */
    @Test
    void requestsUnderWayAreThroughputTimesTime() {
        double thinkNs = 2e6;
        Scenario calm = new Scenario(1, 1, 1, 1, false, 1e9, 8, thinkNs, WORK_NS, 0, 0, 0, 0, 0, REQUESTS, 1);
        double expected = 8 * 1e9 / (thinkNs + WORK_NS);
        assertEquals(expected, of(calm, FREE).requestsPerSecond(), expected * 0.03);
        assertEquals(WORK_NS / 1e3, of(calm, FREE).p50Us(), 1e-6);
    }

    /** Two cores, 10 us for the server and 30 us for the load of each request: 20 requests in 400 us. */
    @Test
    void aLoadGeneratorOnTheSameCoresTakesItsShare() {
        Scenario shared = new Scenario(2, 2, 2, 1, false, 1e9, 64, 0, WORK_NS, 0, 0, 2, 0, 30_000, REQUESTS, 1);
        double expected = 2 * 1e9 / (WORK_NS + 30_000);
        assertEquals(expected, of(shared, FREE).requestsPerSecond(), expected * 0.02);
    }

    @Test
    void theSameSeedGivesTheSameResult() {
        Scenario scenario = new Scenario(8, 8, 2, 4, true, 1e9, 128, 50_000, WORK_NS, 5, 1e6, 0, 0, 0, REQUESTS, 7);
        assertEquals(of(scenario, ALL), of(scenario, ALL));
        Scenario other = new Scenario(8, 8, 2, 4, true, 1e9, 128, 50_000, WORK_NS, 5, 1e6, 0, 0, 0, REQUESTS, 8);
        assertNotEquals(of(scenario, ALL), of(other, ALL));
    }
}
