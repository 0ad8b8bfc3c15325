package org.cabrank.lf.stream.contract;

import java.util.concurrent.locks.LockSupport;
import java.util.function.BooleanSupplier;

/** Waits for a condition, which is looked at often, until a deadline that only a defect lets pass. */
public final class Await {
    /**
     * Long enough for anything that a test waits for, on a slow and busy machine; {@code cabrank.patience.seconds} (20) for one
     * that is emulated.
     */
    public static final long PATIENCE_NS = Long.getLong("cabrank.patience.seconds", 20) * 1_000_000_000;

    private static final long LOOK_NS = 200_000;

    private Await() {}

    public static void until(String what, BooleanSupplier condition) {
        long deadlineNs = System.nanoTime() + PATIENCE_NS;
        while (!condition.getAsBoolean()) {
            if (System.nanoTime() - deadlineNs > 0) {
                throw new AssertionError("not within " + PATIENCE_NS / 1_000_000_000 + " s: " + what);
            }
            LockSupport.parkNanos(LOOK_NS);
        }
    }
}
