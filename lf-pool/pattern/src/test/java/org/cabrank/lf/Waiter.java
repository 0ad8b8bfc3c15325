package org.cabrank.lf;

import java.util.concurrent.Callable;

/** A thread of a test that waits for a reply, and how that ended. */
final class Waiter {
    final Thread thread;
    private volatile Object value;
    private volatile Throwable thrown;
    private volatile boolean interrupted;

    Waiter(String name, Callable<?> waiting) {
        thread = new Thread(
                () -> {
                    try {
                        value = waiting.call();
                    } catch (Throwable failure) {
                        thrown = failure;
                    }
                    interrupted = Thread.currentThread().isInterrupted();
                },
                name);
        thread.start();
    }

    boolean isOver() {
        return !thread.isAlive();
    }

    /** Result of the wait. */
    Object value() {
        return value;
    }

    /** Exception of the wait, or null. */
    Throwable thrown() {
        return thrown;
    }

    boolean leftInterrupted() {
        return interrupted;
    }
}
