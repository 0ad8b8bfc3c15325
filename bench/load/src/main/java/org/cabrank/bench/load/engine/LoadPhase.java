package org.cabrank.bench.load.engine;

import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;

/** Phase of a run. The controller advances it, and workers poll it. */
public final class LoadPhase {

    private final CountDownLatch connected;
    private final CountDownLatch ended;
    private volatile boolean measuring;
    private volatile boolean stopping;

    public LoadPhase(int workers) {
        connected = new CountDownLatch(workers);
        ended = new CountDownLatch(workers);
    }

    public boolean measuring() {
        return measuring;
    }

    public boolean stopping() {
        return stopping;
    }

    public void measuring(boolean now) {
        measuring = now;
    }

    public void stop() {
        stopping = true;
    }

    /** Called once by each worker, when each of its connections has had its first answer or has failed. */
    public void workerConnected() {
        connected.countDown();
    }

    public void workerEnded() {
        ended.countDown();
    }

    public void awaitConnected() throws InterruptedException {
        connected.await();
    }

    /** Waits at most {@code ns} until all workers have ended. Returns true if they have ended. */
    public boolean awaitEnd(long ns) throws InterruptedException {
        return ended.await(ns, TimeUnit.NANOSECONDS);
    }
}
