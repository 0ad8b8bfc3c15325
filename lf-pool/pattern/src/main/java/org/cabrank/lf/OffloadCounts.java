package org.cabrank.lf;

import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.LongAdder;

/** What has become of the work that the handlers of a set have handed away. Any thread. */
final class OffloadCounts {
    private final LongAdder begun = new LongAdder();
    private final LongAdder refused = new LongAdder();
    private final LongAdder failed = new LongAdder();
    private final LongAdder dropped = new LongAdder();
    private final AtomicInteger owed = new AtomicInteger();

    /** Handed to an executor, or about to be. */
    void begin() {
        begun.increment();
        owed.incrementAndGet();
    }

    /** The executor has rejected it. */
    void refuse() {
        refused.increment();
    }

    /** The work threw. */
    void fail() {
        failed.increment();
    }

    /** The handle was closed before the result was given to it. */
    void drop() {
        dropped.increment();
    }

    /** Nothing more is to be done for one that was begun; true: nor for any other. */
    boolean settle() {
        return owed.decrementAndGet() == 0;
    }

    /** Whether handlers are to be gone on with. */
    boolean isOwed() {
        return owed.get() > 0;
    }

    long begunCount() {
        return begun.sum();
    }

    long refusedCount() {
        return refused.sum();
    }

    long failedCount() {
        return failed.sum();
    }

    long droppedCount() {
        return dropped.sum();
    }
}
