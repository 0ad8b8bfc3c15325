package org.cabrank.lf;

import static org.junit.jupiter.api.Assertions.assertTrue;

import java.time.Duration;
import java.util.List;
import org.junit.jupiter.api.TestInstance;
import org.junit.jupiter.api.TestInstance.Lifecycle;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/**
 * Every kind of pool under random fire, with a ledger of each event: consumed once, in order, by one thread at a time,
 * and none left over. There is a class for each way to deactivate, so that two JVMs fire at once.
 *
 * <p>{@code cabrank.stress.seconds} is how long each class takes (6, and 4 on JDK 17), {@code cabrank.soak.seconds} the
 * same where it is set; {@code cabrank.stress.seed} repeats a run's random numbers, though not what the scheduler did.
 */
@TestInstance(Lifecycle.PER_CLASS)
abstract class PoolStressTest {
    /** In a build on the newest JDK, and in one beside it on JDK 17. */
    private static final long SECONDS_DEFAULT = Runtime.version().feature() >= 22 ? 6 : 4;

    private final List<StressMode> modes;

    PoolStressTest(Deactivation deactivation) {
        modes = StressMode.of(deactivation);
    }

    List<StressMode> modes() {
        return modes;
    }

    @ParameterizedTest
    @MethodSource("modes")
    void everyEventIsConsumedOnceInOrderAndByOneThreadAtATime(StressMode mode) throws InterruptedException {
        long seconds = Long.getLong("cabrank.soak.seconds", Long.getLong("cabrank.stress.seconds", SECONDS_DEFAULT));
        long seed = Long.getLong("cabrank.stress.seed", System.nanoTime());
        StressRun run = new StressRun(mode, seed);
        run.run(Duration.ofSeconds(seconds).dividedBy(modes.size()));
        assertTrue(
                run.violations.isEmpty(),
                () -> "-Dcabrank.stress.seed=" + seed + " " + mode + " " + run.pool.counters() + "\n"
                        + String.join("\n", run.violations.stream().limit(20).toList())
                        + "\nthe last events:\n" + String.join("\n", run.lastEvents()));
        assertTrue(run.pool.counters().processed() > 0);
        if (Boolean.getBoolean("cabrank.stress.print")) {
            System.out.println(mode + " " + run.pool.counters());
        }
    }
}
