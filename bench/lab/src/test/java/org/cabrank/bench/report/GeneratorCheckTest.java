package org.cabrank.bench.report;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import org.cabrank.bench.report.statistics.Interval;
import org.junit.jupiter.api.Test;

final class GeneratorCheckTest {

    @Test
    void generatorsDisagreeIfTheirRatesDifferByMoreThanATenth() {
        assertFalse(check(1.09).disagrees());
        assertFalse(check(0.92).disagrees());
        assertTrue(check(1.11).disagrees());
        assertTrue(check(0.9).disagrees());
        assertTrue(check(Double.NaN).disagrees(), "nothing shows that they agree");
    }

    @Test
    void theSentenceNamesBothRatesAndTheRatio() {
        assertEquals(
                "Load generators DISAGREE by more than 10 % in http/64 on nio: h2load reported 80,000 requests/s, wrk"
                        + " 100,000, a ratio of 0.80 (0.78–0.82).",
                check(0.8).words());
        assertTrue(check(1).words().startsWith("Load generators agree in http/64"));
    }

    private static GeneratorCheck check(double ratio) {
        return new GeneratorCheck(
                "http/64",
                "nio",
                "wrk",
                "h2load",
                100_000,
                100_000 * ratio,
                new Interval(ratio, ratio - 0.02, ratio + 0.02, 0.95, 6, "made up"));
    }
}
