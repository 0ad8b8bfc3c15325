package org.cabrank.stream.transport;

import java.io.IOException;
import java.time.Duration;
import org.cabrank.lf.handle.Handle;
import org.cabrank.stream.DeadlineException;
import org.cabrank.stream.IdleTimeoutException;

/**
 * The time limits of a connection: idle time, close time and the handler's deadline share the timer of the connection's handle. By the
 * claim holder.
 */
final class ConnectionTimer {
    /**
     * Looks at the socket's buffer in each close time-out, so that a peer that stands still is found a quarter of the time-out late at
     * most.
     */
    private static final int LOOKS = 4;

    private final StreamConnection connection;
    private final ConnectionTerms terms;
    private long lastProgressNs;

    /** Time of the last look at what the peer takes of the socket's buffer, or of the close. */
    private long lookedNs;

    /** Number of bytes that the socket had taken at the last look; -1: there was none. */
    private long takenAtLook = -1;

    /** Number of bytes of these that the peer had not taken. */
    private long unsentAtLook;

    /** The handler's deadline, or the time by which the close must have ended whatever the traffic. */
    private long deadlineNs = Handle.NO_DEADLINE;

    /** The time that the handle's timer was set to last. */
    private long timerNs = Handle.NO_DEADLINE;

    /**
     * The handle's timer must be set anew at the end of the processing. The timer is not set where the handler asks for that: the stack
     * might end there, with the deadline noted and the timer not set.
     */
    private boolean stale;

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
        return isEnding() ? terms.closeNs() : terms.idleNs();
    }

    private boolean isEnding() {
        return connection.closing || connection.outbound.lost;
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
        lookedNs = nowNs;
        deadlineNs = totalNs == 0 ? Handle.NO_DEADLINE : nowNs + totalNs;
        stale = true;
    }

    /** A send has failed at {@code nowNs}: the time limits of a close hold from now on, and an earlier deadline of the handler. */
    void beginEnding(long nowNs, long totalNs) {
        long deadlineOfHandlerNs = deadlineNs;
        beginClosing(nowNs, totalNs);
        deadlineNs = earlier(deadlineNs, deadlineOfHandlerNs);
    }

    /** The handler's deadline. The handle's timer is left alone where it expires earlier: the timer is set anew then. */
    void setDeadline(long changedNs) {
        boolean expiresEarlier = earlier(changedNs, timerNs) != timerNs;
        deadlineDecided = true; // no call follows: where the stack ends, all of this is done or nothing
        deadlineNs = changedNs;
        stale |= expiresEarlier;
    }

    void schedule() {
        long timeoutNs = timeoutNs();
        long limitNs = timeoutNs == 0 ? Handle.NO_DEADLINE : lastProgressNs + timeoutNs;
        if (timeoutNs != 0 && connection.closing) {
            limitNs = earlier(limitNs, lookedNs + Math.max(1, timeoutNs / LOOKS));
        }
        timerNs = earlier(limitNs, deadlineNs);
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

    /**
     * Acts on the limit that is reached, or sets the timer again.
     *
     * @return true: the handler was called
     */
    boolean expire() throws Exception {
        due = false;
        long nowNs = nowNs();
        if (deadlineNs != Handle.NO_DEADLINE && nowNs - deadlineNs >= 0) {
            return deadlineReached();
        }
        long timeoutNs = timeoutNs();
        if (timeoutNs != 0 && (connection.closing || nowNs - lastProgressNs >= timeoutNs)) {
            lookAtSendBuffer(nowNs);
        }
        if (timeoutNs == 0 || nowNs - lastProgressNs < timeoutNs) {
            schedule();
        } else if (isEnding()) {
            giveUpClosing(" has not gone on for " + timeout());
        } else {
            connection.fail(new IdleTimeoutException(connection + " was idle for " + timeout()));
        }
        return false;
    }

    /**
     * The peer makes progress also by taking bytes that the socket has taken before. What the peer has taken since the last look counts
     * as taken now. If there was no look since the socket took its last byte, nobody knows, and the peer is believed. More unsent bytes
     * are progress too: the completion of a ring's send may not have been harvested.
     */
    private void lookAtSendBuffer(long nowNs) {
        long taken = connection.outbound.taken();
        long unsent = connection.io.unsentBytes();
        if (taken == takenAtLook ? unsent != unsentAtLook : unsent > 0) {
            lastProgressNs = nowNs;
        }
        lookedNs = nowNs;
        takenAtLook = taken;
        unsentAtLook = unsent;
    }

    private boolean deadlineReached() throws Exception {
        if (isEnding()) {
            giveUpClosing(" the close has taken longer than " + Duration.ofNanos(terms.closeTotalNs()) + " in all");
            return false;
        }
        deadlineNs = Handle.NO_DEADLINE;
        deadlineDecided = false;
        timerNs = Handle.NO_DEADLINE; // the timer is to be set anew even if the handler waits, and does not return here
        stale = true;
        Inbox inbox = connection.inbox;
        int before = inbox.timesLetGo();
        connection.handler.deadlinePassed(connection);
        if (inbox.hasLetGo(before)) {
            inbox.handOver(DecoratorOutput.CallKind.TASK, this::endUndecided); // another thread may hold the claim
        }
        inbox.afterCallbackAndMail(before);
        if (!endUndecided()) {
            schedule(); // the timer that has expired stood for the idle time-out, too
        }
        return true;
    }

    /** Behind the call of the handler: fails the connection and returns true unless the handler has decided otherwise. */
    private boolean endUndecided() {
        boolean undecided =
                !deadlineDecided && !connection.closing && !connection.inbox.isCloseMailed() && !connection.isAborted();
        if (undecided) {
            failAtDeadline();
        }
        return undecided;
    }

    private void failAtDeadline() {
        connection.fail(new DeadlineException(connection + ": the deadline of the handler has passed"));
    }

    private void giveUpClosing(String reason) {
        if (connection.outbound.lost) {
            connection.fail(connection.outputFailure());
            return;
        }
        connection.aborted = true;
        connection.context().count(StreamCount.CLOSING_GIVEN_UP);
        long lost = connection.outbound.queuedBytes() + connection.io.unsentBytes();
        if (lost > 0) {
            connection.fail(
                    new IOException(connection + ": the peer has not taken the last " + lost + " bytes, and" + reason));
        }
    }

    /**
     * Called while work is offloaded: fails the connection if the handler's deadline has passed, without a call of the handler,
     * because the work and its continuation are under way. Sets the timer again if there is a later deadline.
     */
    void expireWhileOffloaded() {
        if (deadlineNs == Handle.NO_DEADLINE) {
            return;
        }
        if (nowNs() - deadlineNs >= 0) {
            if (connection.outbound.lost) {
                connection.fail(connection.outputFailure());
            } else {
                failAtDeadline();
            }
            return;
        }
        timerNs = deadlineNs;
        connection.handle().scheduleTimer(timerNs);
    }

    private Duration timeout() {
        return Duration.ofNanos(timeoutNs());
    }
}
