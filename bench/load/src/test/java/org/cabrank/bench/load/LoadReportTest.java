package org.cabrank.bench.load;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.nio.ByteBuffer;
import java.util.Base64;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Random;
import org.HdrHistogram.Histogram;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Results of several generators, added. */
class LoadReportTest {
    private static final long SECOND_NS = 1_000_000_000L;
    private static final LoadTraffic TRAFFIC = LoadTraffic.pingPong(64, 100).withRate(1_000);

    private static Histogram histogram() {
        return new Histogram(1, 60 * SECOND_NS, 3);
    }

    private static LoadReport report(String id, LoadTraffic traffic, boolean tls, long beginMs, Histogram latencies) {
        long answers = latencies.getTotalCount();
        GeneratorEffort effort = new GeneratorEffort(10 * SECOND_NS, SECOND_NS, 1, 0, 0, 0);
        return LoadReport.of(
                new LoadReport.Generator(id, "10.0.0.1:7000", tls, traffic, beginMs, beginMs + 10_000, effort, null),
                new LoadResult(answers, answers * 100, 10 * SECOND_NS, latencies, Map.of("wrong answer", 2L), effort));
    }

    private static LoadReport report(String id) {
        Histogram latencies = histogram();
        latencies.recordValue(1_000);
        return report(id, TRAFFIC, false, 0, latencies);
    }

    private static LoadReport merged(LoadReport... reports) {
        Map<String, LoadReport> named = new LinkedHashMap<>();
        for (LoadReport report : reports) {
            named.put((char) ('a' + named.size()) + ".json", report);
        }
        return LoadReport.merged(named);
    }

    private static Histogram latencies(LoadReport report) throws Exception {
        return Histogram.decodeFromCompressedByteBuffer(
                ByteBuffer.wrap(Base64.getDecoder().decode(report.latencies())), 0);
    }

    @Test
    void percentilesOfMergedReportsAreThoseOfAllLatenciesTogether() throws Exception {
        Random random = new Random(7);
        Histogram fast = histogram();
        Histogram slow = histogram();
        Histogram union = histogram();
        for (int i = 0; i < 100_000; i++) {
            long ns = 50_000 + random.nextInt(100_000);
            fast.recordValue(ns);
            union.recordValue(ns);
        }
        for (int i = 0; i < 500; i++) {
            long ns = SECOND_NS + random.nextInt(1_000_000_000);
            slow.recordValue(ns);
            union.recordValue(ns);
        }
        LoadReport merged = merged(report("1", TRAFFIC, false, 0, fast), report("2", TRAFFIC, false, 100, slow));
        for (double percentile : new double[] {0, 1, 50, 90, 99, 99.4, 99.6, 99.9, 99.99, 100}) {
            assertEquals(
                    union.getValueAtPercentile(percentile),
                    latencies(merged).getValueAtPercentile(percentile),
                    () -> "percentile " + percentile);
        }
        assertEquals(
                new LoadReport.Percentiles(
                        union.getValueAtPercentile(50),
                        union.getValueAtPercentile(99),
                        union.getValueAtPercentile(99.9),
                        union.getMaxValue()),
                merged.latency());
        assertTrue(merged.latency().p99Ns() < 150_100, "the mean of both would be beyond half a second");
        assertTrue(merged.latency().p999Ns() >= SECOND_NS);
    }

    @Test
    void countsRatesAndErrorsAreAddedAndMergedReportsCanBeMergedAgain() {
        Histogram many = histogram();
        many.recordValueWithCount(1_000, 30);
        LoadReport two = merged(report("1"), report("2", TRAFFIC, false, 0, many));
        LoadReport three = merged(two, report("3", TRAFFIC.withConnections(1), false, 0, many));
        assertEquals(61, three.answers());
        assertEquals(6_100, three.bytes());
        assertEquals(6.1, three.answersPerSecond(), 1e-9);
        assertEquals(610, three.bytesPerSecond(), 1e-9);
        assertEquals(10 * SECOND_NS, three.elapsedNs());
        assertEquals(Map.of("wrong answer", 6L), three.errors());
        assertEquals(
                List.of("1", "2", "3"),
                three.generators().stream().map(LoadReport.Generator::id).toList());
    }

    @ParameterizedTest
    @ValueSource(strings = {"--pattern", "--size", "--depth", "--rate", "--tls"})
    void reportsOfDifferentLoadsAreRefused(String flag) {
        LoadTraffic other = switch (flag) {
            case "--pattern" -> LoadTraffic.churn(64, 100).withRate(1_000);
            case "--size" -> LoadTraffic.pingPong(64, 101).withRate(1_000);
            case "--depth" -> TRAFFIC.withDepth(2);
            case "--rate" -> TRAFFIC.withRate(0);
            default -> TRAFFIC;
        };
        LoadReport different = report("2", other, flag.equals("--tls"), 0, histogram());
        IllegalArgumentException refused =
                assertThrows(IllegalArgumentException.class, () -> merged(report("1"), different));
        assertTrue(
                refused.getMessage().startsWith("the runs do not fit together: " + flag + " is ")
                        && refused.getMessage().endsWith(" in b.json; merge runs of the same load"),
                refused.getMessage());
    }

    @Test
    void runThatIsInTwoReportsIsRefused() {
        LoadReport both = merged(report("1"), report("2"));
        assertEquals(
                "the same run is in a.json and in b.json, and would be counted twice: name it once",
                assertThrows(IllegalArgumentException.class, () -> merged(both, report("2")))
                        .getMessage());
    }

    @Test
    void brokenHistogramIsRefused() {
        LoadReport whole = report("2");
        LoadReport broken = new LoadReport(
                1,
                whole.generators(),
                1,
                1,
                1,
                1,
                1,
                Map.of(),
                null,
                whole.latencies().substring(0, 20));
        IllegalArgumentException refused =
                assertThrows(IllegalArgumentException.class, () -> merged(report("1"), broken));
        assertTrue(refused.getMessage().startsWith("the latencies in b.json are no histogram"), refused.getMessage());
    }

    @Test
    void generatorsThatMeasuredApartAreNamed() {
        assertNull(merged(report("1"), report("2", TRAFFIC, false, 900, histogram()))
                .apart());
        String warning = merged(report("1"), report("2", TRAFFIC, false, 4_000, histogram()))
                .apart();
        assertTrue(warning.startsWith("the generators measured together for 6000 of 10000 ms only"), warning);
        assertTrue(merged(report("1"), report("2", TRAFFIC, false, 40_000, histogram()))
                .apart()
                .contains(" for 0 of "));
    }
}
