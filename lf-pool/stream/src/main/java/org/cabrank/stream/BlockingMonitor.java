package org.cabrank.stream;

import java.io.IOException;
import java.io.InterruptedIOException;
import java.net.SocketTimeoutException;
import java.time.Duration;
import java.util.Objects;
import java.util.concurrent.locks.Condition;
import java.util.concurrent.locks.ReentrantLock;
import org.cabrank.lf.LeaderFollowersPool;
import org.cabrank.stream.transport.StreamConnection;
import org.cabrank.stream.transport.WaitClock;

/** The lock of a {@link BlockingConnection}, the waits of its threads, and the end of the connection. */
final class BlockingMonitor {
    private final ReentrantLock lock = new ReentrantLock();
    private final Connection connection;
    private final WaitClock clock;

    /** "closed" or "aborted", for messages; null before {@code close} or {@code abort} is called. Written under the lock. */
    private volatile String closedBy;

    private volatile boolean ended;
    private Throwable endCause;

    BlockingMonitor(Connection connection) {
        this.connection = connection;
        StreamConnection below = StreamConnection.below(connection);
        this.clock = below == null ? WaitClock.SYSTEM : below.context().waitClock();
    }

    Connection connection() {
        return connection;
    }

    void lock() {
        lock.lock();
    }

    void unlock() {
        lock.unlock();
    }

    Condition newCondition() {
        return lock.newCondition();
    }

    boolean close(String participle) {
        boolean first = closedBy == null;
        if (first) {
            closedBy = participle;
        }
        return first;
    }

    void end(Throwable cause) {
        endCause = cause;
        ended = true; // set last, because threads without the lock check this field first
    }

    boolean isClosed() {
        return closedBy != null;
    }

    boolean hasEnded() {
        return ended;
    }

    ConnectionEndedException endOf(String action) {
        String reason;
        if (endCause != null) {
            reason = "the connection has ended: "
                    + Objects.requireNonNullElse(
                            endCause.getMessage(), endCause.getClass().getName());
        } else if (closedBy != null) {
            reason = "this side has " + closedBy + " the connection";
        } else {
            reason = "the connection was closed";
        }
        return new ConnectionEndedException(connection, connection + " cannot " + action + ": " + reason, endCause);
    }

    long startNs(long timeoutNs) {
        return timeoutNs == 0 ? 0 : clock.nanoTime();
    }

    void requireMayWait(String action) {
        if (LeaderFollowersPool.isPoolThread()) {
            throw new IllegalStateException(connection + " must not " + action + " in "
                    + Thread.currentThread().getName()
                    + ", a thread of a pool: callbacks would wait for themselves; call "
                    + action + " in a thread of an executor, as BlockingHandlers does");
        }
    }

    /** Waits for a signal, at most {@code timeoutNs} from {@code startNs}; 0 means no limit. May return early. Called under the lock. */
    void await(Condition condition, long startNs, long timeoutNs, String action, int transferred) throws IOException {
        try {
            if (timeoutNs == 0) {
                condition.await();
                return;
            }
            long untilNs = startNs + timeoutNs;
            if (untilNs - clock.nanoTime() <= 0) {
                SocketTimeoutException late = new SocketTimeoutException(connection + ": the " + action
                        + " has waited for " + Duration.ofNanos(timeoutNs) + ", its time-out");
                late.bytesTransferred = transferred;
                throw late;
            }
            clock.await(lock, condition, untilNs);
        } catch (InterruptedException stop) {
            Thread.currentThread().interrupt();
            InterruptedIOException interrupted =
                    new InterruptedIOException(connection + ": the thread was interrupted in its " + action);
            interrupted.bytesTransferred = transferred;
            interrupted.initCause(stop);
            throw interrupted;
        }
    }
}
