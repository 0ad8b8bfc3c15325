package org.cabrank.stream.transport;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.time.Duration;
import org.cabrank.lf.Handle;
import org.cabrank.lf.Ready;
import org.cabrank.stream.ConnectionHandler;
import org.cabrank.stream.DeadlineException;
import org.cabrank.stream.IdleTimeoutException;
import org.cabrank.stream.ReactorFailedException;
import org.cabrank.stream.ShardMemoryException;
import org.cabrank.stream.UnreadLimitException;

/**
 * What is the same for a stream connection over every backend: when bytes are given to the handler, when reading pauses,
 * and how the connection comes to its end. A reactor adds how to receive and how to send.
 *
 * <p>The fields belong to the claim holder. Other threads reach it through the mailbox.
 *
 * <pre>
 *  connecting -> open -> closing (queue sent, FIN, peer's end) -> closed
 *        |         |        |                                       ^
 *        +---------+--------+---------- failure, abort -------------+
 * </pre>
 */
public abstract class StreamConnection extends MovableConnection implements Transmitter {
    /** Posted: the connection stands. */
    public static final int OPENED = Ready.POSTED_2;
    /** Posted: answer what has been received, then close. */
    protected static final int DRAIN = Ready.POSTED_3;

    /** Bits that the handle is dispatched for even while a callback's work is offloaded: each may end the connection. */
    public static final int WHEN_OFFLOADED = URGENT | Ready.TIMER | Ready.HANGUP | Ready.ERROR;

    private static final int DECIDES_CONNECT = Ready.READ | Ready.WRITE | Ready.HANGUP | Ready.ERROR;

    /** Named bound: reads and calls of the handler for one event, before other connections have their turn. */
    private static final int ROUNDS_MAX = 16;

    private final ConnectionTerms terms;
    private IOException failure;
    private long lastProgressNs;

    /** By when the handler wants something done, or the close must have ended, whatever the traffic. */
    private long deadlineNs = Handle.NO_DEADLINE;

    /**
     * The handle's timer must be set anew at the end of the processing. It is not set where the handler asks for that: the
     * stack might end there, with the deadline noted and the timer not set.
     */
    private boolean timerStale;

    /** The time that the handle's timer was set to last. */
    private long timerNs = Handle.NO_DEADLINE;

    private boolean open;

    /** The connection is open, and {@link ConnectionHandler#opened} has not been called yet. */
    private boolean openedDue;

    private boolean backPressured;
    private boolean timerDue;

    /** The kernel has reported that both directions have ended, or an error. */
    private boolean endSeen;

    /** The handler has set or removed its deadline since the last one passed. */
    private boolean deadlineDecided;

    private boolean inputClosed;
    private boolean outputShut;
    private boolean draining;

    protected StreamConnection(ConnectionHandler handler, StreamContext context, ConnectionTerms terms) {
        super(handler, context);
        this.terms = terms;
    }

    protected final ConnectionTerms terms() {
        return terms;
    }

    // ---- what a reactor adds; all by the claim holder ----

    /**
     * Receives once, if {@link #wantsInput} and something may be there, and calls {@link #received} or {@link #endOfInput}.
     *
     * @return whether something may still be there
     */
    protected abstract boolean receive(ThreadBuffers buffers) throws Exception;

    /** The error, positive, that the socket has pending or its input has ended with; 0: none. */
    protected abstract int pendingError();

    /** The failure of a connection that has ended with this error. */
    protected abstract IOException endedBy(int error);

    /** A callback's work is offloaded: has the kernel report a reset, if it would not. */
    protected abstract void workOffloaded();

    /** Takes note of what of the input is ready, or (TIMER, DRAIN) must be looked at; {@link #receive} follows. */
    protected abstract void noteInputReady(int ready);

    /** Whether all that the kernel has received was given to {@link #received}, as far as is known. */
    protected abstract boolean inputDrained();

    /** Tells the peer that no more will come. A failure is of no consequence: the peer is gone already. */
    protected abstract void sendEndOfOutput();

    /** Makes the close to come a reset. */
    protected abstract void resetOnClose();

    /** Whether a connection that is being made stands now; a failure is told to {@link #fail}. */
    protected abstract boolean finishConnecting();

    /** Completes the future of a connect, if there is one. False: the future was complete already, and {@link #fail} was called. */
    protected abstract boolean announceOpen();

    /** The descriptor has been given back; the handler is told next. */
    protected abstract void descriptorReleased();

    /** The connection came to its end before {@link ConnectionHandler#opened}. */
    protected abstract void neverOpened(Throwable cause);

