package org.cabrank.bench.report.statistics;

import static org.junit.jupiter.api.Assertions.assertEquals;

import org.junit.jupiter.api.Test;

final class VerdictTest {

    private static final Interval NOISE = interval(0.98, 1.00, 1.03);

    @Test
    void anIntervalThatSpansOneIsNoDifference() {
        assertEquals(Verdict.NO_DIFFERENCE_SEEN, Verdict.of(interval(0.99, 1.01, 1.04), null, true));
        assertEquals(Verdict.NO_DIFFERENCE_SEEN, Verdict.of(interval(1.00, 1.02, 1.04), NOISE, true));
    }

    @Test
    void noiseThatMayHideMoreThanFivePercentCannotTell() {
        assertEquals(Verdict.CANNOT_TELL, Verdict.of(interval(0.99, 1.2, 1.4), null, true));
        assertEquals(Verdict.CANNOT_TELL, Verdict.of(interval(0.90, 0.99, 1.01), NOISE, true));
        assertEquals(Verdict.CANNOT_TELL, Verdict.of(interval(0.99, 1.01, 1.02), interval(0.9, 1, 1.2), true));
        assertEquals(Verdict.CANNOT_TELL, Verdict.of(interval(1.01, 1.02, 1.025), interval(0.9, 1, 1.2), true));
    }

    @Test
    void differenceWithinTheNoiseOfTheBaselineIsNone() {
        assertEquals(Verdict.NO_DIFFERENCE_SEEN, Verdict.of(interval(1.01, 1.02, 1.025), NOISE, true));
        // 0.975 is 1 / 1.026: the noise floor holds in both directions.
        assertEquals(Verdict.NO_DIFFERENCE_SEEN, Verdict.of(interval(0.97, 0.975, 0.98), NOISE, true));
        assertEquals(Verdict.BETTER, Verdict.of(interval(1.01, 1.02, 1.025), null, true));
    }

    @Test
    void aDifferenceAboveTheNoiseIsSeenInItsDirection() {
        assertEquals(Verdict.BETTER, Verdict.of(interval(1.02, 1.05, 1.08), NOISE, true));
        assertEquals(Verdict.WORSE, Verdict.of(interval(1.02, 1.05, 1.08), NOISE, false));
        assertEquals(Verdict.WORSE, Verdict.of(interval(0.80, 0.90, 0.95), NOISE, true));
        assertEquals(Verdict.BETTER, Verdict.of(interval(0.80, 0.90, 0.95), NOISE, false));
    }

    @Test
    void withoutAnIntervalNothingCanBeSaid() {
        assertEquals(Verdict.TOO_FEW_PAIRS, Verdict.of(interval(Double.NaN, 2, Double.NaN), NOISE, true));
    }

    private static Interval interval(double low, double median, double high) {
        return new Interval(median, low, high, 6);
    }
}
