package org.cabrank.stream.transport;

import java.nio.ByteBuffer;
import org.cabrank.stream.ShardMemoryException;
import org.cabrank.stream.UnreadLimitException;

/** The input of a connection. Gives received bytes to the handler, and keeps the bytes that it leaves unread. Used by the claim holder. */
final class Inbound {
    /** Factor by which the chunk for unread bytes grows. After each growth another receive is needed. */
    private static final long GROWTH = 4;

    /** If the unread bytes fill at most 1 / {@code SHRINKAGE} of their chunk, they move to a smaller chunk. */
    private static final int SHRINKAGE = 8;

    private final StreamConnection connection;
    private final Inbox inbox;

    boolean paused;

    /** True if a decorator has paused reading, and no call has paused or resumed it since. */
    private boolean heldByDecorator;

    /** Number of pauses that calls have begun and ended. */
    int pausesEnded;

    boolean closed;

    /** True if a callback has replaced the handler since input was last delivered. */
    private boolean handlerReplaced;

    private int replacedIn = -1;

    /** True if a decorator withholds the end of the input from its service. */
    boolean endWithheld;

    /** Chunk with the unread bytes, which end at its position. Null if there are none. */
    private Chunk kept;

    /** True during a call of the handler with received bytes. {@code restLent} is true during the call with the end of the input. */
    private boolean dataLent;

    private boolean restLent;

    private int lentLimit;

    private ByteBuffer lentCopy;

    /** True if unread bytes must be delivered again even if no more bytes were received. */
    private boolean redeliver;

    private boolean resumed;

    /** True if the last delivery was of unread bytes and the handler consumed none of them. */
    private boolean untouched;

    private boolean endHeld;

    private boolean endReported;

    /** Number of bytes that the handler may leave unread even if {@code unreadLimit} is lower. Set by a decorator. */
    private int limitMin;

    Inbound(StreamConnection connection) {
        this.connection = connection;
        this.inbox = connection.inbox;
    }

    private ChunkPool pool() {
        return connection.context().chunks();
    }

    private int limitBytes() {
        return Math.max(limitMin, connection.context().limits().unreadLimit());
    }

    void requireLimit(int bytes) {
        limitMin = bytes;
    }

    /** Gives bytes to the handler. Throws {@link Inbox.LetGo} if the handler has waited for a reply. */
    void deliver(ByteBuffer data) throws Exception {
        int before = inbox.timesLetGo();
        int limit = data.limit();
        ByteBuffer lent = LentBuffers.lend(data);
        redeliver = false;
        resumed = false;
        untouched = false;
        handlerReplaced = false;
        dataLent = true;
        lentLimit = limit;
        if (LentBuffers.CHECKED) {
            lentCopy = lent;
        }
        try {
            connection.handler.data(connection, lent);
            inbox.afterCallback(before);
            LentBuffers.reclaim(data, lent, limit);
        } finally {
            LentBuffers.expire(lent);
        }
        dataLent = false;
        if (connection.closing) {
            discard();
        } else {
            keepRest(data);
        }
        boolean held = takeHandlerReplaced() || paused || inbox.isOffloading();
        redeliver = (redeliver || held) && hasUnread();
        if (isFull() && !held) {
            int limitBytes = connection.context().limits().unreadLimit();
            connection.fail(new UnreadLimitException(
                    connection + ": the handler has left " + limitBytes + " bytes unread, the limit"));
        }
    }

    /** Returns true if the handler has consumed none of the unread bytes and resumed reading. More bytes must then be received first. */
    boolean receivesFirst() {
        return untouched && resumed && !isFull();
    }

    boolean mustRedeliver() {
        return redeliver;
    }

    /** Called before the continuation of offloaded work. All unread bytes are delivered again after the continuation. */
    void workDone() {
        redeliver |= hasUnread();
    }

    /** Delivers the unread bytes again after a pause, a wait or offloaded work. Always returns true, because more bytes may follow. */
    boolean redeliver() throws Exception {
        inbox.actBeforeInput();
        if (connection.closing || paused) {
            return true;
        }
        int unread = kept.bytes.position();
        deliver(kept.bytes.flip());
        untouched = hasUnread() && kept.bytes.position() == unread;
        return true;
    }

    void end() throws Exception {
        closed = true;
        endHeld = true;
        reportEnd();
    }

    boolean isEndDelivered() {
        return closed && !endHeld;
    }

    /** Reports the end of the input. The end waits while a callback waits for a reply, so that the callback's answer is sent first. */
    void reportEnd() throws Exception {
        if (!endHeld || inbox.callbackWaits() || inbox.isOffloading() || connection.isAborted()) {
            return;
        }
        endHeld = false;
        if (!connection.closing) {
            endReported = true;
            callInputClosed(
                    hasUnread()
                            ? kept.bytes.flip()
                            : connection.outbound.received().clear().limit(0));
        }
    }

    private void callInputClosed(ByteBuffer rest) throws Exception {
        int before = inbox.timesLetGo();
        handlerReplaced = false;
        restLent = true;
        int limit = rest.limit();
        ByteBuffer lent = LentBuffers.lend(rest);
        lentLimit = limit;
        if (LentBuffers.CHECKED) {
            lentCopy = lent;
        }
        try {
            connection.handler.inputClosed(connection, lent);
            inbox.afterCallback(before);
            LentBuffers.reclaim(rest, lent, limit);
        } finally {
            LentBuffers.expire(lent);
        }
        restLent = false;
        if (takeHandlerReplaced() && !connection.closing) {
            keepRest(rest);
        } else {
            discard();
        }
    }

