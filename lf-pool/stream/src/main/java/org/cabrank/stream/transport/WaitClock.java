package org.cabrank.stream.transport;

import java.util.concurrent.locks.Condition;
import java.util.concurrent.locks.Lock;

/** The clock of threads outside a pool that wait for a connection ({@link org.cabrank.stream.BlockingConnection}). */
public interface WaitClock {
    WaitClock SYSTEM = new WaitClock() {
        @Override
        public long nanoTime() {
            return System.nanoTime();
        }

        @Override
        public void await(Lock lock, Condition condition, long untilNs) throws InterruptedException {
            condition.awaitNanos(untilNs - System.nanoTime());
        }
    };

    long nanoTime();

    /** Waits for a signal, but not after {@code untilNs}. May return without a signal. The caller holds {@code lock}. */
    void await(Lock lock, Condition condition, long untilNs) throws InterruptedException;
}
