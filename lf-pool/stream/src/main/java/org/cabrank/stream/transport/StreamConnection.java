package org.cabrank.stream.transport;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.time.Duration;
import org.cabrank.lf.handle.EventHandler;
import org.cabrank.lf.handle.Handle;
import org.cabrank.lf.handle.Ready;
import org.cabrank.stream.Connection;
import org.cabrank.stream.ConnectionHandler;
import org.cabrank.stream.ReactorFailedException;
import org.cabrank.stream.ShardMemoryException;

/**
 * A stream connection over any backend, from opening to close. The class is long because the steps that process a connection have a fixed
 * order and share their flags. Only the claim holder uses the fields. Other threads use the inbox.
 *
 * <pre>
 *  connecting -> open -> closing (queue sent, FIN, peer's end) -> closed
 *        |         |        |                                       ^
 *        +---------+--------+---------- failure, abort -------------+
 * </pre>
 */
public final class StreamConnection extends ConnectionCalls implements EventHandler, SharedBytes.Waiter {
    /** Posted when the connection is established. */
    public static final int OPENED = Ready.POSTED_2;

    /** Posted to answer the input that was received and then close. */
    public static final int DRAIN = Ready.POSTED_3;

    /** Bits for which the handle is dispatched even while work is offloaded, because each may end the connection. */
    public static final int WHEN_OFFLOADED = URGENT | Ready.TIMER | Ready.HANGUP | Ready.ERROR;

    private static final int DECIDES_CONNECT = Ready.READ | Ready.WRITE | Ready.HANGUP | Ready.ERROR;

    /** Maximum number of rounds of reads and callbacks before other connections have their turn. */
    private static final int ROUNDS_MAX = 16;

    private boolean open;

    private boolean openedDue;

    private boolean backPressured;

    /** True if the kernel has reported an error or the end of both directions. */
    private boolean endSeen;

    private boolean outputShut;

    private volatile boolean awaitsPeerEnd = true;

    /** True if a send has failed and input has been held back since then. If no input waits, the connection ends. */
    private boolean lostWhileHeld;

    /** True if the connection was idle at the end of the processing, so that {@link #move} can be carried out. */
    private boolean moveDue;

    public StreamConnection(ConnectionHandler handler, StreamContext context, ConnectionTerms terms, StreamIo io) {
        super(handler, context, terms, io);
    }

    public StreamIo io() {
        return io;
    }

    /** Called by the claim holder. */
    public StreamContext context() {
        return context;
    }

    public ConnectionTerms terms() {
        return terms;
    }

    public boolean wantsInput() {
        if (inbound.closed || failure != null || isAborted() || handle().isClosed()) {
            return false;
        }
        return closing || !inputHeld(); // a peer may take the answer only after its input was read
    }

    private boolean inputHeld() {
        return inbound.paused || backPressured || inbox.isOffloading();
    }

    /** Returns the chunk to receive into, from position to limit. {@code wanted} is the number of waiting bytes, or 1 if it is unknown. */
    public Chunk receiveRoom(ThreadBuffers buffers, int wanted) throws IOException {
        if (!closing && inbound.hasUnread()) {
            return inbound.room(wanted);
        }
        Chunk free = buffers.receive;
        int capacity = free.bytes.capacity();
        free.bytes.clear().limit(Math.min(capacity, Math.max(wanted, outbound.portion(capacity))));
        return free;
    }

    /**
     * Delivers received bytes from the chunk of {@link #receiveRoom}. If there are no unread bytes, {@code data} may also be a buffer that
     * the backend reuses after the call.
     */
    public void received(ByteBuffer data) throws Exception {
        inbox.actBeforeInput();
        if (closing) {
            inbound.discard();
            dropDescriptors();
            return;
        }
        if (inbound.paused) {
            inbound.keepRest(data);
        } else {
            inbound.deliver(data);
        }
        timer.noteProgress(); // noted now, because the handler's time is not the peer's
    }

    private void dropDescriptors() {
        DescriptorPassing passing = io.descriptors();
        if (passing != null) {
            passing.inbound().dropAll();
        }
    }

    public void endOfInput() throws Exception {
        inbox.actBeforeInput();
        inbound.end();
    }

    /** Returns the failure of a send, or null if no send has failed. After a failure the socket takes no more bytes. */
    public IOException outputFailure() {
        return outbound.failure();
    }

