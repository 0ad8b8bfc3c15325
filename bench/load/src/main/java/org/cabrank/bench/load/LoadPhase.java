package org.cabrank.bench.load;

import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;

/** Phase of a run. The run's controller advances it; workers poll it. */
final class LoadPhase {

    private final CountDownLatch connected;
    private final CountDownLatch ended;
    private volatile boolean measuring;
    private volatile boolean stopping;

    LoadPhase(int workers) {
        connected = new CountDownLatch(workers);
        ended = new CountDownLatch(workers);
    }

    boolean measuring() {
        return measuring;
    }

    boolean stopping() {
        return stopping;
    }

    void measuring(boolean now) {
        measuring = now;
    }

    void stop() {
        stopping = true;
    }

    /** Called once by each worker: its connections stand or have failed. */
    void workerConnected() {
        connected.countDown();
    }

    /** Called once by each worker, last of all. */
    void workerEnded() {
        ended.countDown();
    }

    void awaitConnected() throws InterruptedException {
        connected.await();
    }

    /** Waits for the end of all workers, at most {@code ns}; true when they have ended. */
    boolean awaitEnd(long ns) throws InterruptedException {
        return ended.await(ns, TimeUnit.NANOSECONDS);
    }
}
