package org.cabrank.stream.transport;

import java.util.concurrent.locks.Condition;
import java.util.concurrent.locks.Lock;

/** The clock by which threads outside a pool wait for a connection ({@link org.cabrank.stream.BlockingConnection}). Any thread. */
public interface WaitClock {
    /** The clock of the machine, {@link System#nanoTime}. */
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

    /** Waits for a signal, which may be spurious, or until {@code untilNs}. The caller holds {@code lock}, the lock of the condition. */
    void await(Lock lock, Condition condition, long untilNs) throws InterruptedException;
}