    @Override
    public final void handleEvent(Handle ownHandle, int ready) throws Exception {
        if (isHandedAway()) {
            processWhileOffloaded(ready);
            return;
        }
        ThreadBuffers buffers = context().buffers();
        int before = timesLetGo();
        boolean moves = false;
        outbound.enter(buffers, this);
        buffers.inUse = true;
        try {
            boolean wasOpen = open;
            if (wasOpen || becomeOpen(ready)) {
                process(wasOpen ? ready : ready | MAIL); // mail may have come while the connection was being made
                settle(buffers);
                setStaleTimer();
                moves = moveDue();
            } else if (failure != null) {
                handle().closeBecauseOf(failure);
            }
        } catch (LetGo over) {
            callbackOver();
        } catch (ShardMemoryException none) { // no handler's failure
            fail(none);
            handle().closeBecauseOf(none);
        } catch (Throwable thrown) {
            if (!hasLetGo(before)) {
                flushAfterFailure();
            } else {
                callbackOver();
            }
            throw thrown;
        } finally {
            buffers.inUse = false;
            if (!hasLetGo(before)) {
                outbound.leave();
            }
        }
        if (moves) {
            moveAway();
        }
    }

    /** All that may happen while a callback's work is offloaded: output, and the end. */
    private void processWhileOffloaded(int ready) {
        note(ready);
        outbound.goOnBy(context().buffers());
        outbound.flushQueue();
        lookForReset();
        if (timerDue) {
            deadlineWhileOffloaded(); // the timer stays due: idle time is looked at when the work is done
        }
        if (!failed()) {
            workOffloaded();
        }
    }

    /** What the handler wrote before it failed is whole, and goes out. */
    private void flushAfterFailure() {
        if (!handle().isClosed()) {
            outbound.flushGathered();
        }
    }

    /**
     * Actions that depend on the future of a connect may do what a callback may. Where one waits for a reply, whoever processes the
     * connection next calls {@link ConnectionHandler#opened}.
     */
    private boolean becomeOpen(int ready) {
        if ((ready & OPENED) == 0 && !connected(ready)) {
            return false;
        }
        open = true; // first: another thread may process the connection while a dependent action waits
        openedDue = true;
        int before = timesLetGo();
        boolean wanted = announceOpen();
        requireKept(before);
        open = wanted;
        openedDue = wanted;
        return wanted;
    }

    private void callOpenedIfDue() throws Exception {
        if (openedDue) {
            openedDue = false;
            context().connectionOpened();
            noteProgress();
            scheduleTimer();
            callOpened();
        }
    }

    private boolean connected(int ready) {
        if ((ready & DRAIN) != 0) {
            fail(new IOException("connecting to " + remoteAddress() + " was given up: the reactor is being closed"));
        } else if ((ready & Ready.TIMER) != 0) {
            fail(new IOException(
                    "connecting to " + remoteAddress() + " took longer than " + Duration.ofNanos(terms.connectNs())));
        }
        return failure == null && (ready & DECIDES_CONNECT) != 0 && finishConnecting();
    }

    /** First of all: a callback that waits for a reply does not come back here, and nothing may be forgotten. */
    private void note(int ready) {
        draining |= (ready & DRAIN) != 0;
        timerDue |= (ready & Ready.TIMER) != 0;
        endSeen |= (ready & (Ready.HANGUP | Ready.ERROR)) != 0;
        aborted |= abortAsked;
        noteInputReady(ready);
    }

    private void process(int ready) throws Exception {
        note(ready);
        callOpenedIfDue();
        if (aborted) {
            return;
        }
        callContinuation();
        if ((ready & MAIL) != 0) {
            runMail();
        }
        if ((ready & Ready.WRITE) != 0) {
            outbound.flushQueue();
        }
    }

    /**
     * Receives, sends and ends, until nothing more can be done now. The calls that matter stand here rather than further
     * down: the JIT inlines to a certain depth, and system calls nest deep.
     */
    private void settle(ThreadBuffers buffers) throws Exception {
        tellHeldEnd();
        for (int round = 0; round < ROUNDS_MAX; round++) {
            backPressured |= outbound.isScarce(); // others may have taken the memory since
            boolean more = mustRedeliver() && !closing && wantsInput() ? redeliver() : receive(buffers);
            outbound.flushGathered();
            if (outbound.progressed()) {
                noteProgress();
            }
            if (timerDue && mayExpire() && (!more || round == ROUNDS_MAX - 1)) {
                timerDue = false;
                more |= timerExpired(); // only now: what has come while a handler ran counts
            }
            if (endSeen && !more && !isEnding()) {
                lookForReset();
            }
            if (failed()) {
                return;
            }
            if (offloading) {
                workOffloaded();
                return;
            }
            if (!relieved() && !more) {
                finish();
                return;
            }
        }
        handle().post(Ready.WRITE); // others' turn
    }

    /** False while work is offloaded, and when the connection has ended. */
    private boolean mayExpire() {
        return !offloading && !aborted && failure == null;
    }

