package org.cabrank.lf;

import java.time.Duration;
import java.util.concurrent.locks.LockSupport;
import java.util.function.BooleanSupplier;

/** Waits in real time for what real threads bring about. */
final class Await {
    /** Long enough for anything that a test waits for; {@code cabrank.patience.seconds} (30) for a machine that is emulated. */
    static final Duration PATIENCE = Duration.ofSeconds(Long.getLong("cabrank.patience.seconds", 30));

    private static final long LOOK_NS = 200_000;

    private Await() {}

    /** True as soon as {@code condition} holds; false when it does not within {@code patience}. */
    static boolean until(Duration patience, BooleanSupplier condition) {
        long startNs = System.nanoTime();
        while (!condition.getAsBoolean()) {
            if (System.nanoTime() - startNs > patience.toNanos()) {
                return false;
            }
            LockSupport.parkNanos(LOOK_NS);
        }
        return true;
    }
}
