package org.cabrank.lf;

import java.util.Queue;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.AtomicInteger;

/** The ledger of a concurrent handle: several calls at a time, items in any order but each once, and the close alone. */
final class SharedLedger extends Ledger {
    private final Set<Long> consumed = ConcurrentHashMap.newKeySet();
    private final AtomicInteger inside = new AtomicInteger();

    SharedLedger(String name, Queue<String> violations, long startNs) {
        super(name, violations, startNs);
    }

    @Override
    void begin(String what) {
        inside.incrementAndGet();
        if (isClosed()) {
            violation("called after handleClosed");
        }
    }

    @Override
    void end() {
        inside.decrementAndGet();
    }

    @Override
    void consume(long item) {
        if (!consumed.add(item)) {
            violation("item " + item + " came twice");
        }
    }

    @Override
    long consumed() {
        return consumed.size();
    }

    @Override
    synchronized void seePosts() {
        super.seePosts();
    }

    @Override
    void closed() {
        if (inside.get() != 0) {
            violation("handleClosed with " + inside.get() + " calls inside");
        }
        super.closed();
    }
}
