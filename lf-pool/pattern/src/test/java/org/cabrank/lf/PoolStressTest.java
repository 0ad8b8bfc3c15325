package org.cabrank.lf;

import static org.junit.jupiter.api.Assertions.assertTrue;

import java.time.Duration;
import java.util.List;
import java.util.stream.IntStream;
import org.cabrank.lf.handle.Deactivation;
import org.junit.jupiter.api.TestInstance;
import org.junit.jupiter.api.TestInstance.Lifecycle;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/**
 * Every kind of pool under random fire, with a ledger of each event: consumed once, in order, by one thread at a time,
 * and none left over. There is a class for each way to deactivate, so that two JVMs fire at once.
 *
 * <p>{@code cabrank.stress.seconds} is how long each class takes (1), {@code cabrank.soak.seconds} the same where it is set;
 * {@code cabrank.stress.seed} repeats a run's random numbers, though not what the scheduler did. Outside a soak each mode runs with one of
 * the two ways of deactivation.
 */
@TestInstance(Lifecycle.PER_CLASS)
abstract class PoolStressTest {
    private static final long SECONDS_DEFAULT = 1;

    private final List<StressMode> modes;

    PoolStressTest(Deactivation deactivation) {
        List<StressMode> all = StressMode.of(deactivation);
        boolean soak = Long.getLong("cabrank.soak.seconds") != null;
        modes = IntStream.range(0, all.size())
                .filter(i -> soak || i % 2 == deactivation.ordinal())
                .mapToObj(all::get)
                .toList();
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
