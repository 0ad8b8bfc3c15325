package org.cabrank.bench.report;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import org.cabrank.bench.report.GeneratorCheck.Outcome;
import org.cabrank.bench.report.statistics.Interval;
import org.junit.jupiter.api.Test;

final class GeneratorCheckTest {

    @Test
    void generatorsAgreeOrDisagreeIfTheWholeIntervalDoes() {
        assertEquals(Outcome.AGREE, check(1.07).outcome());
        assertEquals(Outcome.AGREE, check(0.94).outcome());
        assertEquals(Outcome.DISAGREE, check(1.13).outcome());
        assertEquals(Outcome.DISAGREE, check(0.88).outcome());
    }

    @Test
    void noiseAcrossTheLimitTellsNothing() {
        assertEquals(Outcome.CANNOT_TELL, check(1.09).outcome());
        assertEquals(Outcome.CANNOT_TELL, check(1.11).outcome());
        assertEquals(Outcome.CANNOT_TELL, check(0.91).outcome());
        assertEquals(Outcome.CANNOT_TELL, check(1, 0.3).outcome());
        assertEquals(Outcome.CANNOT_TELL, check(Double.NaN).outcome());
        assertTrue(
                check(1.11).words().contains("the noise does not tell, in http/64"),
                check(1.11).words());
        assertTrue(
                check(Double.NaN).words().endsWith("(no interval from 6 turns)."),
                check(Double.NaN).words());
    }

    @Test
    void theSentenceNamesBothRatesAndTheRatio() {
        assertEquals(
                "Load generators DISAGREE by more than 10 %, in http/64 on nio: h2load reported 80,000 requests/s, wrk"
                        + " 100,000, a ratio of 0.80 (95 % interval 0.78–0.82).",
                check(0.8).words());
        assertTrue(check(1).words().startsWith("Load generators agree within 10 %, in http/64"));
    }

    private static GeneratorCheck check(double ratio) {
        return check(ratio, 0.02);
    }

    private static GeneratorCheck check(double ratio, double halfWidth) {
        return new GeneratorCheck(
                "http/64",
                "nio",
                "wrk",
                "h2load",
                100_000,
                100_000 * ratio,
                new Interval(ratio, ratio - halfWidth, ratio + halfWidth, 0.95, 6, "made up"));
    }
}
