package org.cabrank.lf.stream.spi;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.time.Duration;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.atomic.AtomicLong;
import org.cabrank.lf.EventHandler;
import org.cabrank.lf.Handle;
import org.cabrank.lf.LeaderFollowersPool;
import org.cabrank.lf.Ready;
import org.cabrank.lf.stream.Connection;
import org.cabrank.lf.stream.ConnectionHandler;
import org.cabrank.lf.stream.IdleTimeoutException;
import org.cabrank.lf.stream.UnreadLimitException;
import org.cabrank.lf.stream.WriteQueueFullException;

/**
 * What is the same for a stream connection over every backend: when bytes are given to the handler, when reading pauses,
 * and how the connection comes to its end. A reactor adds how to receive and how to send.
 *
 * <p>The fields belong to the claim holder. Other threads reach it through the mailbox.
 *
 * <pre>
 *  connecting -> open -> closing -> lingering -> closed
 *                  |        (queue sent, FIN)      ^
 *                  +-------- failure, abort -------+
 * </pre>
 */
public abstract class StreamConnection implements Connection, EventHandler, Transmitter {
    /** Posted: the mailbox has something. */
    protected static final int MAIL = Ready.POSTED;
    /** Posted: the connection stands. */
    public static final int OPENED = Ready.POSTED_2;
    /** Posted: answer what has been received, then close. */
    protected static final int DRAIN = Ready.POSTED_3;

    private static final int DECIDES_CONNECT = Ready.READ | Ready.WRITE | Ready.HANGUP | Ready.ERROR;

    /** Named bound: times that one event may relieve the queue and call the handler for more. */
    private static final int SETTLE_ROUNDS_MAX = 16;

    private final long id = StreamContext.nextConnectionId();
    private final ConnectionHandler handler;
    private final StreamContext context;
    private final Outbound outbound;
    private final Mailbox mailbox = new Mailbox();
    private final AtomicLong mailedBytes = new AtomicLong();
    private final UnreadBytes unread;

    private Handle handle;
    private Object attachment;
    private IOException failure;
    private long lastProgressNs;
    private boolean open;
    private boolean readPaused;
    private boolean backPressured;
    private boolean redeliver;
    private boolean timerDue;
    private boolean inputClosed;
    private boolean outputShutWanted;
    private boolean outputShut;
    private boolean closing;
    private boolean draining;
    private boolean aborted;

    protected StreamConnection(ConnectionHandler handler, StreamContext context) {
        this.handler = handler;
        this.context = context;
        this.outbound = new Outbound(context.chunks(), context.limits());
        this.unread = new UnreadBytes(context.chunks(), context.limits().unreadLimit());
    }

    // ---- what a reactor adds; all by the claim holder ----

    /** Receives, and calls {@link #received} and {@link #endOfInput}, while {@link #wantsInput} and something is there. */
    protected abstract void receive(ThreadBuffers buffers) throws Exception;

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

    /** The descriptor has been given back; the handler is told next. */
    protected abstract void descriptorReleased();

    /** The connection came to its end before {@link ConnectionHandler#opened}. */
    protected abstract void neverOpened(Throwable cause);

    /** Processing is over: what the kernel should report next. */
    protected abstract void interest(boolean input, boolean output);

    // ---- events ----

    /** Once, before the first event. */
    protected final void bind(Handle ownHandle) {
        handle = ownHandle;
    }

    protected final Handle handle() {
        return handle;
    }

    protected final StreamContext context() {
        return context;
    }

    @Override
    public final void handleEvent(Handle ownHandle, int ready) throws Exception {
        ThreadBuffers buffers = context.buffers();
        outbound.enter(buffers, this);
        try {
            if (open || becomeOpen(ready)) {
                process(ready);
                settle(buffers);
            } else if (failure != null) {
                handle.closeBecauseOf(failure);
            }
        } catch (Throwable thrown) {
            if (!handle.isClosed()) {
                outbound.flushGathered(); // what the handler wrote before it failed is whole, and goes out
            }
            throw thrown;
        } finally {
            outbound.leave();
        }
    }

    private boolean becomeOpen(int ready) throws Exception {
        if ((ready & OPENED) == 0 && !connected(ready)) {
            return false;
        }
        open = true;
        context.connectionOpened();
        noteProgress();
        scheduleTimer();
        handler.opened(this);
        return true;
    }

    private boolean connected(int ready) {
        if ((ready & DRAIN) != 0) {
            fail(new IOException("connecting to " + remoteAddress() + " was given up: the reactor is being closed"));
        } else if ((ready & Ready.TIMER) != 0) {
            fail(new IOException("connecting to " + remoteAddress() + " took longer than "
                    + Duration.ofNanos(context.connectTimeoutNs())));
        }
        return failure == null && (ready & DECIDES_CONNECT) != 0 && finishConnecting();
    }

