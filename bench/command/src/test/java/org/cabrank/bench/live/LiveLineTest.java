package org.cabrank.bench.live;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import org.junit.jupiter.api.Test;

final class LiveLineTest {
    @Test
    void ratesAreOfTheLastIntervalAndPerSecond() {
        LiveLine line = new LiveLine(Readings.deferred(0));
        line.next(Readings.deferred(1, 100));
        assertEquals(
                "live 0:03: 500 requests/s, p50 20.5us p99 20.5us p99.9 20.5us max 5.11ms, 64 connections, 1 promotions/s,"
                        + " 7 takeovers/s, 2 gaps over the limit, 0 failures; leaders: cabrank-s0-1 (leader)",
                line.next(Readings.deferred(3, 1_100)));
    }

    @Test
    void theBusiestShardIsCompared() {
        String line = new LiveLine(Readings.ownLoops(3, 0)).next(Readings.ownLoops(3, 1));
        assertTrue(line.endsWith(", busiest shard 1.50 × the mean"), line);
    }

    @Test
    void theLackOfCpusIsNoContention() {
        String line = new LiveLine(Readings.starved(0)).next(Readings.starved(2));
        assertTrue(line.contains(", too few CPUs"), line);
    }
}
