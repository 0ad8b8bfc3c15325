package org.cabrank.bench.report.target;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.function.ToLongFunction;
import org.cabrank.bench.fixture.Once;
import org.cabrank.bench.report.BenchReport.ContenderInfo;
import org.cabrank.bench.report.CellSummaries;
import org.cabrank.bench.report.ContenderKind;
import org.cabrank.bench.report.DatagramCounts;
import org.cabrank.bench.report.RunRecord;
import org.cabrank.bench.report.RunRecord.Latency;
import org.cabrank.bench.report.RunRecord.Measured;
import org.cabrank.bench.report.RunRecord.Usage;
import org.cabrank.bench.report.ScenarioInfo;
import org.cabrank.bench.report.Target;
import org.cabrank.bench.report.Target.Outcome;
import org.cabrank.bench.report.fixture.MadeUp;
import org.cabrank.bench.report.statistics.LookSchedule;
import org.junit.jupiter.api.Test;

/** Losses by slices, some from a model of a machine whose pauses cost whoever is measured at that time a burst of datagrams. */
@Once
final class DatagramLossTest {
    private static final String OWN = "cabrank-epoll-1";
    private static final String OTHER_MODE = "cabrank-epoll-deferred";
    private static final String NETTY = MadeUp.BASELINE;
    private static final String URING = "netty-iouring";
    private static final String BARE = "c-epoll";

    private static final long SENT = 85_000;
    private static final int SLICES = 4;
    private static final int TRIALS = 400;

    private final List<ScenarioInfo> scenarios = MadeUp.datagrams();
    private final String cell = scenarios.get(0).cells().stream()
            .filter(info -> info.rateShare() > 0)
            .findFirst()
            .orElseThrow()
            .id();

    /** Lost datagrams of each contender, slice by slice. */
    private final Map<String, List<DatagramCounts>> losses = new LinkedHashMap<>();

    private LookSchedule looks;

    private void lost(String contender, long... counts) {
        List<DatagramCounts> each = new ArrayList<>();
        for (long count : counts) {
            each.add(new DatagramCounts(SENT, count, 0, 0, 0));
        }
        losses.put(contender, each);
    }

    private void lost(String contender, int slices, Random random, ToLongFunction<Random> burst) {
        lost(
                contender,
                random.longs(slices).map(any -> burst.applyAsLong(random)).toArray());
    }

    /** Loses a burst in some slices: hundreds of datagrams, and sometimes many thousands. */
    private static ToLongFunction<Random> bursts(double share) {
        return random -> random.nextDouble() < share ? (long) (300 / (0.01 + random.nextDouble())) : 0;
    }

    private Target target() {
        List<RunRecord> runs = new ArrayList<>();
        losses.forEach((contender, each) -> {
            for (int i = 0; i < each.size(); i++) {
                runs.add(new RunRecord(1 + i / SLICES, 1, contender, null, "", "", 1, null, measured(each.get(i)))
                        .in(cell, 1 + i % SLICES));
            }
        });
        List<String> names = List.copyOf(losses.keySet());
        String control = names.contains(MadeUp.CONTROL) ? MadeUp.CONTROL : null;
        List<ContenderInfo> contenders = names.stream()
                .map(name -> new ContenderInfo(name, kind(name), List.of(), List.of()))
                .toList();
        return Targets.of(
                        scenarios,
                        contenders,
                        CellSummaries.of(scenarios, names, NETTY, control, looks, runs),
                        new RawRuns(runs, NETTY, control, looks))
                .stream()
                .filter(target -> target.name().equals("Datagrams lost"))
                .findFirst()
                .orElseThrow();
    }

    private static ContenderKind kind(String name) {
        return name.equals(MadeUp.CONTROL)
                ? ContenderKind.CONTROL
                : name.startsWith("c-")
                        ? ContenderKind.LIMIT
                        : name.startsWith("cabrank-") ? ContenderKind.CABRANK : ContenderKind.JAVA;
    }

    private static Measured measured(DatagramCounts datagrams) {
        Usage usage = new Usage(1, 0, 0, 1, 1, 1, 1, 1);
        return new Measured(
                datagrams.sent() - datagrams.lost(),
                1_000_000_000,
                new Latency(1, 1, 1, 1, 1),
                usage,
                0,
                usage,
                List.of(),
                "",
                Map.of(),
                null,
                null,
                null,
                null,
                datagrams);
    }

    private Outcome outcome() {
        return target().outcome();
    }

    /** Share of trials with that outcome. */
    private double share(Outcome outcome, int slices, double own, double rivals) {
        Random random = new Random(7);
        int count = 0;
        for (int trial = 0; trial < TRIALS; trial++) {
            losses.clear();
            lost(OWN, slices, random, bursts(own));
            for (String rival : List.of(NETTY, URING, BARE)) {
                lost(rival, slices, random, bursts(rivals));
            }
            count += outcome() == outcome ? 1 : 0;
        }
        return (double) count / TRIALS;
    }

    @Test
    void whereNobodyLosesMoreByNatureTheTargetIsMissedNoMoreOftenThanInFivePercent() {
        double missed = share(Outcome.MISSED, 32, 0.3, 0.3);
        assertTrue(missed <= 0.05, "missed in " + missed);
        double busy = share(Outcome.MISSED, 32, 0.95, 0.95);
        assertTrue(busy <= 0.05, "missed in " + busy);
    }

