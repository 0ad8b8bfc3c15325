package org.cabrank.socket.transport;

import java.util.concurrent.CompletableFuture;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.LongAdder;
import org.cabrank.stream.ListenerCounters;

/** State that the listeners of all shards at one address share. Thread-safe. */
final class ListenerState {
    private final LongAdder accepted = new LongAdder();
    private final LongAdder refused = new LongAdder();
    private final LongAdder overLimit = new LongAdder();
    private final LongAdder acceptFailures = new LongAdder();
    private final LongAdder ratePauses = new LongAdder();

    /** Number of open sockets, plus 1 until all sockets are opened. Until then the close of a socket must not end the listener. */
    private final AtomicInteger openSockets = new AtomicInteger(1);

    private final CompletableFuture<Void> closed = new CompletableFuture<>();
    private volatile boolean paused;

    boolean isPaused() {
        return paused;
    }

    void paused(boolean changed) {
        paused = changed;
    }

    void socketOpened() {
        openSockets.incrementAndGet();
    }

    void socketClosedOrAllOpened() {
        if (openSockets.decrementAndGet() == 0) {
            closed.complete(null);
        }
    }

    CompletableFuture<Void> closed() {
        return closed.copy();
    }

    void countAccepted() {
        accepted.increment();
    }

    void countRefused() {
        refused.increment();
    }

    void countOverLimit() {
        overLimit.increment();
    }

    void countAcceptFailure() {
        acceptFailures.increment();
    }

    void countRatePause() {
        ratePauses.increment();
    }

    ListenerCounters counters() {
        return new ListenerCounters(
                accepted.sum(), refused.sum(), overLimit.sum(), acceptFailures.sum(), ratePauses.sum());
    }
}
