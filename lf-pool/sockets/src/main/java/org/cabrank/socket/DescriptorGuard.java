package org.cabrank.socket;

import java.util.concurrent.locks.StampedLock;

/** Lock of a descriptor. Threads outside the handler share it for system calls. The close holds it alone. It is not reentrant. */
final class DescriptorGuard {
    static final long CLOSED = 0;

    private final StampedLock lock = new StampedLock(); // without an allocation for each use
    private volatile boolean released;

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
