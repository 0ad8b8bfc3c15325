package org.cabrank.httpserver;

import java.io.InterruptedIOException;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.locks.Condition;
import java.util.concurrent.locks.ReentrantLock;
import java.util.function.BooleanSupplier;
import org.cabrank.lf.Reply;

/**
 * The lock of one exchange, and the waits for its client. Conditions are read and changed under the lock, and {@link #signal} follows each
 * change, so no wait misses a change.
 */
final class ExchangeWait {
    private final ReentrantLock lock = new ReentrantLock();
    private final Condition changed = lock.newCondition();

    /** Replies of threads that serve other connections while they wait; null if there are none. Guarded by the lock. */
    private List<Reply<Void>> serving;

    void lock() {
        lock.lock();
    }

    void unlock() {
        lock.unlock();
    }

    boolean holds(BooleanSupplier condition) {
        lock.lock();
        try {
            return condition.getAsBoolean();
        } finally {
            lock.unlock();
        }
    }

    void signal() {
        List<Reply<Void>> served;
        lock.lock();
        try {
            changed.signalAll();
            served = serving;
            serving = null;
        } finally {
            lock.unlock();
        }
        if (served != null) {
            served.forEach(one -> one.complete(null)); // outside the lock, because complete wakes threads
        }
    }

    void park(BooleanSupplier condition) throws InterruptedIOException {
        lock.lock();
        try {
            while (!condition.getAsBoolean()) {
                changed.await();
            }
        } catch (InterruptedException stop) {
            Thread.currentThread().interrupt();
            InterruptedIOException interrupted =
                    new InterruptedIOException("the thread was interrupted while it waited for the client");
            interrupted.initCause(stop);
            throw interrupted;
        } finally {
            lock.unlock();
        }
    }

    /** Registers the reply. The next signal completes it. If the condition already holds, registers nothing and returns false. */
    boolean announce(Reply<Void> reply, BooleanSupplier condition) {
        lock.lock();
        try {
            if (condition.getAsBoolean()) {
                return false;
            }
            if (serving == null) {
                serving = new ArrayList<>(1);
            }
            serving.add(reply);
            return true;
        } finally {
            lock.unlock();
        }
    }
}