    private void process(int ready) {
        if ((ready & MAIL) != 0 && mailbox.run()) {
            handle.post(MAIL);
        }
        draining |= (ready & DRAIN) != 0;
        if ((ready & Ready.WRITE) != 0) {
            outbound.flushQueue();
        }
        timerDue |= (ready & Ready.TIMER) != 0;
        noteInputReady(ready);
    }

    /** Receives, sends and ends, until nothing more can be done now. */
    private void settle(ThreadBuffers buffers) throws Exception {
        for (int round = 0; round < SETTLE_ROUNDS_MAX; round++) {
            if (redeliver && !closing && wantsInput()) {
                redeliver = false;
                deliver(unread.flip());
            }
            receive(buffers);
            if (handle.isClosed()) {
                return;
            }
            outbound.flushGathered();
            if (outbound.progressed()) {
                noteProgress();
            }
            if (timerDue) {
                timerDue = false;
                timerExpired(); // only now: what has come while a handler ran counts
            }
            if (failed()) {
                return;
            }
            if (!relieved()) {
                finish();
                return;
            }
        }
        handle.post(Ready.WRITE); // others' turn
    }

    private boolean failed() {
        if (failure == null) {
            failure = outbound.failure();
        }
        if (aborted) {
            resetOnClose();
            handle.close();
        } else if (failure != null) {
            handle.closeBecauseOf(failure);
        }
        return aborted || failure != null;
    }

    /** Watermarks; true: the handler was called, or reading may go on. */
    private boolean relieved() throws Exception {
        if (!backPressured) {
            backPressured = outbound.isAboveHighWatermark();
            return false;
        }
        if (outbound.isAboveLowWatermark()) {
            return false;
        }
        backPressured = false;
        if (!closing) {
            handler.writable(this);
        }
        return true;
    }

    private void finish() {
        if (draining && !inputHeld() && inputDrained()) {
            beginClosing();
        }
        if (outbound.isEmpty()) {
            finishOutput();
        }
        if (!handle.isClosed()) {
            interest(wantsInput(), !outbound.isEmpty());
        }
    }

