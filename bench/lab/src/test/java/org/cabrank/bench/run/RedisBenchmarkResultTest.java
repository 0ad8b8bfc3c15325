package org.cabrank.bench.run;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;

import org.junit.jupiter.api.Test;

final class RedisBenchmarkResultTest {
    private static final String OUTPUT = """
            GET: rps=0.0 (overall: -nan) avg_msec=-nan (overall: -nan)
            ====== GET ======
              1000 requests completed in 0.02 seconds
              64 parallel clients

            Latency by percentile distribution:
            0.000% <= 0.100 milliseconds (cumulative count 1)
            50.000% <= 0.250 milliseconds (cumulative count 600)
            99.219% <= 2.000 milliseconds (cumulative count 995)
            100.000% <= 5.000 milliseconds (cumulative count 1000)
            100.000% <= 5.000 milliseconds (cumulative count 1000)

            Cumulative distribution of latencies:
            60.000% <= 0.303 milliseconds (cumulative count 600)
            100.000% <= 6.103 milliseconds (cumulative count 1000)

            Summary:
              throughput summary: 50000.00 requests per second
              latency summary (msec):
                      avg       min       p50       p95       p99       max
                    0.524     0.096     0.247     1.399     1.911     5.001
            """;

    @Test
    void rateAndLatenciesAreRead() {
        RedisBenchmarkResult result = RedisBenchmarkResult.parse(OUTPUT, 1_000);
        assertEquals(20_000_000, result.elapsedNs());
        assertEquals(50_000, result.perSecond());
        assertEquals(247_000, result.p50Ns());
        assertEquals(1_911_000, result.p99Ns());
        assertEquals(5_001_000, result.maxNs());
        assertEquals(1_000, result.latencies().getTotalCount());
        assertEquals(5_000_000, result.latencies().getValueAtPercentile(99.9), 5_000);
        assertEquals(250_000, result.latencies().getValueAtPercentile(50), 250);
    }

    /** The program's clock counts whole milliseconds, and a warm server answers 64 requests within one of them. */
    @Test
    void aRunWithinATickOfTheProgramsClockTakesOneTick() {
        RedisBenchmarkResult result =
                RedisBenchmarkResult.parse(OUTPUT.replace("50000.00 requests", "inf requests"), 64);
        assertEquals(1_000_000, result.elapsedNs());
        assertEquals(64_000, result.perSecond());
        assertEquals(1_911_000, result.p99Ns());
    }

    @Test
    void anErrorOfTheServerIsAFailure() {
        IllegalArgumentException refused = assertThrows(
                IllegalArgumentException.class,
                () -> RedisBenchmarkResult.parse("Error from server: ERR unknown command\n" + OUTPUT, 1_000));
        assertEquals("the server answers with an error: ERR unknown command", refused.getMessage());
    }

    @Test
    void anythingElseIsAFailure() {
        IllegalArgumentException refused = assertThrows(
                IllegalArgumentException.class,
                () -> RedisBenchmarkResult.parse("Could not connect to Redis\n\n", 1_000));
        assertEquals("redis-benchmark has printed no result: Could not connect to Redis", refused.getMessage());
    }

    @Test
    void aMachineWithoutTheProgramIsToldTheRemedy() {
        assertEquals(
                "no redis-benchmark: apt-get install redis-tools",
                new ProgramOnPath("redis-benchmark", "redis-tools").obstacle("/nowhere::"));
        assertEquals(
                "no redis-benchmark: apt-get install redis-tools",
                new ProgramOnPath("redis-benchmark", "redis-tools").obstacle(null));
    }
}
