package org.cabrank.lf;

import java.util.Queue;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicLong;

/** What has happened to one handle, and whether it may have. */
final class Ledger {
    private final String name;
    private final Queue<String> violations;
    private final AtomicInteger running = new AtomicInteger();
    private volatile Thread runner;

    /** The number of the next item; plain on purpose: calls for one handle happen one before the other. */
    private long consumed;

    /** Read at the end by another thread. */
    volatile long consumedPublished;

    /** Posts that were made, and those that the handler knows to have been called for. */
    final AtomicLong posted = new AtomicLong();

    volatile long postedSeen;

    volatile boolean timerDue;

    /** Held by the thread that has deactivated the handle, until after it is active again. */
    final AtomicBoolean deactivated = new AtomicBoolean();

    /** The handler has deactivated its own handle: no call before it is reactivated. */
    volatile boolean mustNotRun;

    private volatile boolean closed;

    Ledger(String name, Queue<String> violations) {
        this.name = name;
        this.violations = violations;
    }

    void violation(String what) {
        violations.add(name + ": " + what + " on " + Thread.currentThread().getName());
    }

    void begin() {
        if (running.incrementAndGet() != 1) {
            violation("two calls at the same time");
        }
        runner = Thread.currentThread();
        if (closed) {
            violation("called after handleClosed");
        }
        if (mustNotRun) {
            violation("called while deactivated");
        }
    }

    void end() {
        runner = null;
        running.decrementAndGet();
    }

    void consume(long item) {
        if (item != consumed) {
            violation("item " + item + " came where " + consumed + " was due");
        }
        consumed = item + 1;
        consumedPublished = consumed;
    }

    void closed() {
        if (closed) {
            violation("handleClosed twice");
        }
        if (running.get() > 1 || running.get() == 1 && runner != Thread.currentThread()) {
            violation("handleClosed while a call is running");
        }
        closed = true;
    }

    boolean isClosed() {
        return closed;
    }

    /** Why there is still something to do, or null. */
    String outstanding(long produced) {
        if (closed) {
            return null;
        }
        long items = produced - consumedPublished;
        long posts = posted.get() - postedSeen;
        if (items == 0 && posts == 0 && !timerDue) {
            return null;
        }
        return name + ": " + items + " items, " + posts + " posts" + (timerDue ? ", a timer" : "") + " outstanding";
    }
}
