package org.cabrank.stream.transport;

import java.io.IOException;
import java.time.Duration;
import org.cabrank.lf.handle.Handle;
import org.cabrank.stream.DeadlineException;
import org.cabrank.stream.IdleTimeoutException;

/** Idle time-out, close time-out and deadline of a connection. They share the timer of its handle. Used by the claim holder. */
final class ConnectionTimer {
    /** Number of checks of the socket's buffer in each close time-out. A stalled peer is found at most a quarter of the time-out late. */
    private static final int LOOKS = 4;

    private final StreamConnection connection;
    private final ConnectionTerms terms;
    private long lastProgressNs;

    private long lookedNs;

    /** Bytes that the socket had taken at the last check. -1 before the first check. */
    private long takenAtLook = -1;

    /** Number of bytes that the peer had not taken from the socket at the last check. */
    private long unsentAtLook;

    /** The handler's deadline, or the time by which a close must have ended. */
    private long deadlineNs = Handle.NO_DEADLINE;

    private long timerNs = Handle.NO_DEADLINE;

    /** True if the timer must be set at the end of the processing, because in a call of the handler the stack may overflow. */
    private boolean stale;

    private boolean due;

    /** True if the handler has set or removed its deadline since the last deadline passed. */
    private boolean deadlineDecided;

    /** True if {@code deadlinePassed} has returned and it is not yet decided if the connection fails. */
    private boolean decisionDue;

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

    void noteProgress() {
        if (timeoutNs() != 0) {
            lastProgressNs = nowNs();
        }
    }

    void noteExpired() {
        due = true;
        timerNs = Handle.NO_DEADLINE; // so that a deadline sets the timer although offloaded work puts the check off
    }

    boolean isDue() {
        return due;
    }

    void beginClosing(long nowNs, long totalNs) {
        lastProgressNs = nowNs;
        lookedNs = nowNs;
        deadlineNs = totalNs == 0 ? Handle.NO_DEADLINE : nowNs + totalNs;
        stale = true;
    }

    /** Called when a send has failed at {@code nowNs}. The time limits of a close and an earlier deadline of the handler then apply. */
    void beginEnding(long nowNs, long totalNs) {
        long deadlineOfHandlerNs = deadlineNs;
        beginClosing(nowNs, totalNs);
        deadlineNs = earlier(deadlineNs, deadlineOfHandlerNs);
    }

    void setDeadline(long changedNs) {
        boolean expiresEarlier = earlier(changedNs, timerNs) != timerNs;
        deadlineDecided = true; // without a call, so that a stack overflow leaves all of this done or nothing
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

    /** Returns the earlier of two times. The clock may overflow. {@link Handle#NO_DEADLINE} is later than all other times. */
    private static long earlier(long a, long b) {
        if (a == Handle.NO_DEADLINE) {
            return b;
        }
        return b == Handle.NO_DEADLINE || a - b < 0 ? a : b;
    }

    /** Called at expiry. Acts if a limit is reached, otherwise sets the timer again. Returns true if the handler was called. */
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
            giveUpClosing(" has made no progress for " + timeout());
        } else {
            connection.fail(new IdleTimeoutException(connection + " was idle for " + timeout()));
        }
        return false;
    }

    /**
     * Notes progress if the number of unsent bytes has changed since the last check. An increase also counts, because the socket may have
     * taken bytes that are not counted yet. If the socket has taken bytes since then, any unsent bytes count as progress.
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
        timerNs = Handle.NO_DEADLINE; // so that the timer is set even if the handler waits and does not return here
        stale = true;
        Inbox inbox = connection.inbox;
        int before = inbox.timesLetGo();
        connection.handler.deadlinePassed(connection);
        decisionDue = true;
        // If the handler has waited for a reply, or a task of the mail waits, afterCallbackAndMail does not return, so
        // mail decides.
        if (inbox.hasLetGo(before) || inbox.hasMail()) {
            inbox.handOver(DecoratorOutput.CallKind.TASK, this::endUndecided);
        }
        inbox.afterCallbackAndMail(before);
        endUndecided();
        if (connection.failure() == null) {
            schedule(); // the expired timer also stood for the idle time-out
        }
        return true;
    }

    /** Called after the handler and its mail. Fails the connection unless the handler has decided otherwise. */
    private void endUndecided() {
        if (decisionDue
                && !deadlineDecided
                && !connection.closing
                && !connection.inbox.isCloseMailed()
                && !connection.isAborted()) {
            failAtDeadline();
        }
        decisionDue = false;
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

    /** Called during offloaded work. Fails the connection if a limit has passed that does not wait for the work. Calls no handler. */
    void expireWhileOffloaded() {
        long limitNs = limitOfWorkNs();
        if (limitNs == Handle.NO_DEADLINE) {
            return;
        }
        if (nowNs() - limitNs >= 0) {
            if (connection.outbound.lost) {
                connection.fail(connection.outputFailure());
            } else {
                failAtDeadline();
            }
            return;
        }
        timerNs = limitNs;
        connection.handle().scheduleTimer(timerNs);
    }

    private long limitOfWorkNs() {
        boolean closes = connection.outbound.lost && terms.closeNs() != 0;
        return closes ? earlier(lastProgressNs + terms.closeNs(), deadlineNs) : deadlineNs;
    }

    private Duration timeout() {
        return Duration.ofNanos(timeoutNs());
    }
}
