package org.cabrank.bench.report.statistics;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.Arrays;
import java.util.List;
import java.util.Random;
import java.util.function.ToDoubleFunction;
import java.util.stream.Stream;
import org.cabrank.bench.fixture.Once;
import org.junit.jupiter.api.Test;

@Once
final class SignTestTest {

    private static final double LEVEL = 0.95;
    private static final int TRIALS = 4_000;

    @Test
    void fivePairsAreTooFewAndSixReachFromTheSmallestToTheLargest() {
        Interval five = SignTest.interval(List.of(0.9, 1.0, 1.1, 1.2, 1.3), LEVEL);
        assertFalse(five.known());
        assertEquals(1.1, five.median());
        Interval six = SignTest.interval(List.of(1.4, 0.9, 1.0, 1.1, 1.2, 1.3), LEVEL);
        assertTrue(six.known());
        assertEquals(0.9, six.low());
        assertEquals(1.4, six.high());
        assertEquals(1.15, six.median(), 1e-9);
        assertEquals(6, six.pairs());
    }

    /** The ranks of the usual tables for a level of 0.95. */
    @Test
    void ranksAreThoseOfTheTables() {
        assertEquals(List.of(0, 0, 1, 1, 1, 2, 2, 2, 3), ranks(1, 5, 6, 7, 8, 9, 10, 11, 12));
        assertEquals(List.of(6, 10, 40), ranks(20, 30, 100));
    }

    @Test
    void noPairsHaveNoMedianAndNoInterval() {
        Interval none = SignTest.interval(List.of(), LEVEL);
        assertEquals(0, none.pairs());
        assertTrue(Double.isNaN(none.median()));
        assertFalse(none.known());
    }

    @Test
    void nanIsRefused() {
        assertThrows(IllegalArgumentException.class, () -> SignTest.interval(List.of(1.0, Double.NaN), LEVEL));
        assertThrows(IllegalArgumentException.class, () -> SignTest.interval(List.of(1.0), 1));
    }

    @Test
    void intervalsHoldTheTrueMedianAtLeastAsOftenAsStated() {
        for (int pairs : new int[] {6, 9, 12, 20}) {
            assertTrue(coverage(pairs, random -> Math.exp(0.05 * random.nextGaussian())) >= LEVEL - 0.012, "normal");
            assertTrue(coverage(pairs, SignTestTest::skewed) >= LEVEL - 0.012, "skewed, with heavy tails");
        }
    }

    /** An interval that is wider than needed sees no difference where there is one. */
    @Test
    void intervalsAreNoWiderThanTheCountsAllow() {
        assertTrue(coverage(20, random -> Math.exp(0.05 * random.nextGaussian())) <= 0.975);
    }

    /** Median 1. */
    private static double skewed(Random random) {
        double below = random.nextDouble();
        return random.nextBoolean() ? 1 - 0.02 * below : 1 + 0.02 / (1 - below);
    }

    private static double coverage(int pairs, ToDoubleFunction<Random> ratio) {
        Random random = new Random(pairs);
        int held = 0;
        for (int trial = 0; trial < TRIALS; trial++) {
            List<Double> ratios = Stream.generate(() -> ratio.applyAsDouble(random))
                    .limit(pairs)
                    .toList();
            if (SignTest.interval(ratios, LEVEL).spansOne()) {
                held++;
            }
        }
        return (double) held / TRIALS;
    }

    private static List<Integer> ranks(int... counts) {
        return Arrays.stream(counts)
                .mapToObj(count -> SignTest.rank(count, LEVEL))
                .toList();
    }
}
