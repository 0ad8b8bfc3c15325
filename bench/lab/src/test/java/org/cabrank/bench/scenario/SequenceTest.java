package org.cabrank.bench.scenario;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.cabrank.bench.fixture.Once;
import org.cabrank.bench.report.BenchReport;
import org.cabrank.bench.report.ContenderKind;
import org.cabrank.bench.report.Metric;
import org.cabrank.bench.report.Precision;
import org.cabrank.bench.report.RunRecord;
import org.cabrank.bench.report.ScenarioInfo;
import org.cabrank.bench.report.fixture.MadeUp;
import org.cabrank.bench.report.fixture.MadeUp.Server;
import org.cabrank.bench.report.statistics.Interval;
import org.cabrank.bench.report.statistics.LookSchedule;
import org.cabrank.bench.scenario.Plan.MeasuringPace;
import org.cabrank.bench.scenario.Wishes.Extent;
import org.junit.jupiter.api.Test;

/** The choice of cells after a look, over made-up runs of a quiet, a noisy and a hopeless cell. */
@Once
final class SequenceTest {

    private static final long MINUTE = 60_000_000_000L;
    private static final LookSchedule LOOKS = LookSchedule.STANDARD;
    private static final Server CABRANK = new Server("cabrank-epoll-1", ContenderKind.CABRANK, 1.3, 0.3, 1);
    private static final Server BASELINE = new Server(MadeUp.BASELINE, ContenderKind.JAVA, 1, 0.6, 1);
    private static final Server CONTROL = new Server(MadeUp.CONTROL, ContenderKind.CONTROL, 1, 0.6, 1);

    private static final List<Cell> CELLS = new Wishes(Extent.STANDARD, List.of(1, 8, 64), List.of(64), null)
            .cells(Scenarios.named(List.of("ping-pong")));
    private static final Cell QUIET = CELLS.get(0);
    private static final Cell NOISY = CELLS.get(1);
    private static final Cell HOPELESS = CELLS.get(2);

    private final Plan plan =
            Plan.of(CELLS, new Turnout(Map.of(QUIET.needs().protocol(), 3)), Extent.STANDARD, MeasuringPace.PLANNED);
    private final Sequence sequence = new Sequence(plan, MadeUp.BASELINE, kinds());

    private static Map<String, ContenderKind> kinds() {
        Map<String, ContenderKind> kinds = new LinkedHashMap<>();
        for (Server server : List.of(CABRANK, BASELINE, CONTROL)) {
            kinds.put(server.name(), server.kind());
        }
        return kinds;
    }

    private static List<RunRecord> runs(int rounds) {
        List<RunRecord> runs = new ArrayList<>(runs(QUIET, rounds, 0.005));
        runs.addAll(runs(NOISY, rounds, 0.08));
        runs.addAll(runs(HOPELESS, rounds, 1));
        return runs;
    }

    private static List<RunRecord> runs(Cell cell, int rounds, double noise) {
        return new MadeUp(1, CABRANK, BASELINE, CONTROL)
                .rounds(rounds, 3)
                .noise(noise)
                .answersKept(10)
                .runs(List.of(new ScenarioInfo("ping-pong", "", List.of(cell.info(0)))));
    }

    private static List<Cell> cells(List<CellTurn> turns) {
        return turns.stream().map(CellTurn::cell).toList();
    }

    @Test
    void theRoundsAreThoseOfTheLooks() {
        assertEquals(LOOKS, plan.looks());
        assertEquals(LOOKS.roundsMax(), plan.rounds());
    }

    @Test
    void aCellThatWasLeftOutStaysOut() {
        List<RunRecord> runs = new ArrayList<>(runs(NOISY, 4, 0.08));
        runs.addAll(runs(HOPELESS, 6, 1));
        assertEquals(List.of(HOPELESS), cells(sequence.next(7, runs, 10 * MINUTE, 1)));
    }

    @Test
    void aCellWhosePairsAgreeStopsAndNoisyOnesGoOn() {
        assertEquals(List.of(NOISY, HOPELESS), cells(sequence.next(5, runs(4), 10 * MINUTE, 1)));
    }

    @Test
    void whereTimeIsShortTheCellThatIsPreciseSoonestComesFirst() {
        long oneCellNs = 2 * plan.roundNs(List.of(new CellTurn(NOISY, 9)));
        assertEquals(List.of(NOISY), cells(sequence.next(5, runs(4), oneCellNs, 1)));
        assertEquals(List.of(), sequence.next(5, runs(4), oneCellNs, 4), "a machine that takes longer than planned");
        assertEquals(List.of(), sequence.next(5, runs(4), 0, 1));
    }

    @Test
    void nothingIsMeasuredAfterTheLastLookOrWhenAllArePrecise() {
        assertEquals(List.of(), sequence.next(LOOKS.roundsMax() + 1, runs(LOOKS.roundsMax()), 10 * MINUTE, 1));
        assertEquals(List.of(), sequence.next(5, runs(QUIET, 4, 0.005), 10 * MINUTE, 1));
    }

    /** Noise within rounds is worth more slices, because a start costs as much as many of them. */
    @Test
    void moreSlicesAreTakenOfCellsWhosePairsDifferWithinARound() {
        List<CellTurn> turns = sequence.next(5, runs(4), 10 * MINUTE, 1);
        assertTrue(turns.get(0).slices() > plan.slices(), turns.toString());
        List<RunRecord> alike = new ArrayList<>();
        for (RunRecord run : runs(NOISY, 4, 0.08)) {
            // Each slice of a round is its first one again: all noise is between rounds.
            if (run.slice() == 1) {
                for (int slice = 1; slice <= 3; slice++) {
                    alike.add(run.in(run.cell(), slice));
                }
            }
        }
        assertEquals(
                plan.slices(), sequence.next(5, alike, 10 * MINUTE, 1).get(0).slices());
    }