    /** Returns true if the handler has left bytes unread. The next received bytes must be added behind them. */
    public boolean hasUnread() {
        return inbound.hasUnread();
    }

    /** Closes the connection with this cause at the end of the callback. Only the first cause is kept. */
    public void fail(IOException cause) {
        if (failure == null) {
            failure = cause;
        }
    }

    /** Notes that the socket has taken all queued bytes. Returns false if something waits for this. WRITE must then be dispatched. */
    public boolean outputTaken(int count) {
        if (awaitsOutput() || !outbound.tookAll(count)) {
            return false;
        }
        timer.noteProgress();
        return true;
    }

    private boolean awaitsOutput() {
        return closing
                || outbound.shutWanted
                || aborted
                || draining
                || backPressured
                || inbound.paused // without input and output events, the kernel must still report a reset
                || inbound.closed
                || outbound.awaitsRoom()
                || completions != null && completions.count() > 0
                || move != null;
    }

    /** Returns the queue of unsent bytes, for a backend that must keep their memory until its requests have ended. */
    public OutboundQueue takeOutboundQueue() {
        return outbound.takeQueue();
    }

    /** Changes the shard of the connection to {@code target} and its handle to {@code other}, which is not active yet. */
    public void moved(Handle other, StreamContext target) {
        outbound.moveTo(target);
        inbound.moveTo(target.chunks());
        target.count(StreamCount.MOVED_IN); // first: the connection may count twice for a moment, but never zero times
        context.count(StreamCount.MOVED_OUT);
        context = target;
        bind(other);
        timer.schedule();
        ConnectionSchedule tasks = schedule;
        if (tasks != null) {
            tasks.moveTo(target);
        }
        other.post(MAIL); // for mail that arrived by the former handle; also updates the events that the kernel reports
    }

    Connection decorated() {
        return handler.decorated(this);
    }

    /** Raises the limit of unread bytes for a decorator, which applies the lower limit to its service. Called in a callback. */
    public void requireUnread(int bytes) {
        inbound.requireLimit(bytes);
    }

    /** Notes if the decorator withholds the end of the input from its service. Called in a callback. */
    public void withholdEnd(boolean withheld) {
        inbound.endWithheld = withheld;
    }

    /** Returns the number of bytes that the peer has taken. Asks the kernel. Called in a callback. */
    public long takenByPeer() {
        return outbound.taken() - io.unsentBytes();
    }

    /** Returns true if the peer has not taken all bytes that were sent. Asks the kernel. Called in a callback. */
    public boolean isLeftByPeer() {
        return !outbound.isEmpty() || io.unsentBytes() > 0;
    }

    /** Returns the connection below all decorators. Returns null if a decorator is not a {@link DecoratedConnection}. */
    public static StreamConnection below(Connection connection) {
        Connection below = connection;
        while (below instanceof DecoratedConnection decorator) {
            below = decorator.decoratedConnection();
        }
        return below instanceof StreamConnection stream ? stream : null;
    }

    @Override
    public void roomAgain() {
        handleVolatile().post(MAIL); // the thread that moves the connection makes the other handle check
    }

    boolean isAborted() {
        return aborted || abortAsked;
    }

    @Override
    public void handleEvent(Handle ownHandle, int ready) throws Exception {
        if (inbox.isHeldBack()) {
            processWhileOffloaded(ready);
            return;
        }
        ThreadBuffers buffers = context.buffers();
        int before = inbox.timesLetGo();
        boolean moves = false;
        outbound.enter(buffers);
        buffers.inUse = true;
        try {
            boolean wasOpen = open;
            if (wasOpen || becomeOpen(ready)) {
                process(wasOpen ? ready : ready | MAIL); // mail may have arrived while the connection was established
                receiveAndSend(buffers);
                timer.scheduleIfStale();
                moves = moveDue;
            } else if (failure != null) {
                handle().closeBecauseOf(failure);
            }
        } catch (Inbox.LetGo over) {
            inbox.callbackOver();
        } catch (ShardMemoryException none) { // not a failure of the handler
            fail(none);
            handle().closeBecauseOf(none);
        } catch (Throwable thrown) {
            if (inbox.hasLetGo(before)) {
                inbox.callbackOver();
            } else if (!handle().isClosed()) {
                outbound.flushGathered(); // the bytes that the handler wrote before it failed
            }
            throw thrown;
        } finally {
            buffers.inUse = false;
            if (!inbox.hasLetGo(before)) {
                outbound.leave();
                mailed.subtractWritten();
            }
        }
        if (moves) {
            moveAway();
        }
    }

