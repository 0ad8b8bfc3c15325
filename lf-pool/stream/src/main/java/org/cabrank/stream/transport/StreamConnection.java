package org.cabrank.stream.transport;

import java.io.IOException;
import java.net.SocketAddress;
import java.nio.ByteBuffer;
import java.time.Duration;
import java.util.Objects;
import java.util.concurrent.Callable;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.Executor;
import java.util.concurrent.RejectedExecutionException;
import org.cabrank.lf.CancellableWork;
import org.cabrank.lf.EventHandler;
import org.cabrank.lf.Handle;
import org.cabrank.lf.LeaderFollowersPool;
import org.cabrank.lf.Ready;
import org.cabrank.lf.Reply;
import org.cabrank.stream.AttachmentKey;
import org.cabrank.stream.Connection;
import org.cabrank.stream.ConnectionContinuation;
import org.cabrank.stream.ConnectionHandler;
import org.cabrank.stream.DeadlineException;
import org.cabrank.stream.IdleTimeoutException;
import org.cabrank.stream.PeerCredentials;
import org.cabrank.stream.ReactorFailedException;
import org.cabrank.stream.ReactorFile;
import org.cabrank.stream.ScheduledTask;
import org.cabrank.stream.ShardMemoryException;
import org.cabrank.stream.SocketOption;
import org.cabrank.stream.StreamLimits;
import org.cabrank.stream.StreamTimeouts;
import org.cabrank.stream.TcpInfo;
import org.cabrank.stream.UnreadLimitException;
import org.cabrank.stream.WriteCompletion;
import org.cabrank.stream.WriteQueueFullException;

/**
 * A stream connection over any backend: its life from opening to close, and the calls of the service. The parts of a connection:
 *
 * <ul>
 *   <li>{@link StreamIo}: the backend's I/O;
 *   <li>{@link CallbackGate}: the order of callbacks, mail from other threads, offloaded work, nested waits;
 *   <li>{@link Inbound}: received and unread bytes;
 *   <li>{@link Outbound}: written bytes and the queue;
 *   <li>{@link WriteCompletions}: calls of the service when the socket has taken bytes;
 *   <li>{@link ConnectionTimer}: time limits;
 *   <li>{@link ConnectionSchedule}: tasks that the service has scheduled;
 *   <li>{@link ShardMove}: a request to serve the connection in another shard.
 * </ul>
 *
 * <p>The fields belong to the claim holder. Other threads reach the connection through the gate's mailbox. A call of the service
 * changes fields at once in a callback, and by mail from elsewhere; the change is acted on when the callback has ended.
 *
 * <pre>
 *  connecting -> open -> closing (queue sent, FIN, peer's end) -> closed
 *        |         |        |                                       ^
 *        +---------+--------+---------- failure, abort -------------+
 * </pre>
 */
public final class StreamConnection implements Connection, EventHandler, SharedBytes.Waiter {
    /** Posted: the connection stands. */
    public static final int OPENED = Ready.POSTED_2;

    /** Posted: answer what has been received, then close. */
    public static final int DRAIN = Ready.POSTED_3;

    /** Posted: {@link #abortAsked}. */
    private static final int URGENT = Ready.POSTED_4;

    private static final int MAIL = CallbackGate.MAIL;

    /** Bits that the handle is dispatched for even while a callback's work is offloaded: each may end the connection. */
    public static final int WHEN_OFFLOADED = URGENT | Ready.TIMER | Ready.HANGUP | Ready.ERROR;

    private static final int DECIDES_CONNECT = Ready.READ | Ready.WRITE | Ready.HANGUP | Ready.ERROR;

    /** Named bound: reads and calls of the handler for one event, before other connections have their turn. */
    private static final int ROUNDS_MAX = 16;

    private final long id = StreamContext.nextConnectionId();
    /** Another after {@link #replaceHandler}. Written by the claim holder. */
    private volatile ConnectionHandler handler;

    private final ConnectionTerms terms;
    private final StreamIo io;
    private final CallbackGate gate;
    private final Inbound inbound;
    private final Outbound outbound;
    private final ConnectionTimer timer;

    /** Another when the connection is moved. */
    private StreamContext context;

    /** Null: no other shard is to serve the connection. */
    private ShardMove move;

    /** Null until the first task is scheduled. */
    private volatile ConnectionSchedule schedule;

    /** Null until the first completion is asked for. */
    private volatile WriteCompletions completions;

    /** Bytes were dropped because they were written after {@link #close} or {@link #shutdownOutput}. */
    private boolean outputDropped;

    /** Null until the first object is attached. */
    private Attachments attachments;