    @Test
    void thePrecisionNamesTheCellsThatAreNotPreciseAndTheTimeThatTheyWouldTake() {
        Precision precision = sequence.precision(runs(4));
        assertEquals(1, precision.settledCells());
        assertFalse(precision.reached());
        String words = precision.words();
        assertTrue(words.startsWith("Precision: in 1 of 3 cells the 95 % interval of the best"), words);
        assertTrue(words.contains(NOISY.id() + " (± "), words);
        assertTrue(words.contains(" min"), words);
        assertTrue(words.contains(" h."), words);
        Precision early = sequence.precision(runs(2));
        assertEquals(0, early.settledCells());
        assertTrue(
                early.words().contains("Too few rounds for any interval, which takes 4: " + QUIET.id()), early.words());
        assertFalse(early.words().contains("longer"), early.words());
        Precision quiet = sequence.precision(runs(QUIET, 4, 0.005));
        assertTrue(quiet.reached());
        assertFalse(quiet.words().contains("longer"), quiet.words());
    }

    /** The ratio that the summary shows comes first; the time that is left goes to other ratios. */
    @Test
    void theBestModeAgainstTheBestPeerDecidesWhichCellComesFirst() {
        List<RunRecord> noisyControl = runs(HOPELESS, 4, 0.3);
        List<RunRecord> runs = new ArrayList<>(runs(NOISY, 4, 0.08));
        for (RunRecord run : runs(QUIET, 4, 0.005)) {
            runs.add(
                    run.contender().equals(CONTROL.name())
                            ? noisyControl.stream()
                                    .filter(other -> other.contender().equals(run.contender())
                                            && other.round() == run.round()
                                            && other.slice() == run.slice())
                                    .findFirst()
                                    .orElseThrow()
                                    .in(QUIET.id(), run.slice())
                            : run);
        }
        Precision precision = sequence.precision(runs);
        assertEquals(1, precision.settledCells());
        assertEquals(
                0, precision.cells().stream().filter(cell -> cell.allPrecise()).count());
        assertTrue(precision.words().contains("cabrank-epoll-1 : netty-epoll"), precision.words());
        assertEquals(List.of(QUIET, NOISY), cells(sequence.next(5, runs, 10 * MINUTE, 1)));
        long oneCellNs = 2 * plan.roundNs(List.of(new CellTurn(NOISY, 9)));
        assertEquals(List.of(NOISY), cells(sequence.next(5, runs, oneCellNs, 1)));
    }

    /** Its ratio has no interval, so that nothing is known of its precision; more rounds would not help. */
    @Test
    void aContenderThatFailsInTooManyRoundsIsNotPrecise() {
        List<RunRecord> runs = new ArrayList<>();
        for (RunRecord run : runs(QUIET, 4, 0.005)) {
            boolean fails = run.contender().equals(CABRANK.name()) && run.round() > 2;
            runs.add(
                    fails
                            ? RunRecord.notMeasured(run.round(), run.position(), run.contender(), "it ended", "")
                                    .in(run.cell(), run.slice())
                            : run);
        }
        Precision precision = sequence.precision(runs);
        assertEquals(0, precision.settledCells());
        assertEquals(2, precision.cells().get(0).ratios());
        assertEquals(1, precision.cells().get(0).precise());
        String words = precision.words();
        assertTrue(
                words.contains("Without an interval, because a contender failed: " + QUIET.id()
                        + " (cabrank-epoll-1 : netty-epoll)."),
                words);
        assertFalse(words.contains("longer"), words);
        assertEquals(List.of(), sequence.next(5, runs, 10 * MINUTE, 1));
    }

    @Test
    void aReportShowsTheIntervalsOfItsLooks() {
        MadeUp bench = new MadeUp(1, CABRANK, BASELINE, CONTROL).rounds(4, 3).answersKept(10);
        BenchReport fixed = bench.report(MadeUp.scenarios().subList(0, 1));
        BenchReport looking = bench.looks(LOOKS).report(fixed.scenarios(), fixed.runs());
        Interval interval = interval(looking);
        assertTrue(interval.known());
        assertTrue(interval.method().startsWith("Student's t"), interval.method());
        assertTrue(interval.low() < 1.3 && interval.high() > 1.3, interval.toString());
        assertTrue(interval(fixed).method().contains("sign test"));
    }

    private static Interval interval(BenchReport report) {
        return report.cells()
                .get(0)
                .contenders()
                .get(0)
                .ratios()
                .get(Metric.REQUESTS_PER_SECOND)
                .interval();
    }

    @Test
    void aUserWhoSetsRoundsOrSlicesGetsThem() {
        Plan rounds = Plan.of(CELLS, plan.turnout(), Extent.STANDARD, new MeasuringPace(2, null, null, null));
        assertEquals(null, rounds.looks());
        assertEquals(2, rounds.rounds());
        Plan slices = Plan.of(CELLS, plan.turnout(), Extent.STANDARD, new MeasuringPace(null, 5, null, null));
        assertEquals(null, slices.looks());
        Plan quick = Plan.of(CELLS, plan.turnout(), Extent.QUICK, MeasuringPace.PLANNED);
        assertEquals(null, quick.looks());
    }
}
