package org.cabrank.stream.transport;

import java.nio.ByteBuffer;
import org.cabrank.stream.ConnectionHandler;
import org.cabrank.stream.ShardMemoryException;

/** The input of a connection: bytes are given to the handler, and bytes that the handler leaves unread are kept. By the claim holder. */
final class Inbound {
    private final StreamConnection connection;
    private final CallbackGate gate;
    private final ConnectionHandler handler;
    private final UnreadBytes unread;

    /** The handler has bytes in its hands; {@code restInHand}: for the last time, at the end of the input. */
    private boolean dataInHand;

    private boolean restInHand;

    /** The limit that the buffer of the bytes in hand had before the handler got it. */
    private int limitInHand;

    /** The copy that the handler has in hand instead, if {@link LentBuffers#CHECKED}. */
    private ByteBuffer copyInHand;

    /** Unread bytes are to be given to the handler again though nothing has been received since. */
    private boolean redeliver;

    /** The handler is notified of the end of the input when no callback waits any more, because the callbacks' answers go out first. */
    private boolean endHeld;

    Inbound(StreamConnection connection, CallbackGate gate, ConnectionHandler handler, StreamContext context) {
        this.connection = connection;
        this.gate = gate;
        this.handler = handler;
        this.unread = new UnreadBytes(context.chunks(), context.limits().unreadLimit());
    }

    /** Gives bytes to the handler. Ends with {@link CallbackGate.LetGo} if the handler has waited. */
    void deliver(ByteBuffer data) throws Exception {
        int before = gate.timesLetGo();
        int limit = data.limit();
        ByteBuffer lent = LentBuffers.lend(data);
        dataInHand = true;
        limitInHand = limit;
        if (LentBuffers.CHECKED) {
            copyInHand = lent;
        }
        try {
            handler.data(connection, lent);
            gate.afterCallback(before);
            LentBuffers.takeBack(data, lent, limit);
        } finally {
            if (LentBuffers.CHECKED) {
                LentBuffers.expire(lent);
            }
        }
        dataInHand = false;
        if (connection.isClosing()) {
            unread.discard();
        } else {
            unread.keepRest(data);
        }
        boolean held = connection.isReadingPaused() || gate.isOffloading();
        redeliver = held && !unread.isEmpty();
        if (unread.isFull() && !held) {
            connection.unreadLimitReached();
        }
    }

    /** Returns true if {@link #redeliver} has something. */
    boolean mustRedeliver() {
        return redeliver;
    }

    /**
     * Gives the handler the bytes that it left unread when it paused, waited or offloaded work.
     *
     * @return true: there may be more
     */
    boolean redeliver() throws Exception {
        redeliver = false;
        deliver(unread.flip());
        return true;
    }

    /** The peer will send no more. */
    void ended() throws Exception {
        endHeld = true;
        reportEnd();
    }

    /** Notifies the handler of the end of the input, unless the notification has to wait. */
    void reportEnd() throws Exception {
        if (!endHeld || gate.callbackWaits() || gate.isOffloading() || connection.isAborted()) {
            return;
        }
        endHeld = false;
        if (!connection.isClosing()) {
            callInputClosed(
                    unread.isEmpty() ? connection.receiveBuffer().clear().limit(0) : unread.flip());
        }
    }

    private void callInputClosed(ByteBuffer rest) throws Exception {
        int before = gate.timesLetGo();
        restInHand = true;
        ByteBuffer lent = LentBuffers.lend(rest);
        try {
            handler.inputClosed(connection, lent);
        } finally {
            if (LentBuffers.CHECKED) {
                LentBuffers.expire(lent);
            }
        }
        gate.afterCallback(before);
        restInHand = false;
        unread.discard();
    }

    /** Called in a callback that waits for a reply next: the unread part of the bytes in hand is kept for the next callback. */
    void letGo() {
        if (dataInHand) {
            takeBackBytesInHand();
            redeliver = !unread.isEmpty();
        } else if (restInHand) {
            unread.leaveToHandler();
        }
        dataInHand = false;
        restInHand = false;
    }

    private void takeBackBytesInHand() {
        ByteBuffer received = connection.bytesInHand();
        ByteBuffer data = unread.inHand(received);
        LentBuffers.takeBack(data, LentBuffers.CHECKED ? copyInHand : data, limitInHand);
        try {
            unread.takeBack(received);
        } catch (ShardMemoryException none) {
            connection.fail(none);
        }
        if (LentBuffers.CHECKED) {
            LentBuffers.expire(copyInHand);
        }
    }

    /** Returns true if the handler has left bytes unread: bytes that are received next belong behind them. */
    boolean hasUnread() {
        return !unread.isEmpty();
    }

    /** Returns the chunk behind the unread bytes. Only if {@link #hasUnread}. */
    Chunk room(int wanted) throws ShardMemoryException {
        return unread.room(wanted);
    }

    /** The connection belongs to another shard from now on. */
    void moveTo(ChunkPool other) {
        unread.moveTo(other);
    }

    void discard() {
        unread.discard();
    }
}