    @Test
    void aServerThatLosesInTwiceAsManySlicesIsFound() {
        double missed = share(Outcome.MISSED, 48, 0.8, 0.35);
        assertTrue(missed >= 0.9, "missed in " + missed);
    }

    @Test
    void aServerThatLosesInFewerSlicesReachesTheTarget() {
        double reached = share(Outcome.REACHED, 32, 0.1, 0.5);
        assertTrue(reached >= 0.99, "reached in " + reached);
    }

    @Test
    void oneHugeBurstDecidesNothing() {
        lost(OWN, 40_000, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0);
        lost(NETTY, 0, 9, 9, 9, 9, 9, 9, 9, 9, 0, 0, 0);
        assertEquals(Outcome.REACHED, outcome());
    }

    @Test
    void whereNobodyLosesAnyTheTargetIsReached() {
        lost(OWN, 0, 0, 0, 0, 0, 0);
        lost(NETTY, 0, 0, 0, 0, 0, 0);
        assertEquals(Outcome.REACHED, outcome());
    }

    @Test
    void theRivalThatLosesLessIsNamedWithItsSlices() {
        lost(OWN, 5, 5, 5, 5, 5, 5, 5, 0);
        lost(NETTY, 9, 9, 9, 9, 9, 9, 9, 0);
        lost(BARE, 0, 0, 0, 0, 0, 0, 0, 0);
        Target target = target();
        assertEquals(Outcome.MISSED, target.outcome());
        assertTrue(
                target.words().contains("cabrank-epoll-1 lost more than c-epoll in 7 slices, less in 0, as much in 1"),
                target.words());
    }

    @Test
    void theModeThatLosesLeastInMostSlicesCounts() {
        lost(OWN, 0, 0, 0, 0, 0, 0, 0, 20_000);
        lost(OTHER_MODE, 9, 9, 9, 9, 9, 9, 9, 9);
        lost(NETTY, 1, 1, 1, 1, 1, 1, 1, 0);
        Target target = target();
        assertEquals(Outcome.REACHED, target.outcome());
        assertTrue(target.words().contains(OWN), target.words());
    }

    @Test
    void fewSlicesThatDifferCannotTellAndTheReportSaysHowManyCould() {
        lost(OWN, 9, 0, 9, 0, 0, 0, 0, 0);
        lost(NETTY, 0, 0, 0, 0, 0, 0, 0, 0);
        Target target = target();
        assertEquals(Outcome.CANNOT_TELL, target.outcome());
        assertTrue(target.words().contains("it takes 5 slices in which they differ"), target.words());
        lost(OWN, 0, 0, 0);
        lost(NETTY, 0, 0, 0);
        assertEquals(Outcome.CANNOT_TELL, outcome(), "three slices are too few even without a loss");
    }

    @Test
    void theErrorIsDividedAmongTheComparisons() {
        lost(OWN, 9, 9, 9, 9, 9);
        lost(NETTY, 0, 0, 0, 0, 0);
        assertEquals(Outcome.MISSED, outcome());
        lost(BARE, 9, 9, 9, 9, 9);
        assertEquals(Outcome.CANNOT_TELL, outcome());
    }

    @Test
    void aDifferenceAsBetweenTheBaselineAndItsSecondRunIsNoise() {
        lost(OWN, 9, 9, 9, 9, 9, 9);
        lost(NETTY, 0, 0, 0, 0, 0, 0);
        lost(MadeUp.CONTROL, 5, 5, 5, 5, 5, 5);
        Target target = target();
        assertEquals(Outcome.CANNOT_TELL, target.outcome());
        assertTrue(target.words().contains("netty-epoll-again differs as much from netty-epoll"), target.words());
        lost(MadeUp.CONTROL, 0, 5, 0, 0, 0, 0);
        assertEquals(Outcome.MISSED, outcome());
    }

    @Test
    void aBenchThatStopsByWhatItSeesSpendsItsErrorByLooks() {
        looks = new LookSchedule(3, 1, 2, 0.05);
        lost(OWN, 9, 9, 9, 9, 9, 9, 9, 9);
        lost(NETTY, 0, 0, 0, 0, 0, 0, 0, 0);
        Target early = target();
        assertEquals(Outcome.CANNOT_TELL, early.outcome(), "two rounds are before the first look");
        assertTrue(early.words().contains("before its first look"), early.words());
        lost(OWN, 9, 9, 9, 9, 9, 0, 0, 0, 0, 0, 0, 0);
        lost(NETTY, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0);
        assertEquals(Outcome.CANNOT_TELL, outcome(), "the first look has a third of the error");
        lost(OWN, 9, 9, 9, 9, 9, 9, 0, 0, 0, 0, 0, 0);
        assertEquals(Outcome.MISSED, outcome());
    }

    @Test
    void answersThatTheLoadHadNoRoomForAreNoLossOfTheServer() {
        lost(OWN, 0, 0, 0, 0, 0, 0);
        losses.put(
                OWN,
                losses.get(OWN).stream()
                        .map(none -> new DatagramCounts(SENT, 7, 0, 0, 7))
                        .toList());
        lost(NETTY, 0, 0, 0, 0, 0, 0);
        assertEquals(Outcome.REACHED, outcome());
    }
}