    private IOException failure;

    /** Asked for outside a callback. Not by mail, which waits for offloaded work. */
    private volatile boolean abortAsked;

    private boolean readPaused;
    private boolean outputShutWanted;
    private boolean closing;
    private boolean aborted;
    private boolean open;

    /** The present callback has replaced the handler. */
    private boolean handlerReplaced;

    /** The connection is open, and {@link ConnectionHandler#opened} has not been called yet. */
    private boolean openedDue;

    private boolean backPressured;

    /** The kernel has reported that both directions have ended, or an error. */
    private boolean endSeen;

    private boolean inputClosed;
    private boolean outputShut;
    private boolean draining;

    /** Processing has ended with the connection idle, and {@link #move} can be carried out. */
    private boolean moveDue;

    /** {@link #bind} follows. */
    public StreamConnection(ConnectionHandler handler, StreamContext context, ConnectionTerms terms, StreamIo io) {
        this.handler = handler;
        this.context = context;
        this.terms = terms;
        this.io = io;
        this.outbound = io.newOutbound(context);
        this.outbound.serve(this);
        this.gate = new CallbackGate(this, outbound);
        this.inbound = new Inbound(this);
        this.timer = new ConnectionTimer(this, terms);
    }

    // ---- for the backend ----

    /** Called once, before the first event. */
    public void bind(Handle ownHandle) {
        gate.bind(ownHandle);
    }

    /** Claim holder. */
    public Handle handle() {
        return gate.handle();
    }

    /** Any thread; null before {@link #bind}. */
    public Handle handleVolatile() {
        return gate.handleVolatile();
    }

    /** The backend's part of the connection. */
    public StreamIo io() {
        return io;
    }

    /** Claim holder: what the connections of its shard share. */
    public StreamContext context() {
        return context;
    }

    public ConnectionTerms terms() {
        return terms;
    }

    /** Returns true if the connection wants more input. Called by {@link StreamIo#receive}. */
    public boolean wantsInput() {
        if (inputClosed || failure != null || aborted || handle().isClosed()) {
            return false;
        }
        return closing || !inputHeld(); // a peer that writes before it reads must get rid of it to take the answer
    }

    private boolean inputHeld() {
        return readPaused || backPressured || gate.isOffloading();
    }

    /**
     * Returns the chunk to receive into, from its buffer's position to the limit, behind unread bytes. Called by
     * {@link StreamIo#receive}.
     *
     * @param wanted bytes that are known to be there, or 1
     */
    public Chunk receiveRoom(ThreadBuffers buffers, int wanted) throws IOException {
        if (!closing && inbound.hasUnread()) {
            return inbound.room(wanted);
        }
        Chunk free = buffers.receive;
        int capacity = free.bytes.capacity();
        free.bytes.clear().limit(Math.min(capacity, Math.max(wanted, outbound.portion(capacity))));
        return free;
    }

    /** Delivers received bytes, which stand before the position of {@link #receiveRoom}. Called by {@link StreamIo#receive}. */
    public void received(Chunk room) throws Exception {
        receivedIn(room.bytes.flip());
    }

    /**
     * Delivers received bytes, which stand from the position to the limit of a buffer of the backend. The buffer belongs to the
     * caller again when this method returns or throws. Called by {@link StreamIo#receive}, only if not {@link #hasUnread}.
     */
    public void receivedIn(ByteBuffer data) throws Exception {
        if (closing) {
            dropDescriptors();
            return;
        }
        inbound.deliver(data);
        timer.noteProgress(); // only now: the time that the handler has taken is not the peer's
    }

    /** Bytes that nobody reads have come, and perhaps descriptors with them. */
    private void dropDescriptors() {
        DescriptorPassing passing = io.descriptors();
        if (passing != null) {
            passing.inbound().dropAll();
        }
    }

    /** Notes that the peer will send no more. Called by {@link StreamIo#receive}. */
    public void endOfInput() throws Exception {
        inputClosed = true;
        inbound.ended();
    }

    /** Returns true if the handler has left bytes unread: bytes that are received next belong behind them. */
    public boolean hasUnread() {
        return inbound.hasUnread();
    }

    /** The connection cannot continue, and is closed with this cause at the end of the callback. The first cause counts. */
    public void fail(IOException cause) {
        if (failure == null) {
            failure = cause;
        }
    }

    /**
     * Notes that the socket has taken the oldest {@code count} bytes of the queue. If they were all, and nothing waits for that,
     * the connection is spared a processing. Called by a backend whose only thread asks.
     *
     * @return false: nothing was noted, and WRITE is to be dispatched
     */
    public boolean outputTaken(int count) {
        if (awaitsOutput() || !outbound.tookAll(count)) {
            return false;
        }
        timer.noteProgress();
        return true;
    }

