package org.cabrank.socket;

import java.util.concurrent.locks.StampedLock;

/**
 * Lock of a descriptor: shared by threads outside the handler that make system calls, exclusive for the thread that closes. After
 * {@link #release} the kernel may reuse the descriptor's number. Any thread; a thread does not nest uses.
 */
final class DescriptorGuard {
    static final long CLOSED = 0;

    private final StampedLock lock = new StampedLock(); // without an allocation for each use
    private volatile boolean released;

    /** Returns a stamp that must be passed to {@link #end}, or {@link #CLOSED} if the descriptor is closed. */
    long begin() {
        long stamp = lock.readLock();
        if (released) {
            lock.unlockRead(stamp);
            return CLOSED;
        }
        return stamp;
    }

    void end(long stamp) {
        lock.unlockRead(stamp);
    }

    /** Waits for the threads that use the descriptor, then calls {@code close}. */
    void release(Runnable close) {
        long stamp = lock.writeLock();
        try {
            released = true;
            close.run();
        } finally {
            lock.unlockWrite(stamp);
        }
    }
}