    @Override
    final boolean awaitsOutput() {
        return closing
                || outputShutWanted
                || aborted
                || draining
                || backPressured
                || readPaused // without input and output, the connection must have the kernel report a reset
                || inputClosed
                || outbound.awaitsRoom()
                || isToMove();
    }

    private boolean failed() {
        if (failure == null) {
            failure = outbound.failure();
        }
        if (aborted) {
            resetOnClose();
            handle().close();
        } else if (failure != null) {
            handle().closeBecauseOf(failure);
        }
        return aborted || failure != null;
    }

    /** Watermarks and refused writes; true: the handler was called, or reading may continue. */
    private boolean relieved() throws Exception {
        backPressured |= outbound.passedHighWatermark() || outbound.isScarce();
        boolean fallen = backPressured && !outbound.isAboveLowWatermark();
        boolean writable = outbound.hasRoomForRefused() || fallen;
        if (fallen) {
            backPressured = false;
        }
        if (writable && !closing) {
            callWritable();
        }
        return writable;
    }

    /** The error that a reset has left behind, unless reading has found it. */
    private void lookForReset() {
        if (!endSeen || failure != null) {
            return;
        }
        endSeen = false;
        int error = pendingError();
        if (error != 0) {
            fail(endedBy(error));
        }
    }

    private void finish() {
        boolean mayClose = draining && !callbackWaits() && !backPressured && !closing;
        if (mayClose && readPaused) {
            beginClosing(); // nobody knows whether the service will ever resume
            handle().post(Ready.READ); // now the input is read, to be dropped
        } else if (mayClose && inputDrained()) {
            beginClosing();
        }
        if (outbound.isEmpty()) {
            finishOutput();
        }
        if (!handle().isClosed()) {
            stayOrDecideToMove();
        }
    }

    @Override
    final boolean isEnding() {
        return draining || closing || inputClosed && outputShut;
    }

    private void finishOutput() {
        if (inputClosed && (closing || outputShutWanted)) {
            handle().close();
            return;
        }
        // Closing a socket that has unread input resets it, and the peer might lose the answer: its end is awaited.
        if ((outputShutWanted || closing) && !outputShut) {
            outputShut = true;
            sendEndOfOutput();
        }
    }

    // ---- input ----

    private boolean inputHeld() {
        return readPaused || backPressured || offloading;
    }

    /** For {@link #receive}: whether to go on. */
    @Override
    protected final boolean wantsInput() {
        if (inputClosed || failure != null || aborted || handle().isClosed()) {
            return false;
        }
        return closing || !inputHeld(); // a peer that writes before it reads must get rid of it to take the answer
    }

    /**
     * For {@link #receive}: where to, from the buffer's position to its limit.
     *
     * @param wanted bytes that are known to be there, or 1
     */
    protected final Chunk receiveRoom(ThreadBuffers buffers, int wanted) throws IOException {
        return roomBehindUnread(buffers.receive, wanted);
    }

    /** For {@link #receive}: bytes have come, and stand before the position of {@link #receiveRoom}. */
    protected final void received(Chunk room) throws Exception {
        receivedIn(room.bytes.flip());
    }

    /**
     * For {@link #receive}: bytes have come, and stand from the position to the limit of a buffer of the reactor's, which is
     * the caller's again when this returns or throws. Only if not {@link #hasUnread}.
     */
    protected final void receivedIn(ByteBuffer data) throws Exception {
        if (closing) {
            return;
        }
        deliver(data);
        noteProgress(); // only now: the time that the handler has taken is not the peer's
    }

    /** For {@link #receive}: the peer will send no more. */
    protected final void endOfInput() throws Exception {
        inputClosed = true;
        inputEnded();
    }

    @Override
    final void unreadLimitReached() {
        fail(new UnreadLimitException(
                this + ": the handler has left " + context().limits().unreadLimit() + " bytes unread, the limit"));
    }

    @Override
    final boolean hasFailed() {
        return failure != null;
    }

    @Override
    protected final void fail(IOException cause) {
        if (failure == null) {
            failure = cause;
        }
    }

    // ---- the end ----

    /** Any thread: whoever waited for a connection that is being made does so no more, and it is closed. */
    public final void giveUpConnecting() {
        handleVolatile().close();
    }

    /** Nobody processes the connection any more, and it is about to be closed: the peer sees a reset. */
    public final void abandon() {
        ReactorFailedException failed = context().reactorFailure();
        fail(
                failed == null
                        ? new IOException(this + " was not done when the reactor was closed")
                        : new IOException(this + " was reset: " + failed.getMessage(), failed));
        resetOnClose();
    }

    /** Any thread: answers what has been received, then closes. */
    public final void drain() {
        handleVolatile().post(DRAIN); // whoever moves the connection asks, after that, whether the shard is draining
    }

    // ---- time ----

