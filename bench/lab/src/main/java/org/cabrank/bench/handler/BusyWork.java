package org.cabrank.bench.handler;

/** Simulates computing. The number of steps is fixed, not the time. So a thread does the same work even if it is preempted. */
public record BusyWork(int steps) {

    public static final BusyWork NONE = new BusyWork(0);

    public static final long TIME_MAX_NS = 100_000_000;

    private static final long MULTIPLIER = 6_364_136_223_846_793_005L;

    /** Never assigned. But the compiler cannot know that, so it cannot omit the steps. */
    private static long unlikely;

    /** Created on first use, so that a server without busy work does not calibrate. */
    private static final class Measured {
        static final Calibration HERE = Calibration.ofThisThread();
    }

    public BusyWork {
        if (steps < 0) {
            throw new IllegalArgumentException("steps is negative: " + steps);
        }
    }

    /** Returns work that takes {@code timeNs} on a CPU without other threads. */
    public static BusyWork lasting(long timeNs) {
        checkTime(timeNs);
        return timeNs == 0
                ? NONE
                : new BusyWork(
                        (int) Math.max(1, Math.round(timeNs / calibration().nsPerStep())));
    }

    public static void checkTime(long timeNs) {
        if (timeNs < 0 || timeNs > TIME_MAX_NS) {
            throw new IllegalArgumentException(
                    "work per request is " + timeNs / 1_000 + "us, expected 0us to " + TIME_MAX_NS / 1_000_000 + "ms");
        }
    }

    /** Returns the calibration of this process. The first call measures it. */
    public static Calibration calibration() {
        return Measured.HERE;
    }

    public void perform() {
        long value = steps;
        for (int step = 0; step < steps; step++) {
            // The shift keeps the compiler from folding several steps into one multiplication.
            value = (value ^ value >>> 29) * MULTIPLIER + 1;
        }
        if (value == 0) {
            unlikely = value;
        }
    }
}
