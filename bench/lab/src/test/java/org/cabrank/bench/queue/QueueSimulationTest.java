package org.cabrank.bench.queue;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.Arrays;
import org.cabrank.bench.fixture.Once;
import org.cabrank.bench.handler.TimeSpread;
import org.cabrank.bench.queue.QueueSimulation.Quantiles;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** The simulated queue against closed forms of queueing theory, with services that have a mean of 1. */
@Once
class QueueSimulationTest {

    private static final int COUNT = 1_000_000;

    /** Waiting times of simulated requests. */
    private static double[] waits(int servers, double load, ServiceTimes services) {
        double[] waits = new double[COUNT];
        int[] next = {0};
        new QueueSimulation(servers, load * servers, services)
                .run(COUNT, (waiting, sojourn) -> waits[next[0]++] = waiting);
        return waits;
    }

    private static double mean(double[] values) {
        return Arrays.stream(values).average().orElseThrow();
    }

    /** Probability that a request waits in M/M/k (Erlang's C), by the recursion of Erlang's B. */
    private static double erlangC(int servers, double load) {
        double offered = load * servers;
        double blocked = 1;
        for (int i = 1; i <= servers; i++) {
            blocked = offered * blocked / (i + offered * blocked);
        }
        return blocked / (1 - load * (1 - blocked));
    }

    /** In M/M/k the probability of a wait longer than t is C exp(-(k - λ) t). */
    @ParameterizedTest
    @CsvSource({"1, 0.5", "1, 0.9", "4, 0.3", "4, 0.8", "4, 0.9", "16, 0.8"})
    void waitsOfExponentialServicesHaveErlangsTail(int servers, double load) {
        double[] waits = waits(servers, load, TimeSpread.EXPONENTIAL::draw);
        double c = erlangC(servers, load);
        for (double t : new double[] {0, 0.5, 1, 2}) {
            double expected = c * Math.exp(-servers * (1 - load) * t);
            double longer = Arrays.stream(waits).filter(wait -> wait > t).count() / (double) COUNT;
            assertEquals(expected, longer, 0.03 * expected + 0.002, "longer than " + t);
        }
    }

    /** In M/G/1 the mean wait is λ E[S²] / 2 (1 - ρ), by Pollaczek and Khinchine. */
    @ParameterizedTest
    @CsvSource({
        "CONSTANT, 0.5, 1",
        "CONSTANT, 0.9, 1",
        "EXPONENTIAL, 0.8, 2",
        // 99 in 100 of 100/199, and one of 10000/199.
        "BIMODAL, 0.5, 25.4999"
    })
    void meanWaitsOfOneServerAreThoseOfPollaczekAndKhinchine(TimeSpread spread, double load, double secondMoment) {
        double expected = load * secondMoment / (2 * (1 - load));
        assertEquals(expected, mean(waits(1, load, spread::draw)), 0.06 * expected);
    }

    /** In M/M/1 the time from arrival to end is exponential with the rate 1 - ρ. */
    @Test
    void quantilesOfOneExponentialServerAreThoseOfItsExponentialSojourn() {
        double load = 0.8;
        Quantiles quantiles = new QueueSimulation(1, load, TimeSpread.EXPONENTIAL::draw).quantiles(COUNT, 0.99);
        double unit = 1 / (1 - load);
        assertEquals(Math.log(2) * unit, quantiles.p50(), 0.02 * unit);
        double p99 = Math.log(100) * unit;
        assertEquals(p99, quantiles.p99(), 2 * quantiles.tailAccuracy() * p99);
        assertTrue(quantiles.tailAccuracy() > 0.001 && quantiles.tailAccuracy() < 0.05, quantiles.toString());
        assertEquals(Math.log(1_000) * unit, quantiles.p999(), 0.08 * p99);
    }

    @Test
    void oneQueueForAllServersIsBetterThanAQueueForEach() {
        for (TimeSpread spread : TimeSpread.values()) {
            Quantiles together = new QueueSimulation(4, 4 * 0.8, spread::draw).quantiles(COUNT, 0.99);
            Quantiles apart = new QueueSimulation(1, 0.8, spread::draw).quantiles(COUNT, 0.99);
            assertTrue(together.p99() < apart.p99(), spread + ": " + together + ", " + apart);
        }
    }

    @Test
    void theSameQueueIsSimulatedInTheSameWay() {
        QueueSimulation queue = new QueueSimulation(4, 2, TimeSpread.EXPONENTIAL::draw);
        assertEquals(queue.quantiles(10_000, 0.99), queue.quantiles(10_000, 0.99));
        assertThrows(IllegalArgumentException.class, () -> new QueueSimulation(0, 1, random -> 1));
        assertThrows(IllegalArgumentException.class, () -> new QueueSimulation(1, 0, random -> 1));
    }
}
