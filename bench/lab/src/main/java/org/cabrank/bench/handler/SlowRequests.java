package org.cabrank.bench.handler;

import java.util.Objects;
import java.util.concurrent.ThreadLocalRandom;
import java.util.concurrent.locks.LockSupport;
import org.cabrank.bench.text.Durations;

/** Simulates slow requests. On average, {@code permille} of 1,000 requests block for at least {@code timeNs}. */
public record SlowRequests(int permille, long timeNs, BlockingWay way) implements SlowChoice {

    public static final SlowRequests NONE = new SlowRequests(0, 0);

    private static final int ALL = 1_000;

    public SlowRequests {
        Objects.requireNonNull(way);
        if (permille < 0 || permille > ALL) {
            throw new IllegalArgumentException("slow permille is " + permille + ", expected 0 to 1000");
        }
        if (timeNs < 0) {
            throw new IllegalArgumentException("slow time is negative: " + timeNs + " ns");
        }
        if (way == BlockingWay.BURN) {
            BusyWork.checkTime(timeNs);
        }
    }

    public SlowRequests(int permille, long timeNs) {
        this(permille, timeNs, BlockingWay.PARK);
    }

    @Override
    public SlowRequests now() {
        return this;
    }

    public String text() {
        String usual = permille + " ‰ slow for " + Durations.format(timeNs);
        return way == BlockingWay.PARK ? usual : usual + " (" + way + ")";
    }

    public void prepare() {
        if (permille != 0) {
            way.prepare(timeNs);
        }
    }

    /** Must be called once for each request, before its answer. Returns true if the request was slow. */
    public boolean perhapsBlock() {
        boolean slow = drawsSlow();
        if (slow) {
            block();
        }
        return slow;
    }

    boolean drawsSlow() {
        return permille != 0 && ThreadLocalRandom.current().nextInt(ALL) < permille;
    }

    void block() {
        way.block(timeNs);
    }

    /** Returns early if the thread is interrupted, because the thread should then end. */
    static void park(long timeNs) {
        long start = System.nanoTime();
        long left = timeNs;
        while (left > 0) {
            LockSupport.parkNanos(SlowRequests.class, left); // may return early
            if (Thread.currentThread().isInterrupted()) {
                return;
            }
            left = timeNs - (System.nanoTime() - start);
        }
    }
}
