package org.cabrank.stream.transport;

import java.time.Duration;
import org.cabrank.lf.Handle;

/**
 * The time limits of a connection: idle time, close time and the handler's deadline share the timer of the connection's handle. By the
 * claim holder.
 */
final class ConnectionTimer {
    /** The result of an expired timer. */
    enum Expiry {
        /** No limit is reached; the timer is set again where it is needed. */
        NONE,
        IDLE,
        CLOSE_WITHOUT_PROGRESS,
        CLOSE_TOTAL,
        DEADLINE
    }

    private final StreamConnection connection;
    private final ConnectionTerms terms;
    private long lastProgressNs;

    /** The handler's deadline, or the time by which the close must have ended whatever the traffic. */
    private long deadlineNs = Handle.NO_DEADLINE;

    /** The time that the handle's timer was set to last. */
    private long timerNs = Handle.NO_DEADLINE;

    /**
     * The handle's timer must be set anew at the end of the processing. The timer is not set where the handler asks for that: the stack
     * might end there, with the deadline noted and the timer not set.
     */
    private boolean stale;

    /** The timer has expired, and the limits have not been looked at since. */
    private boolean due;

    /** The handler has set or removed its deadline since the last one passed. */
    private boolean deadlineDecided;

    ConnectionTimer(StreamConnection connection, ConnectionTerms terms) {
        this.connection = connection;
        this.terms = terms;
    }

    private long nowNs() {
        return connection.handle().handleSet().nanoTime();
    }

    private long timeoutNs() {
        return connection.isClosing() ? terms.closeNs() : terms.idleNs();
    }

    /**
     * Bytes have been received or sent: the idle time begins anew. The clock is read only where a limit needs it. A peer that sends on
     * and on while the connection is closing makes no progress.
     */
    void noteProgress() {
        if (timeoutNs() != 0) {
            lastProgressNs = nowNs();
        }
    }

    void noteExpired() {
        due = true;
    }

    boolean isDue() {
        return due;
    }

    /** The close begins at {@code nowNs}. No method is called: where the stack ends, all of this is done or nothing. */
    void beginClosing(long nowNs, long totalNs) {
        lastProgressNs = nowNs;
        deadlineNs = totalNs == 0 ? Handle.NO_DEADLINE : nowNs + totalNs;
        stale = true;
    }

    /** The handler's deadline. The handle's timer is left alone where it expires earlier: the timer is set anew then. */
    void setDeadline(long changedNs) {
        boolean expiresEarlier = earlier(changedNs, timerNs) != timerNs;
        deadlineDecided = true; // no call follows: where the stack ends, all of this is done or nothing
        deadlineNs = changedNs;
        stale |= expiresEarlier;
    }

    /** Sets the handle's timer to the earliest limit. */
    void schedule() {
        long timeoutNs = timeoutNs();
        timerNs = earlier(timeoutNs == 0 ? Handle.NO_DEADLINE : lastProgressNs + timeoutNs, deadlineNs);
        stale = false;
        connection.handle().scheduleTimer(timerNs);
    }

    void scheduleIfStale() {
        if (stale && !connection.handle().isClosed()) {
            schedule();
        }
    }

    /** Returns the earlier of two times of a clock that may overflow; {@link Handle#NO_DEADLINE} is later than all others. */
    private static long earlier(long a, long b) {
        if (a == Handle.NO_DEADLINE) {
            return b;
        }
        return b == Handle.NO_DEADLINE || a - b < 0 ? a : b;
    }

    /** Called when the timer is due: returns the limit that is reached. */
    Expiry expire() {
        due = false;
        long nowNs = nowNs();
        if (deadlineNs != Handle.NO_DEADLINE && nowNs - deadlineNs >= 0) {
            if (connection.isClosing()) {
                return Expiry.CLOSE_TOTAL;
            }
            deadlineNs = Handle.NO_DEADLINE;
            deadlineDecided = false;
            return Expiry.DEADLINE;
        }
        long timeoutNs = timeoutNs();
        if (timeoutNs == 0 || nowNs - lastProgressNs < timeoutNs) {
            schedule();
            return Expiry.NONE;
        }
        return connection.isClosing() ? Expiry.CLOSE_WITHOUT_PROGRESS : Expiry.IDLE;
    }

    /** Returns true if the handler has set or removed its deadline since the last one passed. */
    boolean isDeadlineDecided() {
        return deadlineDecided;
    }

    /**
     * Called while work is offloaded and the timer has expired: returns true if the handler's deadline has passed, and sets the timer
     * again if there is a later deadline.
     */
    boolean hasDeadlinePassed() {
        if (deadlineNs == Handle.NO_DEADLINE) {
            return false;
        }
        if (nowNs() - deadlineNs >= 0) {
            return true;
        }
        timerNs = deadlineNs;
        connection.handle().scheduleTimer(timerNs);
        return false;
    }

    /** Returns the present time limit for messages. */
    Duration timeout() {
        return Duration.ofNanos(timeoutNs());
    }
}
