package org.cabrank.bench.report.statistics;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.List;
import java.util.Random;
import java.util.SortedMap;
import java.util.TreeMap;
import java.util.function.BiFunction;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import org.cabrank.bench.fixture.Once;
import org.junit.jupiter.api.Test;

/** The error of intervals that are looked at again and again, over thousands of made-up benches on a noisy machine. */
@Once
final class RepeatedIntervalTest {

    private static final LookSchedule LOOKS = LookSchedule.STANDARD;
    private static final int BENCHES = 2_000;
    private static final int SLICES = 3;
    private static final double PRECISE = Math.log(1.05);

    /** Three standard deviations of a share of 5 % among so many benches. */
    private static final double CHANCE = 3 * Math.sqrt(0.05 * 0.95 / BENCHES);

    /** Error of a bench that stops when its interval is narrow, and of one that stops when the interval excludes the truth. */
    private record Errors(double precise, double spiteful, double meanRounds) {}

    @Test
    void theErrorIsKeptWhicheverRuleStopsTheBench() {
        Errors errors = errors(RepeatedInterval::of);
        assertTrue(errors.spiteful <= LOOKS.error() + CHANCE, errors.toString());
        assertTrue(errors.precise <= LOOKS.error() + CHANCE, errors.toString());
        assertTrue(errors.meanRounds < LOOKS.roundsMax(), "some benches stop early: " + errors);
    }

    @Test
    void anIntervalThatIgnoresEarlierLooksIsWrongTooOften() {
        Errors errors = errors((ratios, looks) -> {
            LookSchedule once = new LookSchedule(ratios.size(), 1, 1, looks.error());
            return RepeatedInterval.of(ratios, once);
        });
        assertTrue(errors.spiteful > LOOKS.error() + CHANCE, errors.toString());
    }

    @Test
    void anIntervalThatTakesEachPairForAnObservationIsWrongTooOften() {
        Errors errors = errors((ratios, looks) ->
                SignTest.interval(ratios.values().stream().flatMap(List::stream).toList(), 1 - looks.error()));
        assertTrue(errors.spiteful > LOOKS.error() + CHANCE, errors.toString());
    }

    /** More slices follow in noisy benches, as in a real one. */
    private static Errors errors(BiFunction<SortedMap<Integer, List<Double>>, LookSchedule, Interval> rule) {
        Random random = new Random(1);
        int precise = 0;
        int spiteful = 0;
        int rounds = 0;
        for (int bench = 0; bench < BENCHES; bench++) {
            NoisyMachine machine = new NoisyMachine(random);
            SortedMap<Integer, List<Double>> ratios = new TreeMap<>();
            boolean everWrong = false;
            Interval shown = null;
            int slices = SLICES;
            for (int look = 1; look <= LOOKS.looks(); look++) {
                while (ratios.size() < LOOKS.roundsBefore(look)) {
                    ratios.put(ratios.size() + 1, machine.round(slices));
                }
                Interval interval = rule.apply(ratios, LOOKS);
                everWrong |= !interval.spansOne();
                if (shown == null || Math.log(shown.high() / shown.low()) / 2 > PRECISE) {
                    shown = interval;
                    rounds += look == 1 ? LOOKS.firstRound() : LOOKS.roundsBetween();
                }
                slices = Math.log(interval.high() / interval.low()) / 2 > 2 * PRECISE ? 2 * SLICES : SLICES;
            }
            precise += shown.spansOne() ? 0 : 1;
            spiteful += everWrong ? 1 : 0;
        }
        return new Errors((double) precise / BENCHES, (double) spiteful / BENCHES, (double) rounds / BENCHES);
    }

    @Test
    void theErrorsOfAllLooksAddUpToThatOfTheSchedule() {
        assertEquals(
                0.05,
                IntStream.rangeClosed(1, LOOKS.looks())
                        .mapToDouble(LOOKS::errorOf)
                        .sum(),
                1e-12);
        assertEquals(
                List.of(0, 0, 0, 1, 1, 2, 2, 3, 3, 3, 3),
                IntStream.rangeClosed(1, 11).mapToObj(LOOKS::lookAfter).toList());
        assertEquals(
                List.of(4, 6, 8),
                IntStream.rangeClosed(0, 11).filter(LOOKS::follows).boxed().toList());
        assertEquals(8, LOOKS.roundsMax());
        assertThrows(IllegalArgumentException.class, () -> new LookSchedule(2, 1, 1, 0.05));
        assertThrows(IllegalArgumentException.class, () -> new LookSchedule(4, 1, 1, 0));
    }

    /** Values of a table of the t distribution. */
    @Test
    void quantilesAreThoseOfStudentsDistribution() {
        assertEquals(12.706, StudentT.upperQuantile(0.025, 1), 0.001);
        assertEquals(3.182, StudentT.upperQuantile(0.025, 3), 0.001);
        assertEquals(5.841, StudentT.upperQuantile(0.005, 3), 0.001);
        assertEquals(2.262, StudentT.upperQuantile(0.025, 9), 0.001);
        assertEquals(4.297, StudentT.upperQuantile(0.001, 9), 0.001);
        assertEquals(1.980, StudentT.upperQuantile(0.025, 120), 0.001);
        assertEquals(0, StudentT.upperQuantile(0.5, 5), 1e-6);
        assertThrows(IllegalArgumentException.class, () -> StudentT.upperQuantile(0, 5));
        assertThrows(IllegalArgumentException.class, () -> StudentT.upperQuantile(0.1, 0));
    }

    @Test
    void anIntervalIsThatOfTheLastLookAndUnknownBeforeTheFirst() {
        SortedMap<Integer, List<Double>> three = rounds(1.0, 1.1, 1.2);
        assertFalse(RepeatedInterval.of(three, LOOKS).known());
        assertEquals(1.1, RepeatedInterval.of(three, LOOKS).median(), 1e-9);
        assertFalse(RepeatedInterval.of(new TreeMap<>(), LOOKS).known());
        SortedMap<Integer, List<Double>> four = rounds(1.0, 1.1, 1.2, 1.3);
        Interval interval = RepeatedInterval.of(four, LOOKS);
        assertTrue(interval.known());
        assertEquals(4, interval.pairs());
        assertEquals(0.95, interval.level(), 1e-9);
        SortedMap<Integer, List<Double>> five = rounds(1.0, 1.1, 1.2, 1.3, 7.0);
        assertEquals(interval, RepeatedInterval.of(five, LOOKS), "the fifth round waits for its look");
    }

    @Test
    void aPairFarFromTheOthersOfItsRoundMovesNothing() {
        SortedMap<Integer, List<Double>> rounds = new TreeMap<>();
        for (int round = 1; round <= 4; round++) {
            rounds.put(round, List.of(1.0, 1.02, 1.02 + round));
        }
        assertEquals(1.02, RepeatedInterval.of(rounds, LOOKS).median(), 1e-9);
    }

    private static SortedMap<Integer, List<Double>> rounds(double... ratios) {
        return IntStream.rangeClosed(1, ratios.length)
                .boxed()
                .collect(Collectors.toMap(
                        round -> round, round -> List.of(ratios[round - 1]), (one, other) -> one, TreeMap::new));
    }
}