    private void processWhileOffloaded(int ready) {
        note(ready);
        outbound.goOnBy(context.buffers());
        outbound.flushQueue();
        awaitWork();
    }

    /** Ends the connection if it has been reset, or if a limit has passed that does not wait for the offloaded work. */
    private void awaitWork() {
        lookForReset();
        if (timer.isDue()) { // stays due: idle time is checked after the work
            timer.expireWhileOffloaded();
        }
        if (!failed()) {
            timer.scheduleIfStale(); // a send may have failed
            io.workOffloaded();
        }
    }

    /** Returns true if the connection is now open. If an action of the connect's future waits, the next processing calls {@code opened}. */
    private boolean becomeOpen(int ready) {
        if ((ready & OPENED) == 0 && !connected(ready)) {
            return false;
        }
        // Set first, because a dependent action may wait for a reply, and another thread may then process the
        // connection.
        open = true;
        openedDue = true;
        int before = inbox.timesLetGo();
        boolean wanted = io.announceOpen();
        inbox.requireKept(before);
        open = wanted;
        openedDue = wanted;
        return wanted;
    }

    private void callOpenedIfDue() throws Exception {
        if (openedDue && !inbox.isOffloading()) {
            openedDue = false;
            context.count(StreamCount.OPENED);
            timer.noteProgress();
            timer.schedule();
            int before = inbox.timesLetGo();
            handler.opened(this);
            inbox.afterCallback(before);
        }
    }

    private boolean connected(int ready) {
        if ((ready & DRAIN) != 0) {
            fail(new IOException("connecting to " + remoteAddress() + " was given up: the reactor is being closed"));
        } else if ((ready & Ready.TIMER) != 0) {
            context.count(StreamCount.CONNECT_TIMED_OUT);
            fail(new IOException(
                    "connecting to " + remoteAddress() + " took longer than " + Duration.ofNanos(terms.connectNs())));
        }
        return failure == null && (ready & DECIDES_CONNECT) != 0 && io.finishConnecting();
    }

    /** Notes all ready bits. Called first, because a callback that waits for a reply does not return to this processing. */
    private void note(int ready) {
        draining |= (ready & DRAIN) != 0;
        if ((ready & Ready.TIMER) != 0) {
            timer.noteExpired();
        }
        endSeen |= (ready & (Ready.HANGUP | Ready.ERROR)) != 0;
        aborted |= abortAsked;
        io.noteInputReady(ready);
    }

    private void process(int ready) throws Exception {
        note(ready);
        callOpenedIfDue();
        if (aborted) {
            return;
        }
        inbox.callContinuation();
        callOpenedIfDue(); // an action of the connect's future may have offloaded the work
        if ((ready & MAIL) != 0) {
            inbox.runMail();
        }
        if ((ready & Ready.WRITE) != 0) {
            outbound.flushQueue();
        }
    }

    /** Receives, delivers and sends until nothing is left. Has the frequent calls itself, because the JIT inlines to a limited depth. */
    private void receiveAndSend(ThreadBuffers buffers) throws Exception {
        inbound.reportEnd();
        boolean drainReported = false;
        for (int round = 0; round < ROUNDS_MAX; round++) {
            if (outbound.isScarce()) { // other connections may have taken the memory meanwhile
                pressBack();
            }
            boolean receivesFirst = !mayRedeliver() || inbound.receivesFirst() && io.holdsInput(buffers);
            boolean more = receivesFirst && io.receive(buffers);
            if (!more && mayRedeliver()) {
                more = inbound.redeliver();
            }
            outbound.flushGathered();
            mailed.subtractWritten(); // later callbacks notify other threads that there is room
            if (outbound.progressed()) {
                timer.noteProgress();
            }
            more |= completions != null && completions.callDue(outbound.taken());
            if (timer.isDue() && mayExpire() && (!more || round == ROUNDS_MAX - 1)) {
                more |= timer.expire(); // checked last, because input during a handler's call counts
            }
            if (endSeen && !more && !isAboutToEnd()) {
                lookForReset();
            }
            if (inbox.isOffloading()) {
                outbound.flushGathered(); // output of a completion or a deadline after the last flush
                awaitWork();
                return;
            }
            if (failed()) {
                return;
            }
            if (relieved() || more || mayRedeliver()) {
                continue;
            }
            if (drainReported || !reportDraining()) {
                finish();
                return;
            }
            drainReported = true;
        }
        outbound.flushGathered(); // output of calls after the last flush
        if (inbox.isOffloading()) {
            awaitWork();
        }
        handle().post(Ready.WRITE); // gives other connections their turn
    }

