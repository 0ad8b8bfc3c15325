package org.cabrank.lf;

import java.time.Duration;

/** A thread of a test that joins a pool, and how that ended. */
final class JoiningThread {
    final Thread thread;
    private volatile boolean stopped;
    private volatile boolean interrupted;
    private volatile Throwable thrown;

    /** @param timeout null: no time-out */
    JoiningThread(String name, LeaderFollowersPool pool, Duration timeout) {
        thread = new Thread(
                () -> {
                    try {
                        if (timeout == null) {
                            pool.join();
                            stopped = true;
                        } else {
                            stopped = pool.join(timeout);
                        }
                    } catch (Throwable failure) {
                        thrown = failure;
                    }
                    interrupted = Thread.currentThread().isInterrupted();
                },
                name);
        thread.start();
    }

    boolean hasLeft() {
        return !thread.isAlive();
    }

    /** It left because the pool stopped. */
    boolean wasStopped() {
        return hasLeft() && thrown == null && stopped;
    }

    /** It left because its time was up. */
    boolean timedOut() {
        return hasLeft() && thrown == null && !stopped;
    }

    boolean leftInterrupted() {
        return hasLeft() && interrupted;
    }

    Throwable thrown() {
        return thrown;
    }
}
