package org.cabrank.bench.run;

import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import org.cabrank.bench.fixture.Once;
import org.cabrank.bench.report.RunRecord.Latency;
import org.cabrank.bench.report.RunRecord.Measured;
import org.cabrank.bench.report.RunRecord.Usage;
import org.cabrank.bench.report.Runs;
import org.junit.jupiter.api.Test;

@Once
final class WarmthTest {

    private static final long SECOND = 1_000_000_000;

    private final Warmth warmth = new Warmth();

    private boolean reachedWith(Measured window) {
        warmth.add(window);
        return warmth.reached();
    }

    private static Measured window(long answers, double serverCompiles, double loadCompiles) {
        return Runs.measured(answers, new Latency(1, 1, 1, 1, 0), usage(serverCompiles), 0, usage(loadCompiles));
    }

    private static Usage usage(double compiles) {
        return new Usage(SECOND, 0, Math.round(compiles * SECOND), 50, 50, 0, 0, SECOND);
    }

    @Test
    void warmIsWhatDoesNotGetFaster() {
        assertFalse(reachedWith(window(1_000, 0, 0)), "there is nothing to compare with yet");
        assertFalse(reachedWith(window(1_060, 0, 0)));
        assertTrue(reachedWith(window(1_100, 0, 0)));
        assertTrue(reachedWith(window(700, 0, 0)), "slower is noise");
        assertFalse(reachedWith(window(1_200, 0, 0)), "the fastest counts, not the last");
    }

    @Test
    void nobodyIsWarmWhileEitherSideCompiles() {
        assertFalse(reachedWith(window(1_000, 0.01, 0.01)));
        assertFalse(reachedWith(window(1_000, 0.03, 0)));
        assertFalse(reachedWith(window(1_000, 0, 0.03)));
        assertTrue(reachedWith(window(1_000, 0.01, 0.01)));
    }
}
