package org.cabrank.lf.counting;

import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.LongAdder;

/** Counts of the offloaded work of a set's handlers. Any thread may call any method. */
public final class OffloadCounts {
    private final LongAdder begun = new LongAdder();
    private final LongAdder refused = new LongAdder();
    private final LongAdder failed = new LongAdder();
    private final LongAdder dropped = new LongAdder();
    private final AtomicInteger unfinished = new AtomicInteger();

    public void begin() {
        begun.increment();
        unfinished.incrementAndGet();
    }

    public void refuse() {
        refused.increment();
    }

    public void fail() {
        failed.increment();
    }

    public void drop() {
        dropped.increment();
    }

    /** Counts the end of an offload. Returns true if no unfinished offload is left. */
    public boolean finish() {
        return unfinished.decrementAndGet() == 0;
    }

    public boolean hasUnfinished() {
        return unfinished.get() > 0;
    }

    public long begunCount() {
        return begun.sum();
    }

    public long refusedCount() {
        return refused.sum();
    }

    public long failedCount() {
        return failed.sum();
    }

    public long droppedCount() {
        return dropped.sum();
    }
}