    boolean mayExpire() {
        return !inbox.isOffloading() && !isAborted() && failure == null;
    }

    private boolean mayRedeliver() {
        return inbound.mustRedeliver() && !closing && wantsInput();
    }

    private boolean failed() {
        if (failure == null && outbound.failure() != null) {
            sendFailed(outbound.failure());
        }
        aborted |= abortAsked;
        if (aborted) {
            io.resetOnClose();
            handle().close();
        } else if (failure != null) {
            handle().closeBecauseOf(failure);
        }
        return aborted || failure != null;
    }

    /** Ends the output after a failed send. The connection ends when the handler has received the input that the peer had sent before. */
    private void sendFailed(IOException cause) {
        boolean first = !outbound.lost;
        // A callback that waits for a reply delays the end of the input. If it needs the output, it must see the
        // failure at once.
        if (first && io.inputOutlasts(cause) && !inbox.callbackWaits()) {
            outbound.lose(); // so that the queue no longer pauses reading
            if (inbound.endWithheld) {
                outbound.noteRefused(1); // calls the decorator's writable, so that it stops waiting for the output
            }
            timer.beginEnding(handle().handleSet().nanoTime(), terms.closeTotalNs());
        }
        boolean held = (first || lostWhileHeld) && (inbound.paused || inbox.isOffloading());
        lostWhileHeld = held;
        boolean nothingHeld = held && !inbound.closed && !inbound.hasUnread() && !io.mayHoldInput(context.buffers());
        if (!outbound.lost || closing || inbound.isEndDelivered() || nothingHeld) {
            failure = cause;
        } else if (first) {
            handle().post(Ready.READ); // reads the remaining input from the kernel
        }
    }

    /** Handles watermarks and refused writes. Returns true if there is room. If no close is under way, the handler was then called. */
    private boolean relieved() throws Exception {
        boolean grown = outbound.passedHighWatermark() || outbound.isScarce();
        boolean fallen = (backPressured || grown) && !outbound.isAboveLowWatermark();
        boolean writable = outbound.hasRoomForRefused(this) || fallen;
        if (fallen) {
            backPressured = false;
        } else if (grown) {
            pressBack();
        }
        if (writable && (!closing || closeHeld)) {
            int before = inbox.timesLetGo();
            handler.writable(this);
            inbox.afterCallback(before);
        }
        outbound.roomOffered();
        return writable;
    }

    private void pressBack() {
        if (!backPressured) {
            backPressured = true;
            context.count(StreamCount.READING_PAUSED);
        }
    }

    /** Asks the kernel for the error of a reset if reading has not found it. */
    private void lookForReset() {
        if (!endSeen || failure != null) {
            return;
        }
        if (!outbound.isEmpty() && outbound.failure() == null) {
            outbound.flushQueue();
        }
        if (!outbound.isEmpty()) {
            return;
        }
        endSeen = false;
        if (outbound.lost) {
            return; // the input will be read to its end
        }
        IOException found = io.pendingFailure();
        if (found != null) {
            fail(found);
        }
    }

    private void finish() {
        if (outbound.isEmpty() && !closeHeld) {
            finishOutput();
        }
        if (!handle().isClosed()) {
            stayOrDecideToMove();
        }
    }

    /**
     * Notifies the handler of a drain if nothing is under way. Called at most once in each processing. Returns true if the handler was
     * called. While reading is paused, received bytes do not delay the drain, because the service may never resume.
     */
    private boolean reportDraining() throws Exception {
        boolean due = draining
                && !closing
                && !backPressured
                && !context.grantsDrainGrace()
                && !inbox.callbackWaits()
                && (inbound.paused || inbound.closed || io.inputDrained());
        if (!due) {
            return false;
        }
        boolean paused = inbound.paused;
        int before = inbox.timesLetGo();
        handler.draining(this);
        inbox.afterCallback(before);
        if (closing && paused) {
            handle().post(Ready.READ); // reads the input to drop it
        }
        return true;
    }

    /** Returns true if the connection ends without a further answer of the service. A drain alone does not make it true. */
    private boolean isAboutToEnd() {
        return closing || inbound.closed && outputShut;
    }

