package org.cabrank.lf;

import java.util.Queue;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicLong;

/** History of one handle, with checks. */
class Ledger {
    final History history;

    private final String name;
    private final Queue<String> violations;
    private final AtomicInteger running = new AtomicInteger();
    private volatile Thread runner;

    /** The number of the next item; plain on purpose: calls for one handle happen one before the other. */
    private long consumed;

    /** Read at the end by another thread. */
    private volatile long consumedPublished;

    /** Posts that were made, and those that the handler knows to have been called for. */
    final AtomicLong posted = new AtomicLong();

    private volatile long postedSeen;

    volatile boolean timerDue;

    /** Held by the thread that has deactivated the handle, until after it is active again. */
    final AtomicBoolean deactivated = new AtomicBoolean();

    /** The handler has deactivated its own handle: no call before it is reactivated. */
    volatile boolean mustNotRun;

    /** The handler has handed work away: no call before its continuation. */
    volatile boolean workUnderWay;

    private volatile boolean closed;

    Ledger(String name, Queue<String> violations, long startNs) {
        this.name = name;
        this.violations = violations;
        this.history = new History(name, startNs);
    }

    final void violation(String what) {
        violations.add(name + ": " + what + " on " + Thread.currentThread().getName());
    }

    /** A call by the pool. */
    void begin(String what) {
        if (running.incrementAndGet() != 1) {
            violation("two calls at the same time");
        }
        runner = Thread.currentThread();
        history.note(what);
        if (closed) {
            violation("called after handleClosed");
        }
        if (mustNotRun) {
            violation("called while deactivated");
        }
        if (workUnderWay) {
            violation("called while work that it has handed away is under way");
        }
    }

    /** The end of the call, or of the time in which the handle is its caller's. */
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

    long consumed() {
        return consumedPublished;
    }

    /** The handler is called for what was posted. */
    void seePosts() {
        postedSeen = posted.get();
    }

    void closed() {
        if (closed) {
            violation("handleClosed twice");
        }
        if (running.get() > 1 || running.get() == 1 && runner != Thread.currentThread()) {
            violation("handleClosed while a call is running");
        }
        history.note("closed");
        closed = true;
    }

    final boolean isClosed() {
        return closed;
    }

    /** Description of the outstanding events, or null. */
    final String outstanding(long produced) {
        if (closed) {
            return null;
        }
        long items = produced - consumed();
        long posts = posted.get() - postedSeen;
        if (items == 0 && posts == 0 && !timerDue && !workUnderWay) {
            return null;
        }
        return name + ": " + items + " items, " + posts + " posts" + (timerDue ? ", a timer" : "")
                + (workUnderWay ? ", the end of work" : "") + " outstanding";
    }
}
