package org.cabrank.stream.transport;

import java.io.IOException;
import java.nio.ByteBuffer;
import org.cabrank.lf.EventHandler;
import org.cabrank.lf.Handle;
import org.cabrank.lf.Ready;
import org.cabrank.stream.Connection;
import org.cabrank.stream.ConnectionHandler;
import org.cabrank.stream.ShardMemoryException;

/**
 * The side of a connection that calls the service's handler, and that knows when a callback has waited for a reply
 * ({@link Connection#newReply}): then the connection is others' since the wait began, and the processing that the callback
 * was part of ends with {@link LetGo}. By the claim holder.
 */
abstract class CallingConnection extends RequestedConnection implements EventHandler {
    private final ConnectionHandler handler;
    private final UnreadBytes unread;

    /** Grows when a callback lets go of the connection: whose callback finds it as it was still has it to itself. */
    private int timesLetGo;

    /** Callbacks that wait, or have not returned since. */
    private int waiting;

    /** The handler has bytes in its hands; and whether that is the last call for them. */
    private boolean dataInHand;

    private boolean restInHand;

    /** Of the bytes in hand: the limit of their buffer before the handler had it. */
    private int limitInHand;

    /** The copy that the handler has in hand instead, if {@link LentBuffers#CHECKED}. */
    private ByteBuffer copyInHand;

    /** What the handler left unread is to be given to it again though nothing has been received since. */
    private boolean redeliver;

    /** What is called next instead of what the handler waits for; null: nothing. */
    private Callback continuation;

    /** The end of the input is told when no callback waits any more: their answers go out before. */
    private boolean endHeld;

    CallingConnection(ConnectionHandler handler, StreamContext context) {
        super(context);
        this.handler = handler;
        this.unread = new UnreadBytes(context.chunks(), context.limits().unreadLimit());
    }

    /** The handler has left as much unread as it may. */
    abstract void unreadLimitReached();

    /** The connection cannot go on, and is closed with this cause at the end of the callback. */
    protected abstract void fail(IOException cause);

    /** Something has come or gone: the idle time begins anew. */
    abstract void noteProgress();

    // ---- callbacks; each ends with LetGo if it has waited ----

    final void callOpened() throws Exception {
        int before = timesLetGo;
        handler.opened(this);
        afterCallback(before);
    }

    final void callWritable() throws Exception {
        int before = timesLetGo;
        handler.writable(this);
        afterCallback(before);
    }

    final void callDeadlinePassed() throws Exception {
        int before = timesLetGo;
        handler.deadlinePassed(this);
        afterCallback(before);
    }

    final void runMail() {
        for (int ran = 0; ran < Mailbox.TASKS_MAX && !offloading; ran++) {
            Runnable task = mailbox.poll();
            if (task == null) {
                awaitRoomForRefused();
                return;
            }
            int before = timesLetGo;
            task.run();
            afterCallback(before);
        }
        handle().post(MAIL);
    }

    @Override
    final void goOn(Callback with) throws Exception {
        continuation = with;
        handleEvent(handle(), MAIL); // what was handed over meanwhile comes before further bytes
    }

    /** A callback has handed work away, and it is not to be gone on with yet. */
    final boolean isHandedAway() {
        return offloading && continuation == null;
    }

    /** If there is one. */
    final void callContinuation() throws Exception {
        if (continuation == null) {
            return;
        }
        Callback due = continuation;
        continuation = null;
        offloading = false;
        noteProgress(); // nobody could hear the peer meanwhile
        int before = timesLetGo;
        due.call();
        afterCallback(before);
    }

    final void deliver(ByteBuffer data) throws Exception {
        int before = timesLetGo;
        int limit = data.limit();
        ByteBuffer lent = LentBuffers.lend(data);
        dataInHand = true;
        limitInHand = limit;
        if (LentBuffers.CHECKED) {
            copyInHand = lent;
        }
        try {
            handler.data(this, lent);
            afterCallback(before);
            LentBuffers.takeBack(data, lent, limit);
        } finally {
            if (LentBuffers.CHECKED) {
                LentBuffers.expire(lent);
            }
        }
        dataInHand = false;
        if (closing) {
            unread.discard();
        } else {
            unread.keepRest(data);
        }
        boolean held = readPaused || offloading;
        redeliver = held && !unread.isEmpty();
        if (unread.isFull() && !held) {
            unreadLimitReached();
        }
    }

    /** Whether {@link #redeliver} has something. */
    final boolean mustRedeliver() {
        return redeliver;
    }

    /** What the handler left unread when it paused, waited or handed work away; true: there may be more. */
    final boolean redeliver() throws Exception {
        redeliver = false;
        deliver(unread.flip());
        return true;
    }

    /** The peer will send no more. */
    final void inputEnded() throws Exception {
        endHeld = true;
        tellHeldEnd();
    }