    private void finishOutput() {
        if (closing && !awaitsPeerEnd
                || inbound.closed && closing
                || inbound.isEndDelivered() && outbound.shutWanted && !inbound.endWithheld) {
            handle().close();
            return;
        }
        // If a socket with unread input is closed, it is reset, and the peer may lose the answer. So the close waits
        // for the peer's end.
        if ((outbound.shutWanted || closing) && !outputShut) {
            outputShut = true;
            io.sendEndOfOutput();
        }
    }

    /** Called by any thread. Closes the connection, because its future was cancelled. {@link #becomeOpen} does the same by itself. */
    public void giveUpConnecting() {
        Handle own = handleVolatile();
        if (!own.isHeldByCaller() || !open) {
            own.close();
        }
    }

    /** Called before the close when no thread processes the connection any more. The peer then sees a reset. */
    public void abandon() {
        ReactorFailedException failed = context.reactorFailure();
        fail(
                failed == null
                        ? new IOException(this + " was not done when the reactor was closed")
                        : new IOException(this + " was reset: " + failed.getMessage(), failed));
        io.resetOnClose();
    }

    /** Called by any thread. Answers the input that was received, and then closes. */
    public void drain() {
        handleVolatile().post(DRAIN); // the thread that moves the connection then checks whether the shard is draining
    }

    /** As {@link #drain}, but does not wait for the peer's end. If input is unread, the kernel then resets the connection. */
    public void drainWithoutPeer() {
        awaitsPeerEnd = false;
        drain();
    }

    private void giveUpMove() {
        if (move != null) {
            ShardMove refused = move;
            move = null;
            refused.refuse();
        }
    }

    /** Decides if the connection is moved after this processing. If not, sets the events that the kernel reports next. */
    private void stayOrDecideToMove() {
        if (move != null && (draining || isAboutToEnd())) {
            int before = inbox.timesLetGo();
            giveUpMove();
            inbox.requireKept(before);
        }
        boolean idle = outbound.isEmpty() && !inbox.callbackWaits();
        boolean holdsStill = move != null && idle;
        moveDue = holdsStill && io.prepareToMove();
        if (!moveDue) {
            io.interest(!holdsStill && wantsInput(), !outbound.isEmpty());
        }
    }

    private void moveAway() {
        ShardMove request = move;
        moveDue = false;
        move = null;
        request.carryOut(io);
    }

    @Override
    public String description() {
        return toString();
    }

    /** Leaves the connection to other threads as if the callback had ended. */
    @Override
    public void beforeNestedWait(Handle ownHandle) {
        timer.noteProgress();
        handler.beforeNestedWait(this);
        inbox.letGo();
        outbound.flushGathered();
        mailed.subtractWritten();
        inbound.letGo();
        outbound.leave();
        if (inbox.isOffloading()) {
            handle().post(URGENT); // awaits the work, because WRITE and MAIL wait for its end
        }
        handle().post(Ready.WRITE | MAIL); // continues the work under way
    }

    @Override
    public void handleClosed(Handle ownHandle, Throwable cause) {
        try {
            io.descriptorReleased();
            inbox.close(ownHandle);
        } finally { // the memory is returned and the end is reported even if an error is thrown
            try {
                mailed.subtractWritten();
                outbound.awaitNoRoom(this);
                outbound.discard();
                inbound.discard();
                endDescriptors();
                giveUpMove();
                ConnectionSchedule tasks = schedule; // after the inbox was closed, which refuses later tasks
                if (tasks != null) {
                    tasks.end();
                }
            } finally {
                end(ownHandle, cause == null ? failure : cause);
            }
        }
    }

    private void endDescriptors() {
        DescriptorPassing passing = io.descriptors();
        if (passing != null) {
            passing.inbound().end();
        }
    }

    private void end(Handle ownHandle, Throwable cause) {
        try {
            WriteCompletions own = completions; // after the inbox was closed, by which other threads add theirs
            if (own != null) {
                own.end(outbound.taken(), cause, ownHandle.handleSet());
            }
        } finally {
            reportEnd(cause);
        }
    }

    private void reportEnd(Throwable cause) {
        if (open) {
            if (openedDue) { // the reactor was closed while a dependent action waited
                context.count(StreamCount.OPENED);
            }
            if (cause != null) {
                context.countEnd(cause);
            }
            context.count(StreamCount.CLOSED);
            handler.closed(this, cause);
        } else {
            io.neverOpened(cause);
        }
    }
}
