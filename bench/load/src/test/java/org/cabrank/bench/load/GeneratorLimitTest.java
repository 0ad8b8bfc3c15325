package org.cabrank.bench.load;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNull;

import org.junit.jupiter.api.Test;

final class GeneratorLimitTest {

    private static final long SECOND_NS = 1_000_000_000L;

    @Test
    void aBusyGeneratorBesideAServerWithTimeToSpareIsTheLimit() {
        assertEquals(
                "the load generator kept 0.98 of its 1 CPU busy, the server 0.61 of its 1 CPU: it could do more than this shows",
                GeneratorLimit.text(busy(0.98, 1), 1, new GeneratorLimit.Server(0.61, 0.61, 1)));
    }

    @Test
    void serverIsAtItsLimitIfBothAreBusy() {
        assertNull(GeneratorLimit.text(busy(0.99, 1), 1, new GeneratorLimit.Server(0.97, 0.97, 1)));
        assertNull(
                GeneratorLimit.text(busy(0.99, 1), 1, new GeneratorLimit.Server(1.0, 0.98, 2)),
                "its one thread can do no more");
        assertNull(
                GeneratorLimit.text(busy(0.99, 1), 1, new GeneratorLimit.Server(0.98, 0.5, 1)),
                "its threads share one CPU");
    }

    @Test
    void aGeneratorThatWaitsForAnswersIsNotTheLimit() {
        assertNull(GeneratorLimit.text(busy(0.7, 1), 1, new GeneratorLimit.Server(0.6, 0.6, 1)));
        assertNull(GeneratorLimit.text(busy(1.0, 2), 2, null), "one of two threads waits");
    }

    @Test
    void moreThreadsThanCpusCannotBeBusierThanTheCpus() {
        assertEquals(
                "the load generator kept 1.95 of its 2 CPUs busy: the server may be able to do more",
                GeneratorLimit.text(busy(1.95, 4), 2, null));
        assertEquals(
                "the load generator kept 0.99 of its 1 CPU busy: the server may be able to do more",
                GeneratorLimit.text(busy(0.99, 4), 1, null));
    }

    @Test
    void sendsThatWereLateWithoutTheServersFaultAreReported() {
        GeneratorEffort late = new GeneratorEffort(SECOND_NS, 0, 1, 10_000, 11, 0);
        assertEquals(
                "11 of 10,000 requests (0.1 %) were sent more than 1 ms after their time though a connection had room:"
                        + " latencies contain the load generator's own delay",
                GeneratorLimit.text(late, 1, null));
        assertNull(GeneratorLimit.text(new GeneratorEffort(SECOND_NS, 0, 1, 10_000, 10, 0), 1, null));
    }

    @Test
    void aGeneratorThatSpinsUntilTheNextRequestIsDueIsNotTheLimit() {
        assertNull(GeneratorLimit.text(
                new GeneratorEffort(SECOND_NS, SECOND_NS, 1, 10_000, 0, 0), 1, new GeneratorLimit.Server(0.5, 0.5, 1)));
    }

    @Test
    void portsThatRanOutAreReported() {
        assertEquals(
                "7 attempts to connect found no free port: connections per second are limited by the ports of this side,"
                        + " not by the server",
                GeneratorLimit.text(new GeneratorEffort(SECOND_NS, 0, 1, 0, 0, 7), 1, null));
    }

    private static GeneratorEffort busy(double cpus, int threads) {
        return new GeneratorEffort(SECOND_NS, (long) (cpus * SECOND_NS), threads, 0, 0, 0);
    }
}
