package org.cabrank.bench.report.statistics;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.List;
import java.util.Random;
import java.util.stream.Stream;
import org.cabrank.bench.fixture.Once;
import org.junit.jupiter.api.Test;

@Once
final class RankSumTest {

    /** One more than the critical values of the two-sided test in the usual tables. */
    @Test
    void ranksAreThoseOfTheTables() {
        assertEquals(0, RankSum.rank(3, 3, 0.95));
        assertEquals(1, RankSum.rank(4, 4, 0.95));
        assertEquals(3, RankSum.rank(5, 5, 0.95));
        assertEquals(6, RankSum.rank(6, 6, 0.95));
        assertEquals(24, RankSum.rank(10, 10, 0.95));
        assertEquals(7, RankSum.rank(5, 8, 0.95));
        assertEquals(0, RankSum.rank(4, 4, 0.99));
        assertEquals(1, RankSum.rank(5, 5, 0.99));
    }

    @Test
    void theFactorIsTheMedianOfAllRatios() {
        Interval factor = RankSum.factor(List.of(1.0, 2.0, 4.0), List.of(8.0, 2.0, 4.0), 0.95);
        assertEquals(2.0, factor.median());
        assertFalse(factor.known());
    }

    @Test
    void intervalsHoldTheTrueFactorAtLeastAsOftenAsStated() {
        Random random = new Random(1);
        int held = 0;
        for (int trial = 0; trial < 2_000; trial++) {
            Interval factor = RankSum.factor(sample(random, 9, 1), sample(random, 9, 1.3), 0.95);
            if (factor.low() <= 1.3 && factor.high() >= 1.3) {
                held++;
            }
        }
        assertTrue(held >= 2_000 * 0.935 && held <= 2_000 * 0.98, held + " of 2000");
    }

    @Test
    void whatIsNotPositiveIsRefused() {
        assertThrows(IllegalArgumentException.class, () -> RankSum.factor(List.of(1.0), List.of(0.0), 0.95));
    }

    private static List<Double> sample(Random random, int count, double median) {
        return Stream.generate(() -> median * Math.exp(0.1 * random.nextGaussian()))
                .limit(count)
                .toList();
    }
}
