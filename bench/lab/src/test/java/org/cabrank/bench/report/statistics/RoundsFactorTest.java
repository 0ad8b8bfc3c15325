package org.cabrank.bench.report.statistics;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.SortedMap;
import java.util.TreeMap;
import java.util.function.BiFunction;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import org.cabrank.bench.fixture.Once;
import org.junit.jupiter.api.Test;

/** The error of a comparison of two benches, over thousands of made-up benches whose pairs of a round depend on each other. */
@Once
final class RoundsFactorTest {

    private static final int COMPARISONS = 1_000;
    private static final int SLICES = 9;
    private static final double LEVEL = 0.99;
    private static final double ERROR = 1 - LEVEL;

    /** Deviation from start to start, of processes whose compilers decide differently: as much as an interval's own noise. */
    private static final double START = 0.06;

    /** Three standard deviations of a share of 1 % among so many comparisons. */
    private static final double CHANCE = 3 * Math.sqrt(ERROR * LEVEL / COMPARISONS);

    @Test
    void theErrorIsKeptWhenPairsOfARoundShareTheirProcesses() {
        assertTrue(error(4, 4, RoundsFactorTest::ofRounds) <= ERROR + CHANCE, "four rounds each");
        assertTrue(error(4, 8, RoundsFactorTest::ofRounds) <= ERROR + CHANCE, "four rounds and eight");
        assertTrue(error(8, 8, RoundsFactorTest::ofRounds) <= ERROR + CHANCE, "eight rounds each");
    }

    /** Each slice becomes a round of one value. That is the error of all methods that take pairs for independent observations. */
    @Test
    void anIntervalThatTakesEachPairForAnObservationIsWrongTooOften() {
        double error = error(4, 4, (before, after) -> ofRounds(pairs(before), pairs(after)));
        assertTrue(error > 2 * (ERROR + CHANCE), error + " of the comparisons");
    }

    @Test
    void aRealDifferenceIsFound() {
        Random random = new Random(4);
        SortedMap<Integer, List<Double>> before = rounds(random, 8, 0.02, 1);
        SortedMap<Integer, List<Double>> slower = rounds(random, 8, 0.02, 0.9);
        Interval factor = ofRounds(before, slower);
        assertTrue(factor.high() < 1, factor.toString());
        assertTrue(factor.low() < 0.9 && factor.high() > 0.9, factor.toString());
    }

    /** The textbook's formula by hand: means 0.1 and 0.3 of logarithms, each with a variance of 0.01. */
    @Test
    void theIntervalIsWelchs() {
        Interval factor = RoundsFactor.of(logs(0, 0.1, 0.2), logs(0.2, 0.3, 0.4), 0.95);
        double half = 2.776 * Math.sqrt(0.01 / 3 + 0.01 / 3);
        assertEquals(0.2, Math.log(factor.median()), 1e-9);
        assertEquals(0.2 - half, Math.log(factor.low()), 1e-3);
        assertEquals(0.2 + half, Math.log(factor.high()), 1e-3);
        assertEquals(3, factor.pairs());
    }

    @Test
    void twoRoundsHaveNoIntervalAndEqualRoundsHaveOneWithoutWidth() {
        assertFalse(RoundsFactor.of(logs(0, 0.1), logs(0, 0.1, 0.2), 0.95).known());
        Interval equal = RoundsFactor.of(logs(0, 0, 0), logs(0.1, 0.1, 0.1), 0.95);
        assertEquals(equal.low(), equal.high());
    }

    @Test
    void valuesBelowOneAreRefused() {
        SortedMap<Integer, List<Double>> zero = new TreeMap<>(Map.of(1, List.of(0.0)));
        assertThrows(IllegalArgumentException.class, () -> RoundsFactor.of(zero, logs(1), 0.95));
        assertThrows(IllegalArgumentException.class, () -> RoundsFactor.of(logs(1), logs(1), 1));
    }

    private static Interval ofRounds(SortedMap<Integer, List<Double>> before, SortedMap<Integer, List<Double>> after) {
        return RoundsFactor.of(before, after, LEVEL);
    }

    private static double error(
            int before,
            int after,
            BiFunction<SortedMap<Integer, List<Double>>, SortedMap<Integer, List<Double>>, Interval> rule) {
        Random random = new Random(2);
        int wrong = 0;
        for (int i = 0; i < COMPARISONS; i++) {
            wrong += rule.apply(machine(random, before), machine(random, after)).spansOne() ? 0 : 1;
        }
        return (double) wrong / COMPARISONS;
    }

    private static SortedMap<Integer, List<Double>> machine(Random random, int rounds) {
        NoisyMachine machine = new NoisyMachine(random, START);
        SortedMap<Integer, List<Double>> ratios = new TreeMap<>();
        IntStream.rangeClosed(1, rounds).forEach(round -> ratios.put(round, machine.round(SLICES)));
        return ratios;
    }

    private static SortedMap<Integer, List<Double>> pairs(SortedMap<Integer, List<Double>> rounds) {
        SortedMap<Integer, List<Double>> pairs = new TreeMap<>();
        rounds.values().stream().flatMap(List::stream).forEach(pair -> pairs.put(pairs.size() + 1, List.of(pair)));
        return pairs;
    }

    private static SortedMap<Integer, List<Double>> rounds(Random random, int count, double deviation, double median) {
        return IntStream.rangeClosed(1, count)
                .boxed()
                .collect(Collectors.toMap(
                        round -> round,
                        round -> List.of(median * Math.exp(deviation * random.nextGaussian())),
                        (one, other) -> one,
                        TreeMap::new));
    }

    private static SortedMap<Integer, List<Double>> logs(double... logs) {
        SortedMap<Integer, List<Double>> rounds = new TreeMap<>();
        for (double log : logs) {
            rounds.put(rounds.size() + 1, List.of(Math.exp(log)));
        }
        return rounds;
    }
}