    /** Returns true if something is to be done when the queue is empty. */
    private boolean awaitsOutput() {
        return closing
                || outputShutWanted
                || aborted
                || draining
                || backPressured
                || readPaused // without input and output, the connection must have the kernel report a reset
                || inputClosed
                || outbound.awaitsRoom()
                || completions != null && completions.count() > 0
                || move != null;
    }

    /** Takes the queue of unsent bytes, for a backend that must keep their memory until its requests have ended. */
    public OutboundQueue takeOutboundQueue() {
        return outbound.takeQueue();
    }

    /**
     * Moves the connection to the shard {@code target}, where its handle is {@code other}, which is not active yet. Called by
     * {@link StreamIo#moveTo}.
     */
    public void moved(Handle other, StreamContext target) {
        outbound.moveTo(target);
        inbound.moveTo(target.chunks());
        target.connectionMovedIn(); // first: rather counted twice for a moment than not at all
        context.connectionMovedOut();
        context = target;
        gate.bindAnewVolatile(other);
        timer.schedule();
        ConnectionSchedule tasks = schedule;
        if (tasks != null) {
            tasks.moveTo(target);
        }
        other.post(MAIL); // for mail that came by the former handle; and it has the kernel asked for what is wanted
    }

    // ---- for decorators ----

    /** Any thread: returns the connection as its service has it. */
    Connection decorated() {
        return handler.decorated(this);
    }

    /** Returns the connection below all {@linkplain ConnectionDecorator decorators}; null: one of them is not known as a decorator. */
    public static StreamConnection below(Connection connection) {
        Connection below = connection;
        while (below instanceof ConnectionDecorator decorator) {
            below = decorator.decoratedConnection();
        }
        return below instanceof StreamConnection stream ? stream : null;
    }

    /** Any thread: see {@link SharedBytes.Waiter}. */
    @Override
    public void roomAgain() {
        gate.handleVolatile().post(MAIL); // whoever moves the connection has the other handle look
    }

    // ---- for the parts ----

    ConnectionTimer timer() {
        return timer;
    }

    CallbackGate gate() {
        return gate;
    }

    ConnectionHandler handler() {
        return handler;
    }

    boolean isClosing() {
        return closing;
    }

    boolean isAborted() {
        return aborted;
    }

    /** Returns true if the present callback has replaced the handler; false from then on. */
    boolean takeHandlerReplaced() {
        boolean replaced = handlerReplaced;
        handlerReplaced = false;
        return replaced;
    }

    boolean isReadingPaused() {
        return readPaused;
    }

    /** Returns the receive buffer of the calling thread. Called in a callback. */
    ByteBuffer receiveBuffer() {
        return outbound.received();
    }

    /** Returns the buffer of the received bytes. Called in a callback that was given received bytes. */
    ByteBuffer bytesInHand() {
        return io.bytesInHand(outbound.received());
    }

    boolean takesOutput() {
        return !closing && !outputShutWanted && !aborted && failure == null && !handle().isClosed();
    }

    /** The handler has left as many bytes unread as it may. */
    void unreadLimitReached() {
        fail(new UnreadLimitException(
                this + ": the handler has left " + context.limits().unreadLimit() + " bytes unread, the limit"));
    }

    // ---- processing ----

