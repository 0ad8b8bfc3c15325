package org.cabrank.bench.handler;

/**
 * Duration of a step of {@link BusyWork}. It is computed from the shortest of many batches, because preemption or uncompiled code can only
 * make a batch longer. {@code disagreement} is the relative difference of the last two results.
 */
public record Calibration(double nsPerStep, double disagreement) {

    static final double AGREEMENT = 0.01;

    private static final int MEASUREMENTS_MAX = 50;

    private static final int BATCHES = 400;
    private static final int BATCH_STEPS = 10_000;

    interface Clock {
        long batchNs(int steps);
    }

    /** Takes 50 to 100 ms of the calling thread. */
    static Calibration ofThisThread() {
        return measure(Calibration::timeOnThisThread);
    }

    static Calibration measure(Clock clock) {
        double before = shortestBatchNs(clock);
        double disagreement = 1;
        for (int i = 1; i < MEASUREMENTS_MAX && disagreement > AGREEMENT; i++) {
            double now = shortestBatchNs(clock);
            disagreement = Math.abs(now - before) / Math.min(now, before);
            before = now;
        }
        return new Calibration(before / BATCH_STEPS, disagreement);
    }

    private static double shortestBatchNs(Clock clock) {
        long shortest = Long.MAX_VALUE;
        for (int i = 0; i < BATCHES; i++) {
            shortest = Math.min(shortest, clock.batchNs(BATCH_STEPS));
        }
        return Math.max(1, shortest);
    }

    private static long timeOnThisThread(int steps) {
        BusyWork batch = new BusyWork(steps);
        long start = System.nanoTime();
        batch.perform();
        return System.nanoTime() - start;
    }
}