    /** What the end of the input waits for may have come. */
    final void tellHeldEnd() throws Exception {
        if (!endHeld || waiting > 0 || offloading || aborted) {
            return;
        }
        endHeld = false;
        if (!closing) {
            callInputClosed(unread.isEmpty() ? outbound.received().clear().limit(0) : unread.flip());
        }
    }

    private void callInputClosed(ByteBuffer rest) throws Exception {
        int before = timesLetGo;
        restInHand = true;
        ByteBuffer lent = LentBuffers.lend(rest);
        try {
            handler.inputClosed(this, lent);
        } finally {
            if (LentBuffers.CHECKED) {
                LentBuffers.expire(lent);
            }
        }
        afterCallback(before);
        restInHand = false;
        unread.discard();
    }

    final void callClosed(Throwable cause) {
        handler.closed(this, cause);
    }

    /** During a callback that was given received bytes: their buffer. */
    protected ByteBuffer bytesInHand() {
        return outbound.received();
    }

    /**
     * For a reactor whose only thread asks: the socket has taken the oldest {@code count} bytes of the queue. Where they were
     * all, and nothing waits for that, the connection is spared a processing.
     *
     * @return false: nothing was noted, and WRITE is to be dispatched
     */
    protected final boolean outputTaken(int count) {
        if (awaitsOutput() || !outbound.tookAll(count)) {
            return false;
        }
        noteProgress();
        return true;
    }

    /** Something is to be done when the queue is empty. */
    abstract boolean awaitsOutput();

    // ---- unread bytes ----

    /** Whether the handler has left bytes unread: what is received next belongs behind them. */
    protected final boolean hasUnread() {
        return !unread.isEmpty();
    }

    /** Where to receive so that what the handler has left unread stands in front; else into {@code otherwise}. */
    final Chunk roomBehindUnread(Chunk otherwise, int wanted) throws ShardMemoryException {
        if (!closing && !unread.isEmpty()) {
            return unread.room(wanted);
        }
        int capacity = otherwise.bytes.capacity();
        otherwise.bytes.clear().limit(Math.min(capacity, Math.max(wanted, outbound.portion(capacity))));
        return otherwise;
    }

    /** The connection is another shard's from now on. */
    final void moveUnread(ChunkPool other) {
        unread.moveTo(other);
    }

    final void discardUnread() {
        unread.discard();
    }

    // ---- waits ----

    /** In a callback that waits for a reply next: whoever processes the connection then finds it as after a callback. */
    @Override
    public final void beforeNestedWait(Handle ownHandle) {
        noteProgress();
        timesLetGo++;
        waiting++;
        outbound.flushGathered();
        if (dataInHand) {
            takeBackBytesInHand();
            redeliver = !unread.isEmpty();
        } else if (restInHand) {
            unread.leaveToHandler();
        }
        dataInHand = false;
        restInHand = false;
        outbound.leave();
        handle().post(Ready.WRITE | MAIL); // goes on with what was under way
    }

    private void takeBackBytesInHand() {
        ByteBuffer received = bytesInHand();
        ByteBuffer data = unread.inHand(received);
        LentBuffers.takeBack(data, LentBuffers.CHECKED ? copyInHand : data, limitInHand);
        try {
            unread.takeBack(received);
        } catch (ShardMemoryException none) {
            fail(none);
        }
        if (LentBuffers.CHECKED) {
            LentBuffers.expire(copyInHand);
        }
    }

    /** For {@link #hasLetGo}, before callbacks. */
    final int timesLetGo() {
        return timesLetGo;
    }

    /** Whether one of the caller's callbacks since then has waited: the connection is others'. */
    final boolean hasLetGo(int before) {
        return timesLetGo != before;
    }

    /** After a callback of the service that has returned: the next one does not see the interrupt status that it has left. */
    private void afterCallback(int before) {
        requireKept(before);
        if (Thread.currentThread().isInterrupted()) {
            handle().handleSet().setInterruptAside();
        }
    }

    /** Throws {@link LetGo} if a callback of this thread has waited since {@code before}: another thread may have the claim. */
    final void requireKept(int before) {
        if (hasLetGo(before)) {
            throw LetGo.SIGNAL;
        }
    }

    /** The callback that has waited has returned, and has the connection no longer. */
    final void callbackOver() {
        handOver(() -> waiting--); // after what it has written
    }

    final boolean callbackWaits() {
        return waiting > 0;
    }

    /** Leads out of a processing that has nothing to process any more. Without a stack: it is no failure. */
    static final class LetGo extends RuntimeException {
        private static final long serialVersionUID = 1L;
        private static final LetGo SIGNAL = new LetGo();

        private LetGo() {
            super("a callback has waited for a reply", null, false, false);
        }
    }
}