    private void finishOutput() {
        if (inputClosed && (closing || outputShutWanted)) {
            handle.close();
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
        return readPaused || backPressured;
    }

    /** For {@link #receive}: whether to go on. */
    protected final boolean wantsInput() {
        if (inputClosed || failure != null || aborted || handle.isClosed()) {
            return false;
        }
        return closing || !inputHeld(); // a peer that writes before it reads must get rid of it to take the answer
    }

    /** For {@link #receive}: where to, from the buffer's position to its limit. */
    protected final Chunk receiveRoom(ThreadBuffers buffers) {
        if (!closing && !unread.isEmpty()) {
            return unread.room();
        }
        buffers.receive.bytes.clear();
        return buffers.receive;
    }

    /** For {@link #receive}: bytes have come, and stand before the position of {@link #receiveRoom}. */
    protected final void received(Chunk room) throws Exception {
        if (closing) {
            return;
        }
        noteProgress();
        deliver(room.bytes.flip());
    }

    private void deliver(ByteBuffer data) throws Exception {
        handler.data(this, data);
        if (closing) {
            unread.discard();
        } else {
            unread.keepRest(data);
        }
        redeliver = readPaused && !unread.isEmpty();
        if (unread.isFull() && !readPaused) {
            fail(new UnreadLimitException(
                    this + ": the handler has left " + context.limits().unreadLimit() + " bytes unread, the limit"));
        }
        outbound.flushGathered();
        backPressured |= outbound.isAboveHighWatermark();
    }

    /** For {@link #receive}: the peer will send no more. */
    protected final void endOfInput() throws Exception {
        inputClosed = true;
        if (!closing) {
            ByteBuffer rest = unread.flip();
            handler.inputClosed(this, rest);
            unread.discard();
        }
    }

    /** The connection cannot go on, and is closed with this cause at the end of the callback. */
    protected final void fail(IOException cause) {
        if (failure == null) {
            failure = cause;
        }
    }

    // ---- what a service asks for ----

    private boolean isInCallback() {
        return handle.isHeldByCaller() && outbound.isEntered();
    }

    private boolean takesOutput() {
        return !closing && !outputShutWanted && !aborted && failure == null && !handle.isClosed();
    }

    @Override
    public final void write(ByteBuffer data) {
        if (!isInCallback()) {
            mail(data);
        } else if (takesOutput()) {
            outbound.write(data);
        } else {
            data.position(data.limit());
        }
    }

    private void mail(ByteBuffer data) {
        int count = data.remaining();
        try {
            outbound.requireRoom(mailedBytes.addAndGet(count));
        } catch (WriteQueueFullException full) {
            mailedBytes.addAndGet(-count);
            throw full;
        }
        ByteBuffer copy = ByteBuffer.allocate(count).put(data).flip();
        boolean handedOver = handOver(() -> {
            mailedBytes.addAndGet(-count);
            if (isInCallback() && takesOutput()) {
                outbound.writeUnbounded(copy);
            }
        });
        if (!handedOver) {
            mailedBytes.addAndGet(-count);
        }
    }

    @Override
    public final void flush() {
        if (isInCallback() && !handle.isClosed()) {
            outbound.flushGathered();
        }
    }

    @Override
    public final long queuedBytes() {
        return outbound.queuedBytes() + mailedBytes.get() + (isInCallback() ? outbound.gatheredBytes() : 0);
    }

    @Override
    public final void pauseReading() {
        inCallback(() -> readPaused = true);
    }

    @Override
    public final void resumeReading() {
        inCallback(() -> readPaused = false);
    }

    @Override
    public final void shutdownOutput() {
        inCallback(() -> outputShutWanted = true);
    }

    @Override
    public final void close() {
        inCallback(this::beginClosing);
    }

    private void beginClosing() {
        if (!closing) {
            closing = true;
            noteProgress();
            scheduleTimer();
        }
    }

    @Override
    public final void abort() {
        inCallback(() -> aborted = true);
    }

    @Override
    public final void execute(Runnable task) {
        if (!handOver(task)) {
            throw new RejectedExecutionException(this + " is closed");
        }
    }

    private void inCallback(Runnable change) {
        if (isInCallback()) {
            change.run();
        } else {
            handOver(change);
        }
    }

    /** False: the connection is gone, and the task will not run. */
    private boolean handOver(Runnable task) {
        boolean added = mailbox.add(task);
        if (added) {
            handle.post(MAIL);
        }
        return added;
    }

    @Override
    public final void promoteNewLeader() {
        LeaderFollowersPool pool = handle.handleSet().pool();
        if (pool != null && isInCallback()) {
            pool.promoteNewLeader();
        }
    }

    /** Nobody processes the connection any more, and it is about to be closed: the peer sees a reset. */
    public final void abandon() {
        fail(new IOException(this + " was not done when the reactor was closed"));
        resetOnClose();
    }

    /** Any thread: answers what has been received, then closes. */
    public final void drain() {
        handle.post(DRAIN);
    }

    @Override
    public final long id() {
        return id;
    }

    @Override
    public final Object attachment() {
        return attachment;
    }

    @Override
    public final void attach(Object changed) {
        attachment = changed;
    }

    // ---- time ----

    private long timeoutNs() {
        return closing ? context.closeTimeoutNs() : context.idleTimeoutNs();
    }

    /** The clock is read only where somebody watches it. A peer that sends on and on while we close makes no progress. */
    private void noteProgress() {
        if (timeoutNs() != 0) {
            lastProgressNs = handle.handleSet().nanoTime();
        }
    }

    private void scheduleTimer() {
        long timeoutNs = timeoutNs();
        handle.scheduleTimer(timeoutNs == 0 ? Handle.NO_DEADLINE : lastProgressNs + timeoutNs);
    }

    private void timerExpired() {
        long timeoutNs = timeoutNs();
        if (timeoutNs == 0) {
            return;
        }
        if (handle.handleSet().nanoTime() - lastProgressNs < timeoutNs) {
            scheduleTimer();
        } else if (closing) {
            aborted = true;
            if (!outbound.isEmpty()) {
                fail(new IOException(this + ": the peer has not taken the last " + outbound.queuedBytes()
                        + " bytes, and has not gone on for " + Duration.ofNanos(timeoutNs)));
            }
        } else {
            fail(new IdleTimeoutException(this + " was idle for " + Duration.ofNanos(timeoutNs)));
        }
    }

    // ---- the end ----

    @Override
    public final void handleClosed(Handle ownHandle, Throwable cause) {
        descriptorReleased();
        Throwable failed = mailbox.close();
        if (failed != null) {
            handle.handleSet().failures().log("a task of " + this + " failed", failed);
        }
        outbound.discard();
        unread.discard();
        if (open) {
            context.connectionClosed();
            handler.closed(this, cause == null ? failure : cause);
        } else {
            neverOpened(cause == null ? failure : cause);
        }
    }

    @Override
    public String toString() {
        return "connection " + id + " with " + remoteAddress();
    }
}