    @Override
    public void handleEvent(Handle ownHandle, int ready) throws Exception {
        if (gate.isHeldBack()) {
            processWhileOffloaded(ready);
            return;
        }
        ThreadBuffers buffers = context.buffers();
        int before = gate.timesLetGo();
        boolean moves = false;
        outbound.enter(buffers);
        buffers.inUse = true;
        try {
            boolean wasOpen = open;
            if (wasOpen || becomeOpen(ready)) {
                process(wasOpen ? ready : ready | MAIL); // mail may have come while the connection was being made
                settle(buffers);
                timer.scheduleIfStale();
                moves = moveDue;
            } else if (failure != null) {
                handle().closeBecauseOf(failure);
            }
        } catch (CallbackGate.LetGo over) {
            gate.callbackOver();
        } catch (ShardMemoryException none) { // no handler's failure
            fail(none);
            handle().closeBecauseOf(none);
        } catch (Throwable thrown) {
            if (!gate.hasLetGo(before)) {
                flushAfterFailure();
            } else {
                gate.callbackOver();
            }
            throw thrown;
        } finally {
            buffers.inUse = false;
            if (!gate.hasLetGo(before)) {
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
        outbound.goOnBy(context.buffers());
        outbound.flushQueue();
        lookForReset();
        if (timer.isDue()
                && timer.hasDeadlinePassed()) { // the timer stays due: idle time is looked at when the work is done
            failAtDeadline(); // without a call of the handler, because the work and its continuation are under way
        }
        if (!failed()) {
            io.workOffloaded();
        }
    }

    /** Sends the bytes that the handler wrote before it failed. */
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
        int before = gate.timesLetGo();
        boolean wanted = io.announceOpen();
        gate.requireKept(before);
        open = wanted;
        openedDue = wanted;
        return wanted;
    }

    private void callOpenedIfDue() throws Exception {
        if (openedDue) {
            openedDue = false;
            context.connectionOpened();
            timer.noteProgress();
            timer.schedule();
            int before = gate.timesLetGo();
            handler.opened(this);
            gate.afterCallback(before);
        }
    }

    private boolean connected(int ready) {
        if ((ready & DRAIN) != 0) {
            fail(new IOException("connecting to " + remoteAddress() + " was given up: the reactor is being closed"));
        } else if ((ready & Ready.TIMER) != 0) {
            fail(new IOException(
                    "connecting to " + remoteAddress() + " took longer than " + Duration.ofNanos(terms.connectNs())));
        }
        return failure == null && (ready & DECIDES_CONNECT) != 0 && io.finishConnecting();
    }

    /** First of all: a callback that waits for a reply does not come back here, and nothing may be forgotten. */
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
        gate.callContinuation();
        if ((ready & MAIL) != 0) {
            gate.runMail();
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
        handlerReplaced = false;
        inbound.reportEnd();
        boolean drainReported = false;
        for (int round = 0; round < ROUNDS_MAX; round++) {
            backPressured |= outbound.isScarce(); // other connections may have taken the memory since
            boolean more =
                    inbound.mustRedeliver() && !closing && wantsInput() ? inbound.redeliver() : io.receive(buffers);
            outbound.flushGathered();
            if (outbound.progressed()) {
                timer.noteProgress();
            }
            more |= completions != null && callCompletions();
            if (timer.isDue() && mayExpire() && (!more || round == ROUNDS_MAX - 1)) {
                more |= timerExpired(); // only now: what has come while a handler ran counts
            }
            if (endSeen && !more && !isEnding()) {
                lookForReset();
            }
            if (failed()) {
                return;
            }
            if (gate.isOffloading()) {
                io.workOffloaded();
                return;
            }
            if (relieved() || more) {
                continue;
            }
            if (drainReported || !reportDraining()) {
                finish();
                return;
            }
            drainReported = true;
        }
        outbound.flushGathered(); // of calls behind the last flush
        handle().post(Ready.WRITE); // other connections have their turn
    }

    /**
     * Calls the completions of bytes that the socket has taken, but not those that these calls ask for: the next round calls them.
     *
     * @return true: one was called
     */
    private boolean callCompletions() throws Exception {
        WriteCompletions own = completions;
        long taken = outbound.taken();
        boolean called = false;
        for (int left = own.count(); left > 0 && own.isDue(taken) && mayExpire(); left--) {
            called = true;
            int before = gate.timesLetGo();
            own.poll().completed(this, null);
            gate.afterCallback(before);
        }
        return called;
    }

    /** False while work is offloaded, and when the connection has ended. */
    private boolean mayExpire() {
        return !gate.isOffloading() && !aborted && failure == null;
    }

    private boolean failed() {
        if (failure == null) {
            failure = outbound.failure();
        }
        if (aborted) {
            io.resetOnClose();
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
        boolean writable = outbound.hasRoomForRefused(this) || fallen;
        if (fallen) {
            backPressured = false;
        }
        if (writable && !closing) {
            int before = gate.timesLetGo();
            handler.writable(this);
            gate.afterCallback(before);
        }
        outbound.roomOffered();
        return writable;
    }

    /** The error that a reset has left behind, unless reading has found it. */
    private void lookForReset() {
        if (!endSeen || failure != null) {
            return;
        }
        endSeen = false;
        int error = io.pendingError();
        if (error != 0) {
            fail(io.endedBy(error));
        }
    }

    private void finish() {
        if (outbound.isEmpty()) {
            finishOutput();
        }
        if (!handle().isClosed()) {
            stayOrDecideToMove();
        }
    }

    /**
     * Notifies the handler of a drain when nothing is under way, once in each processing. With reading paused, what the peer has sent counts as dropped:
     * nobody knows whether the service will ever resume.
     *
     * @return true: the handler was called
     */
    private boolean reportDraining() throws Exception {
        boolean due = draining
                && !closing
                && !backPressured
                && !context.grantsDrainGrace()
                && !gate.callbackWaits()
                && (readPaused || io.inputDrained());
        if (!due) {
            return false;
        }
        boolean paused = readPaused;
        int before = gate.timesLetGo();
        handler.draining(this);
        gate.afterCallback(before);
        if (closing && paused) {
            handle().post(Ready.READ); // now the input is read, to be dropped
        }
        return true;
    }

    /** Returns true if the connection is about to end, and does so where it is. */
    private boolean isEnding() {
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
            io.sendEndOfOutput();
        }
    }

    // ---- the end ----

    /** Any thread: whoever waited for a connection that is being made does so no more, and it is closed. */
    public void giveUpConnecting() {
        gate.handleVolatile().close();
    }

    /** Nobody processes the connection any more, and it is about to be closed: the peer sees a reset. */
    public void abandon() {
        ReactorFailedException failed = context.reactorFailure();
        fail(
                failed == null
                        ? new IOException(this + " was not done when the reactor was closed")
                        : new IOException(this + " was reset: " + failed.getMessage(), failed));
        io.resetOnClose();
    }

    /** Any thread: answers what has been received, then closes. */
    public void drain() {
        gate.handleVolatile()
                .post(DRAIN); // whoever moves the connection asks, after that, whether the shard is draining
    }

    private void beginClosing() {
        if (!closing) {
            long nowNs = handle().handleSet().nanoTime();
            timer.beginClosing(nowNs, terms.closeTotalNs());
            closing = true; // directly behind: where the stack ends, both are done or nothing
        }
    }

    // ---- time ----

    private void setDeadline(long changedNs) {
        if (!closing && !handle().isClosed()) {
            timer.setDeadline(changedNs);
        }
    }

    /** Returns true if the handler was called. */
    private boolean timerExpired() throws Exception {
        switch (timer.expire()) {
            case IDLE -> fail(new IdleTimeoutException(this + " was idle for " + timer.timeout()));
            case CLOSE_WITHOUT_PROGRESS -> giveUpClosing(" has not gone on for " + timer.timeout());
            case CLOSE_TOTAL ->
                giveUpClosing(" the close has taken longer than " + Duration.ofNanos(terms.closeTotalNs()) + " in all");
            case DEADLINE -> {
                deadlinePassed();
                return true;
            }
            case NONE -> {
                // the timer is set again
            }
        }
        return false;
    }

    private void deadlinePassed() throws Exception {
        int before = gate.timesLetGo();
        handler.deadlinePassed(this);
        gate.afterCallback(before);
        if (!timer.isDeadlineDecided() && !closing && !aborted) {
            failAtDeadline();
        } else {
            timer.schedule(); // the timer that has expired stood for the idle time-out, too
        }
    }

    private void failAtDeadline() {
        fail(new DeadlineException(this + ": the deadline of the handler has passed"));
    }

    private void giveUpClosing(String reason) {
        aborted = true;
        context.closingGivenUp();
        if (!outbound.isEmpty()) {
            fail(new IOException(
                    this + ": the peer has not taken the last " + outbound.queuedBytes() + " bytes, and" + reason));
        }
    }

    // ---- moving to another shard ----

    /** Requests a move; a later request replaces an earlier one. Called in a callback. */
    void requestMove(ShardMove wanted) {
        ShardMove replaced = move;
        boolean isThere = wanted.isTo(context);
        move = isThere ? null : wanted; // first: an action that depends on a request may wait, or request again
        if (replaced != null) {
            replaced.refuse();
        }
        if (isThere) {
            wanted.done().complete(true);
        }
    }

    /** If there is a request, it will not be met. */
    private void giveUpMove() {
        if (move != null) {
            ShardMove refused = move;
            move = null;
            refused.refuse();
        }
    }

    /**
     * At the end of a processing: decides whether the connection is moved when its thread is done with it, and else which events
     * the kernel reports next.
     */
    private void stayOrDecideToMove() {
        if (move != null && isEnding()) {
            int before = gate.timesLetGo();
            giveUpMove();
            gate.requireKept(before);
        }
        boolean idle = outbound.isEmpty() && !gate.callbackWaits();
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

    // ---- the event handler ----

    /**
     * Prepares the connection for another thread, which finds the connection in the same state as after a callback. Called in a
     * callback that waits for a reply next.
     */
    @Override
    public void beforeNestedWait(Handle ownHandle) {
        timer.noteProgress();
        handler.beforeNestedWait(this);
        gate.letGo();
        outbound.flushGathered();
        inbound.letGo();
        outbound.leave();
        handle().post(Ready.WRITE | MAIL); // continues what was under way
    }

    @Override
    public void handleClosed(Handle ownHandle, Throwable cause) {
        try {
            io.descriptorReleased();
            gate.close(ownHandle);
        } finally { // the memory comes back and the end is reported even if an error ends the thread
            try {
                outbound.awaitNoRoom(this);
                outbound.discard();
                inbound.discard();
                endDescriptors();
                giveUpMove();
                ConnectionSchedule tasks =
                        schedule; // after the gate was closed: a task that is scheduled now finds that
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
            WriteCompletions own = completions; // after the gate was closed, which adds those of other threads
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
                context.connectionOpened();
            }
            if (cause != null) {
                context.countEnd(cause);
            }
            context.connectionClosed();
            handler.closed(this, cause);
        } else {
            io.neverOpened(cause);
        }
    }

    // ---- calls of the service ----

    @Override
    public void write(ByteBuffer data) {
        if (!gate.isInCallback()) {
            gate.mail(data, CallbackGate.NO_BYTES);
        } else if (takesOutput()) {
            outbound.write(data);
        } else {
            drop(data);
        }
    }

    @Override
    public void write(ByteBuffer head, ByteBuffer body) {
        if (!gate.isInCallback()) {
            gate.mail(head, body);
        } else if (takesOutput()) {
            outbound.write(head, body);
        } else {
            drop(head);
            drop(body);
        }
    }

    @Override
    public void sendFile(ReactorFile file, long position, long count) throws IOException {
        FileRange range = FileRange.of(file, position, count);
        boolean taken = false;
        try {
            if (!gate.isInCallback()) {
                gate.mail(range);
            } else if (takesOutput()) {
                countFileRange(range);
                taken = true;
                outbound.sendFile(range);
            } else {
                drop(range);
            }
            taken = true;
        } finally {
            if (!taken) {
                range.release();
            }
        }
    }

    private void countFileRange(FileRange range) {
        try {
            outbound.countFileRange(range);
        } catch (WriteQueueFullException full) {
            outbound.noteRefused(1);
            throw full;
        }
    }

    /** In a callback: releases a range that is not sent. */
    void drop(FileRange range) {
        outputDropped |= range.left() > 0;
        range.release();
    }

    /** In a callback: consumes bytes that are not sent. */
    void drop(ByteBuffer data) {
        outputDropped |= data.hasRemaining();
        data.position(data.limit());
    }

    @Override
    public void whenWritten(WriteCompletion completion) {
        Objects.requireNonNull(completion, "completion");
        if (gate.isInCallback()) {
            if (handle().isClosed()) {
                throw new RejectedExecutionException(this + " is closed");
            }
            WriteCompletions own = completions();
            own.reserve();
            addCompletion(own, completion);
            return;
        }
        if (gate.isMailboxFull()) {
            throw new RejectedExecutionException(gate.mailboxFull());
        }
        WriteCompletions own = completions();
        own.reserve();
        boolean added = false;
        try {
            added = gate.handOver(() -> addCompletion(own, completion));
        } finally {
            if (!added) {
                own.giveBack();
            }
        }
        if (!added) {
            throw new RejectedExecutionException(this + " is closed");
        }
    }

    private WriteCompletions completions() {
        if (completions == null) {
            synchronized (this) {
                if (completions == null) {
                    completions = new WriteCompletions(this);
                }
            }
        }
        return completions;
    }

    /** In a callback, or when the connection is gone, before the completions end. */
    private void addCompletion(WriteCompletions own, WriteCompletion completion) {
        if (!gate.isInCallback() || handle().isClosed()) {
            own.add(Long.MAX_VALUE, completion);
        } else if (outputDropped) {
            IOException dropped = new IOException(this + ": bytes were dropped because they were written after close or"
                    + " shutdownOutput; write first, and close behind that");
            own.add(
                    outbound.written(),
                    (connection, failed) -> completion.completed(connection, failed == null ? dropped : failed));
        } else {
            own.add(outbound.written(), completion);
        }
    }

    @Override
    public void writeDescriptors(ByteBuffer data, int... descriptors) throws IOException {
        OutboundDescriptors out = requirePassing().outbound();
        if (descriptors.length == 0 || descriptors.length > out.max()) {
            throw new IllegalArgumentException("a write carries 1 to " + out.max() + " descriptors on " + this
                    + ", but was given " + descriptors.length + "; write several times, or raise descriptorsMax");
        }
        if (!data.hasRemaining()) {
            throw new IllegalArgumentException("descriptors go with the first byte of the data, but there is none");
        }
        boolean inCallback = gate.isInCallback();
        if (inCallback && !takesOutput()) {
            drop(data);
            return;
        }
        if (inCallback) {
            outbound.requireRoomOrNote(data.remaining());
        } else if (gate.isClosed()) {
            data.position(data.limit());
            return;
        }
        DescriptorBatch batch = out.duplicate(descriptors);
        if (batch == null) {
            refuseDescriptors(inCallback, out.max());
        }
        boolean handedOver = false;
        try {
            if (inCallback) {
                handedOver = true; // whatever is thrown
                outbound.write(data, batch, out);
            } else {
                handedOver = gate.mail(data, CallbackGate.NO_BYTES, batch);
            }
        } finally {
            if (!handedOver) {
                batch.close();
            }
        }
    }

    private DescriptorPassing requirePassing() {
        DescriptorPassing passing = io.descriptors();
        if (passing == null) {
            throw new UnsupportedOperationException(
                    this + " passes no descriptors: ask for it with descriptorsMax in the options of"
                            + " its listener or its connect, at a Unix address");
        }
        return passing;
    }

    private void refuseDescriptors(boolean inCallback, int max) throws WriteQueueFullException {
        context.writeRefused();
        if (inCallback && gate.mailedBytes() == 0) {
            outbound.noteRefused(Outbound.UNTIL_EMPTY);
        } else {
            gate.noteRefusedUntilEmpty();
        }
        throw new WriteQueueFullException(
                "the peer does not read: no more than " + max
                        + " descriptors may wait to be sent; write again when writable is"
                        + " called, or raise descriptorsMax",
                true);
    }

    @Override
    public int receivedDescriptors() {
        return requirePassing().inbound().count();
    }

    @Override
    public int takeDescriptor() {
        return requirePassing().inbound().take();
    }

    @Override
    public void flush() {
        if (gate.isInCallback() && !handle().isClosed()) {
            outbound.flush();
        }
    }

    @Override
    public long queuedBytes() {
        return outbound.queuedBytes()
                + gate.mailedBytes()
                + gate.mailedFileBytes()
                + (gate.isInCallback() ? outbound.gatheredBytes() : 0);
    }

    @Override
    public boolean isWritable() {
        long queued = queuedBytes();
        if (queued <= context.limits().highWatermark() && isReactorWritable(queued)) {
            return true;
        }
        if (gate.isInCallback() && gate.mailedBytes() == 0) {
            outbound.noteRefused(1);
        } else {
            gate.noteUnwritable();
        }
        return false;
    }

    /** Bytes of files are in no memory. */
    private boolean isReactorWritable(long queued) {
        return outbound.isReactorWritable(queued - outbound.queuedFileBytes() - gate.mailedFileBytes());
    }

    @Override
    public void pauseReading() {
        if (gate.isInCallback()) {
            readPaused = true;
        } else {
            gate.handOver(Mailbox.Kind.READING, this::pauseReading);
        }
    }

    @Override
    public void resumeReading() {
        if (gate.isInCallback()) {
            readPaused = false;
        } else {
            gate.handOver(Mailbox.Kind.READING, this::resumeReading);
        }
    }

    @Override
    public void requireRoom(int bytes) {
        if (!gate.isInCallback()) {
            gate.requireRoom(bytes);
        } else if (takesOutput()) {
            outbound.requireRoomOrNote(bytes);
        }
    }

    @Override
    public boolean isInCallback() {
        return gate.isInCallback();
    }

    @Override
    public boolean isDraining() {
        return draining;
    }

    @Override
    public boolean isReceiving() {
        return gate.isInCallback()
                && !closing
                && !readPaused
                && !handlerReplaced
                && !gate.isOffloading()
                && !aborted
                && failure == null
                && !handle().isClosed();
    }

    @Override
    public StreamLimits limits() {
        return context.limits();
    }

    @Override
    public void shutdownOutput() {
        if (gate.mayChangeAtOnce()) {
            outputShutWanted = true;
        } else {
            gate.handOver(Mailbox.Kind.OUTPUT, this::shutdownOutput);
        }
    }

    @Override
    public void close() {
        if (gate.mayChangeAtOnce()) {
            beginClosing();
        } else {
            gate.handOver(Mailbox.Kind.CLOSE, this::close);
        }
    }

    @Override
    public void abort() {
        if (gate.isInCallback()) {
            aborted = true;
        } else {
            abortAsked = true; // first: whoever moves the connection changes the handle, and then looks
            gate.handleVolatile().post(URGENT);
        }
    }

    @Override
    public void deadline(Duration limit) {
        long limitNs = StreamTimeouts.nanos(limit, "deadline");
        long deadlineNs = limitNs == 0
                ? Handle.NO_DEADLINE
                : gate.handleVolatile().handleSet().nanoTime() + limitNs;
        if (gate.isInCallback()) {
            setDeadline(deadlineNs);
        } else {
            gate.handOver(Mailbox.Kind.DEADLINE, () -> setDeadline(deadlineNs));
        }
    }

    @Override
    public void execute(Runnable task) {
        Objects.requireNonNull(task, "task");
        if (gate.isMailboxFull()) {
            throw new RejectedExecutionException(gate.mailboxFull());
        }
        if (!gate.handOver(task)) {
            throw new RejectedExecutionException(this + " is closed");
        }
    }

    @Override
    public ScheduledTask schedule(Duration delay, Runnable task) {
        return schedule().add(Objects.requireNonNull(delay, "delay"), null, task);
    }

    @Override
    public ScheduledTask scheduleEvery(Duration first, Duration period, Runnable task) {
        return schedule().add(first, Objects.requireNonNull(period, "period"), task);
    }

    private ConnectionSchedule schedule() {
        if (schedule == null) {
            synchronized (this) {
                if (schedule == null) {
                    schedule = new ConnectionSchedule(this);
                }
            }
        }
        return schedule;
    }

    @Override
    public <T> void offload(
            Executor executor, Callable<? extends T> work, ConnectionContinuation<? super T> continuation) {
        gate.requireMayOffload(continuation);
        handle().offload(executor, work, gate.continuing(continuation));
        gate.noteOffloaded();
    }

    @Override
    public <T> void offload(
            Executor executor, CancellableWork<? extends T> work, ConnectionContinuation<? super T> continuation) {
        gate.requireMayOffload(continuation);
        handle().offload(executor, work, gate.continuing(continuation));
        gate.noteOffloaded();
    }

    @Override
    public void promoteNewLeader() {
        if (gate.isInCallback()) {
            LeaderFollowersPool pool = handle().handleSet().pool();
            if (pool != null) {
                pool.promoteNewLeader();
            }
        } else if (!gate.handleVolatile().isClosed()) { // the last callback is called by whoever closes the connection
            throw new IllegalStateException("only a callback of " + this + " may promote a new leader");
        }
    }

    @Override
    public <T> Reply<T> newReply() {
        return handle().handleSet().pool().newReply();
    }

    @Override
    public int shard() {
        return context.shard();
    }

    @Override
    public CompletableFuture<Boolean> moveTo(int shard) {
        ShardMove wanted = new ShardMove(this, context.shardOfReactor(shard));
        if (gate.isInCallback()) {
            requestMove(wanted);
        } else if (!gate.handOver(Mailbox.Kind.MOVE, wanted)) {
            wanted.refuse();
        }
        return wanted.done();
    }

    @Override
    public SocketAddress remoteAddress() {
        return io.remoteAddress();
    }

    @Override
    public SocketAddress localAddress() {
        return io.localAddress();
    }

    @Override
    public <T> void option(SocketOption<T> option, T value) throws IOException {
        io.option(option, value);
    }

    @Override
    public <T> T option(SocketOption<T> option) throws IOException {
        return io.option(option);
    }

    @Override
    public TcpInfo tcpInfo() throws IOException {
        return io.tcpInfo();
    }

    @Override
    public PeerCredentials peerCredentials() throws IOException {
        return io.peerCredentials();
    }

    @Override
    public int peerPidfd() throws IOException {
        return io.peerPidfd();
    }

    @Override
    public ConnectionHandler replaceHandler(ConnectionHandler next) {
        Objects.requireNonNull(next, "next");
        if (!gate.isInCallback()) {
            throw new IllegalStateException("only a callback of " + this + " may replace its handler");
        }
        ConnectionHandler former = handler;
        handler = next;
        handlerReplaced = true;
        inbound.handlerReplaced();
        handle().post(Ready.WRITE | MAIL); // gives the next handler what is unread
        return former;
    }

    /** Returns the cause that the connection is closed with, unless its handle was closed with another; null: none. */
    public IOException failure() {
        return failure;
    }

    @Override
    public long id() {
        return id;
    }

    @Override
    public <T> T attachment(AttachmentKey<T> key) {
        return attachments == null ? null : attachments.get(key);
    }

    @Override
    public <T> void attach(AttachmentKey<T> key, T value) {
        if (attachments == null) {
            attachments = new Attachments();
        }
        attachments.put(key, value);
    }

    @Override
    public String toString() {
        return "connection " + id + " with " + io.describePeer();
    }
}
