package org.cabrank.stream.transport;

import java.nio.ByteBuffer;
import org.cabrank.stream.ShardMemoryException;
import org.cabrank.stream.UnreadLimitException;

/** The input of a connection: gives bytes to the handler, and keeps the bytes that it leaves unread. Used by the claim holder. */
final class Inbound {
    /** Factor by which the chunk for unread bytes grows. Each growth costs a receive. */
    private static final long GROWTH = 4;

    /** Divisor: unread bytes that fill at most 1 / this of their chunk move to a smaller chunk. */
    private static final int SHRINKAGE = 8;

    private final StreamConnection connection;
    private final Inbox inbox;

    boolean paused;

    boolean closed;

    /** True if a callback has replaced the handler since the last input was given to the handler. */
    private boolean handlerReplaced;

    private int replacedIn = -1;

    /** True if a decorator withholds the end of the input from its service. */
    boolean endWithheld;

    /** The unread bytes, from 0 to the position; null if there are none. */
    private Chunk kept;

    /** True while the handler has bytes; {@code restLent} if they are the last ones at the end of the input. */
    private boolean dataLent;

    private boolean restLent;

    private int lentLimit;

    /** The copy that is lent in place of the received bytes, if {@link LentBuffers#CHECKED}. */
    private ByteBuffer lentCopy;

    /** True if unread bytes must be given to the handler again though nothing was received since. */
    private boolean redeliver;

    private boolean resumed;

    /** True if the handler was given unread bytes again and consumed none of them. */
    private boolean untouched;

    private boolean endHeld;

    private boolean endReported;

    /** Bytes that a decorator may have to leave unread. */
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

    /** Gives bytes to the handler. Throws {@link Inbox.LetGo} if the handler has waited. */
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

    /** Returns true if more bytes must be received before a handler that has paused, resumed and consumed nothing is called again. */
    boolean receivesFirst() {
        return untouched && resumed && !isFull();
    }

    boolean mustRedeliver() {
        return redeliver;
    }

    /** Called before the continuation of offloaded work, after which unread bytes are given again, whichever callback has left them. */
    void workDone() {
        redeliver |= hasUnread();
    }

    /** Gives the handler the bytes that it left unread when it paused, waited or offloaded work. Always true: more may follow. */
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

    /** Notifies the handler of the end of the input. Waits while a callback waits, because the callback's answer goes out first. */
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
    }

    void resume() {
        if (paused) {
            paused = false;
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

    /** Called in a callback. The next handler gets the unread bytes and the end of the input. */
    void replaceHandler() {
        handlerReplaced = true;
        replacedIn = inbox.callback();
        redeliver = hasUnread() && !dataLent && !restLent;
        untouched = false;
        endHeld |= endReported;
    }

    /** Keeps the unread part of the lent bytes for the next callback, because the present callback waits for a reply. */
    void letGo() {
        if (dataLent) {
            keepUnreadOfCallback();
            redeliver = hasUnread();
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
     * Returns the chunk behind the unread bytes, with room for {@code wanted} bytes, at least 1, if the limits allow. Requires {@link
     * #hasUnread}, and that the handler has left fewer bytes than it may. Throws if the shard has no larger chunk for this connection.
     */
    Chunk room(int wanted) throws ShardMemoryException {
        int bytes = kept.bytes.position();
        if (!kept.bytes.hasRemaining()
                || bytes + wanted > kept.bytes.capacity() && kept.bytes.capacity() < limitBytes()) {
            Chunk larger = takeFor(bytes + 1, Math.max(bytes + (long) wanted, GROWTH * bytes));
            larger.bytes.put(kept.bytes.flip());
            discard();
            kept = larger;
        }
        kept.bytes.limit(Math.min(kept.bytes.capacity(), limitBytes()));
        return kept;
    }

    /** Returns a chunk for {@code least} bytes, or for {@code wanted} if the shard has one for this connection. */
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

    /** Keeps the rest of {@code data} (the unread bytes or the receive buffer) after the handler's call, or without a call in a pause. */
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

    /** Leaves the chunk to the handler that was given it. The chunk serves no other connection. */
    private void leaveToHandler() {
        if (kept != null) {
            pool().forget(kept);
            kept = null;
        }
    }

    /** Moves the unread bytes to memory of another shard, if that shard has memory. */
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
