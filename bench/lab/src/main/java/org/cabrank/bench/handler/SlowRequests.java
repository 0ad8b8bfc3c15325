package org.cabrank.bench.handler;

import java.util.concurrent.ThreadLocalRandom;
import java.util.concurrent.locks.LockSupport;

/**
 * Simulated slowness of handlers: {@code permille} of 1,000 requests, chosen at random, block their thread for
 * {@code timeNs} before the answer. Every server of the bench uses this class, so that all are equally slow. Safe for use
 * by any thread.
 *
 * @param permille 0 (never) to 1,000 (always)
 * @param timeNs minimum time in ns for which a slow request blocks
 */
public record SlowRequests(int permille, long timeNs) {

    /** No request is slow. */
    public static final SlowRequests NONE = new SlowRequests(0, 0);

    public SlowRequests {
        if (permille < 0 || permille > 1_000) {
            throw new IllegalArgumentException("slow permille is " + permille + ", expected 0 to 1000");
        }
        if (timeNs < 0) {
            throw new IllegalArgumentException("slow time is negative: " + timeNs + " ns");
        }
    }

    /**
     * Called once per request, before its answer: returns at once, or blocks for {@link #timeNs}. Returns true if the request was a slow
     * one.
     */
    public boolean perhapsBlock() {
        boolean slow = drawsSlow();
        if (slow) {
            block();
        }
        return slow;
    }

    /** Returns true if this request is a slow one: decides at random on each call. */
    boolean drawsSlow() {
        return permille != 0 && ThreadLocalRandom.current().nextInt(1_000) < permille;
    }

    /** Blocks the calling thread as a slow request does. */
    void block() {
        long start = System.nanoTime();
        long left = timeNs;
        while (left > 0) {
            // parkNanos may return early, and returns at once for an interrupted thread: then the thread is being
            // stopped and has no time to waste.
            LockSupport.parkNanos(this, left);
            if (Thread.currentThread().isInterrupted()) {
                return;
            }
            left = timeNs - (System.nanoTime() - start);
        }
    }
}
