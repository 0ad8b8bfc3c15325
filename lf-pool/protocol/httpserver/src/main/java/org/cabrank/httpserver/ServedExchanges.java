package org.cabrank.httpserver;

import java.util.concurrent.atomic.AtomicLong;
import java.util.concurrent.atomic.LongAdder;
import java.util.concurrent.locks.Condition;
import java.util.concurrent.locks.ReentrantLock;
import org.cabrank.lf.failure.FailureLog;

/** The exchanges of one server: their settings, waits, number and outcomes. Any thread may use this object. */
final class ServedExchanges {
    final HttpServerSettings settings;
    final LeaderWaits waits;
    private final FailureLog failures = new FailureLog(ServedExchanges.class);
    private final LongAdder begun = new LongAdder();
    private final LongAdder handlerFailures = new LongAdder();
    private final LongAdder rejected = new LongAdder();

    /**
     * Number of incomplete exchanges. {@link #complete} changes the number, and then reads {@link #ending}. {@link #awaitNone} reads the
     * number after {@code ending} was set. Therefore it misses no end of an exchange.
     */
    private final AtomicLong active = new AtomicLong();

    private volatile boolean ending;
    private final ReentrantLock lock = new ReentrantLock();
    private final Condition noneActive = lock.newCondition();

    ServedExchanges(HttpServerSettings settings) {
        this.settings = settings;
        this.waits = new LeaderWaits(settings.shards());
    }

    void begin() {
        begun.increment();
        active.incrementAndGet();
    }

    void complete() {
        if (active.decrementAndGet() == 0 && ending) {
            lock.lock();
            try {
                noneActive.signalAll();
            } finally {
                lock.unlock();
            }
        }
    }

    void countFailure() {
        handlerFailures.increment();
    }

    void noteFailure(ServedExchange exchange, Throwable thrown) {
        countFailure();
        failures.log("a handler of %s has failed", exchange, thrown);
    }

    void noteRejection(ServedExchange exchange, Throwable thrown) {
        rejected.increment();
        failures.log("the executor has refused %s", exchange, thrown);
    }

    /** Called when the server stops. From now on, each answer ends its connection. */
    void end() {
        ending = true;
    }

    boolean isEnding() {
        return ending;
    }

    /** Waits until no exchange is active. Called after {@link #end}. Returns false if the time is over first. */
    boolean awaitNone(long timeoutNs) throws InterruptedException {
        long leftNs = timeoutNs;
        lock.lock();
        try {
            while (active.get() > 0 && leftNs > 0) {
                leftNs = noneActive.awaitNanos(leftNs);
            }
            return active.get() == 0;
        } finally {
            lock.unlock();
        }
    }

    HttpServerCounters counters() {
        return new HttpServerCounters(
                begun.sum(),
                active.get(),
                handlerFailures.sum(),
                rejected.sum(),
                waits.parked(),
                waits.served(),
                waits.refused());
    }
}