    void pause() {
        paused = true;
        heldByDecorator = false;
    }

    void hold(boolean held) {
        if (held) {
            heldByDecorator |= !paused;
            paused = true;
        } else if (heldByDecorator) {
            resume();
        }
    }

    void resume() {
        if (paused) {
            paused = false;
            pausesEnded += heldByDecorator ? 0 : 1;
            heldByDecorator = false;
            resumed = true;
            redeliver = dataLent || hasUnread();
        }
    }

    private boolean takeHandlerReplaced() {
        boolean replaced = handlerReplaced;
        handlerReplaced = false;
        return replaced;
    }

    boolean isHandlerReplaced() {
        return replacedIn == inbox.callback();
    }

    /** Lets the next handler get the unread bytes and the end of the input. Called in a callback. */
    void replaceHandler() {
        handlerReplaced = true;
        replacedIn = inbox.callback();
        redeliver = hasUnread() && !dataLent && !restLent;
        untouched = false;
        endHeld |= endReported;
    }

    /**
     * Called when the present callback begins to wait for a reply. Keeps the unread part of the lent bytes for the next callback. The last
     * unread bytes stay with the callback that got them, unless it has replaced the handler.
     */
    void letGo() {
        if (dataLent || restLent && handlerReplaced && hasUnread()) {
            keepUnreadOfCallback();
            redeliver = dataLent && hasUnread();
        } else if (restLent) {
            leaveToHandler();
        }
        dataLent = false;
        restLent = false;
    }

    private void keepUnreadOfCallback() {
        ByteBuffer data = kept == null ? connection.io.lentBytesBuffer(connection.outbound.received()) : kept.bytes;
        LentBuffers.reclaim(data, LentBuffers.CHECKED ? lentCopy : data, lentLimit);
        leaveToHandler();
        try {
            keepRest(data);
        } catch (ShardMemoryException none) {
            connection.fail(none);
        }
        LentBuffers.expire(lentCopy);
    }

    boolean hasUnread() {
        return kept != null;
    }

    private boolean isFull() {
        return kept != null && kept.bytes.position() >= limitBytes();
    }

    /**
     * Returns the chunk with the unread bytes, with room for {@code wanted} more bytes, at least 1, or for fewer if a limit requires that.
     * There must be unread bytes, but fewer than the limit. Throws if the shard has no larger chunk for this connection.
     */
    Chunk room(int wanted) throws ShardMemoryException {
        int bytes = kept.bytes.position();
        int capacity = kept.bytes.capacity();
        if (bytes + wanted > capacity && capacity < limitBytes()) {
            long enough = Math.max(bytes + (long) wanted, GROWTH * bytes);
            Chunk larger = bytes < capacity
                    ? pool().take((int) Math.min(limitBytes(), enough), 0)
                    : takeFor(bytes + 1, enough);
            if (larger != null) { // otherwise the present chunk has room for some of the bytes
                larger.bytes.put(kept.bytes.flip());
                discard();
                kept = larger;
            }
        }
        kept.bytes.limit(Math.min(kept.bytes.capacity(), limitBytes()));
        return kept;
    }

    private Chunk takeFor(int least, long wanted) throws ShardMemoryException {
        ChunkPool pool = pool();
        int bytes = (int) Math.max(least, Math.min(limitBytes(), wanted));
        Chunk chunk = pool.take(bytes, 0);
        if (chunk == null && bytes > least) {
            chunk = pool.take(least, 0);
        }
        if (chunk == null) {
            throw pool.exhausted("no memory for " + least + " unread bytes");
        }
        return chunk;
    }

    /**
     * Keeps the rest of {@code data} after the call of the handler, or all of it while reading is paused. {@code data} is the buffer of the
     * unread bytes or the receive buffer.
     */
    void keepRest(ByteBuffer data) throws ShardMemoryException {
        if (kept != null && data == kept.bytes) {
            if (data.position() == 0) {
                data.position(data.limit()); // nothing was read, so a large message is not copied onto itself
            } else if (data.hasRemaining()) {
                compact();
            } else {
                discard();
            }
        } else if (data.hasRemaining()) {
            int rest = data.remaining();
            kept = takeFor(rest, 2L * rest);
            kept.bytes.put(data);
        }
    }

    private void compact() {
        int rest = kept.bytes.remaining();
        Chunk smaller = rest <= kept.bytes.capacity() / SHRINKAGE ? pool().take(rest, 0) : null;
        if (smaller == null) {
            kept.bytes.compact();
        } else {
            smaller.bytes.put(kept.bytes);
            discard();
            kept = smaller;
        }
    }

    /** Leaves the chunk to the handler that still reads it. The chunk is never used again. */
    private void leaveToHandler() {
        if (kept != null) {
            pool().forget(kept);
            kept = null;
        }
    }

    /** Moves the unread bytes to a chunk of another shard if that shard has memory. */
    void moveTo(ChunkPool other) {
        Chunk copy = kept == null ? null : other.take(kept.bytes.capacity(), 0);
        if (copy != null) {
            copy.bytes.put(kept.bytes.flip());
            discard();
            kept = copy;
        }
    }

    void discard() {
        if (kept != null) {
            pool().giveBack(kept);
            kept = null;
        }
    }
}
