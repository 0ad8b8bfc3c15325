package org.cabrank.lf;

import static org.junit.jupiter.api.Assertions.assertTrue;

import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/**
 * Every kind of pool under random fire, with a ledger of each event: consumed once, in order, by one thread at a time,
 * and none left over.
 *
 * <p>{@code cabrank.stress.seconds} is how long all of it takes (20), {@code cabrank.soak.seconds} the same where it is
 * set; {@code cabrank.stress.seed} repeats a run's random numbers, though not what the scheduler did.
 */
class PoolStressTest {
    private static final List<StressMode> MODES = modes();
    private static Thread.UncaughtExceptionHandler before;

    static List<StressMode> modes() {
        List<StressMode> modes = new ArrayList<>();
        List<Promotion> promotions = List.of(
                Promotion.eager(),
                Promotion.deferred(Duration.ofNanos(10_000)),
                Promotion.deferred(Duration.ofMillis(1)));
        Waiting spin = Waiting.spinThenBlock(Duration.ofNanos(20_000));
        for (Deactivation deactivation : Deactivation.values()) {
            for (Promotion promotion : promotions) {
                modes.add(new StressMode(promotion, deactivation, 1, Waiting.block(), false));
                modes.add(new StressMode(promotion, deactivation, 2, Waiting.block(), false));
                modes.add(new StressMode(promotion, deactivation, 4, Waiting.block(), false));
                modes.add(new StressMode(promotion, deactivation, 4, Waiting.block(), true));
            }
            modes.add(new StressMode(promotions.get(0), deactivation, 2, spin, true));
            modes.add(new StressMode(promotions.get(1), deactivation, 2, spin, false));
        }
        return modes;
    }

    @BeforeAll
    static void expectFatalities() {
        before = Thread.getDefaultUncaughtExceptionHandler();
        Thread.setDefaultUncaughtExceptionHandler((thread, failure) -> {
            if (!(failure instanceof ChaosHandler.Fatality)) {
                failure.printStackTrace();
            }
        });
    }

    @AfterAll
    static void expectNone() {
        Thread.setDefaultUncaughtExceptionHandler(before);
    }

    @ParameterizedTest
    @MethodSource("modes")
    void everyEventIsConsumedOnceInOrderAndByOneThreadAtATime(StressMode mode) throws InterruptedException {
        long seconds = Long.getLong("cabrank.soak.seconds", Long.getLong("cabrank.stress.seconds", 20));
        long seed = Long.getLong("cabrank.stress.seed", System.nanoTime());
        StressRun run = new StressRun(mode, seed);
        run.run(Duration.ofSeconds(seconds).dividedBy(MODES.size()));
        assertTrue(
                run.violations.isEmpty(),
                () -> "-Dcabrank.stress.seed=" + seed + " " + mode + " " + run.pool.counters() + "\n"
                        + String.join("\n", run.violations.stream().limit(20).toList()));
        assertTrue(run.pool.counters().processed() > 0);
        if (Boolean.getBoolean("cabrank.stress.print")) {
            System.out.println(mode + " " + run.pool.counters());
        }
    }
}