    private long timeoutNs() {
        return closing ? terms.closeNs() : terms.idleNs();
    }

    /** The clock is read only where somebody watches it. A peer that sends on and on while we close makes no progress. */
    @Override
    final void noteProgress() {
        if (timeoutNs() != 0) {
            lastProgressNs = handle().handleSet().nanoTime();
        }
    }

    @Override
    final void beginClosing() {
        if (!closing) {
            long nowNs = handle().handleSet().nanoTime();
            long totalNs = terms.closeTotalNs();
            closing = true; // no call follows: where the stack ends, all of this is done or nothing
            lastProgressNs = nowNs;
            deadlineNs = totalNs == 0 ? Handle.NO_DEADLINE : nowNs + totalNs;
            timerStale = true;
        }
    }

    @Override
    final void scheduleTimer() {
        long timeoutNs = timeoutNs();
        timerNs = earlier(timeoutNs == 0 ? Handle.NO_DEADLINE : lastProgressNs + timeoutNs, deadlineNs);
        timerStale = false;
        handle().scheduleTimer(timerNs);
    }

    /** Times of a clock that may overflow, but for {@link Handle#NO_DEADLINE}, which is later than all. */
    private static long earlier(long a, long b) {
        if (a == Handle.NO_DEADLINE) {
            return b;
        }
        return b == Handle.NO_DEADLINE || a - b < 0 ? a : b;
    }

    /** The timer is left alone where it expires before: it is set anew then. */
    @Override
    final void setDeadline(long changedNs) {
        if (closing || handle().isClosed()) {
            return;
        }
        boolean expiresEarlier = earlier(changedNs, timerNs) != timerNs;
        deadlineDecided = true; // no call follows: where the stack ends, all of this is done or nothing
        deadlineNs = changedNs;
        timerStale |= expiresEarlier;
    }

    private void setStaleTimer() {
        if (timerStale && !handle().isClosed()) {
            scheduleTimer();
        }
    }

    /** Returns true if the handler was called. */
    private boolean timerExpired() throws Exception {
        long nowNs = handle().handleSet().nanoTime();
        if (deadlineNs != Handle.NO_DEADLINE && nowNs - deadlineNs >= 0) {
            return deadlinePassed();
        }
        long timeoutNs = timeoutNs();
        if (timeoutNs == 0 || nowNs - lastProgressNs < timeoutNs) {
            scheduleTimer();
        } else if (closing) {
            giveUpClosing(" has not gone on for " + Duration.ofNanos(timeoutNs));
        } else {
            fail(new IdleTimeoutException(this + " was idle for " + Duration.ofNanos(timeoutNs)));
        }
        return false;
    }

    /** The handler is not called, because the work and its continuation are under way. */
    private void deadlineWhileOffloaded() {
        if (deadlineNs == Handle.NO_DEADLINE) {
            return;
        }
        if (handle().handleSet().nanoTime() - deadlineNs >= 0) {
            failAtDeadline();
        } else {
            timerNs = deadlineNs;
            handle().scheduleTimer(timerNs);
        }
    }

    private boolean deadlinePassed() throws Exception {
        if (closing) {
            giveUpClosing(" the close has taken longer than " + Duration.ofNanos(terms.closeTotalNs()) + " in all");
            return false;
        }
        deadlineNs = Handle.NO_DEADLINE;
        deadlineDecided = false;
        callDeadlinePassed();
        if (!deadlineDecided && !closing && !aborted) {
            failAtDeadline();
        } else {
            scheduleTimer(); // the timer that has expired stood for the idle time-out, too
        }
        return true;
    }

    private void failAtDeadline() {
        fail(new DeadlineException(this + ": the deadline of the handler has passed"));
    }

    private void giveUpClosing(String reason) {
        aborted = true;
        if (!outbound.isEmpty()) {
            fail(new IOException(
                    this + ": the peer has not taken the last " + outbound.queuedBytes() + " bytes, and" + reason));
        }
    }

    @Override
    public final void handleClosed(Handle ownHandle, Throwable cause) {
        try {
            descriptorReleased();
            mailbox.close(ownHandle.handleSet(), this);
        } finally { // the memory comes back and the end is told even if an error ends the thread
            try {
                outbound.discard();
                discardUnread();
                giveUpMove();
            } finally {
                tellEnd(cause == null ? failure : cause);
            }
        }
    }

    private void tellEnd(Throwable cause) {
        if (open) {
            if (openedDue) { // the reactor was closed while a dependent action waited
                context().connectionOpened();
            }
            context().connectionClosed();
            callClosed(cause);
        } else {
            neverOpened(cause);
        }
    }

    @Override
    public String toString() {
        return "connection " + id() + " with " + peerInWords();
    }

    /** Any thread: the peer's address, for messages. */
    protected String peerInWords() {
        return remoteAddress().toString();
    }
}
