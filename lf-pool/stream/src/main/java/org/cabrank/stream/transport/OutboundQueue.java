package org.cabrank.stream.transport;

import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;
import java.nio.ByteBuffer;
import org.cabrank.stream.ShardMemoryException;

/** Bytes that the socket has not taken yet, in chunks of a pool. Used by the claim holder; the count by any thread. */
public final class OutboundQueue {
    private static final VarHandle BYTES;

    static {
        try {
            BYTES = MethodHandles.lookup().findVarHandle(OutboundQueue.class, "bytes", long.class);
        } catch (ReflectiveOperationException e) {
            throw new ExceptionInInitializerError(e);
        }
    }

    private final ChunkPool pool;
    private Chunk head;
    private Chunk tail;

    /** Bytes of the head chunk that have been sent. */
    private int headSent;

    private volatile long bytes;

    public OutboundQueue(ChunkPool pool) {
        this.pool = pool;
    }

    public long bytes() {
        return bytes;
    }

    public boolean isEmpty() {
        return head == null;
    }

    /**
     * Copies what remains in {@code data} and consumes it.
     *
     * @throws ShardMemoryException when the shard has no chunk for this connection; part of the data may be queued
     */
    void append(ByteBuffer data) throws ShardMemoryException {
        int appended = data.remaining();
        while (data.hasRemaining()) {
            if (tail == null || !tail.bytes.hasRemaining()) {
                addChunk(data.remaining());
            }
            ByteBuffer room = tail.bytes;
            if (data.remaining() <= room.remaining()) {
                room.put(data);
            } else {
                int limit = data.limit();
                data.limit(data.position() + room.remaining());
                room.put(data);
                data.limit(limit);
            }
        }
        setBytes(bytes + appended);
    }

    /** Takes over a chunk and the bytes that stand in it. Only while the queue is empty. */
    void adopt(Chunk filled) {
        head = filled;
        tail = filled;
        setBytes(filled.bytes.position());
    }

    /**
     * Adds a chunk of the size that is needed, or of the size of the queue if that is larger: small queues hold little memory, and
     * long queues have few chunks.
     */
    private void addChunk(int needed) throws ShardMemoryException {
        int wanted = (int) Math.min(pool.chunkBytes(), Math.max(needed, bytes));
        Chunk chunk = pool.takeOutbound(wanted, bytes);
        if (chunk == null) {
            throw pool.exhausted("no memory to queue " + needed + " bytes behind " + bytes);
        }
        if (tail == null) {
            head = chunk;
        } else {
            tail.next = chunk;
        }
        tail = chunk;
    }

    /** The address of the oldest unsent byte. */
    public long headAddress() {
        return head.address + headSent;
    }

    /** Unsent bytes that lie in one piece at {@link #headAddress}. */
    public int headBytes() {
        return head.bytes.position() - headSent;
    }

    /** The oldest chunk, or null; its unsent bytes begin at {@link #headAddress}. */
    public Chunk head() {
        return head;
    }

    /** The chunk behind this one, or null. Its unsent bytes are all from its address to its buffer's position. */
    public Chunk following(Chunk chunk) {
        return chunk.next;
    }

    /** Returns true if all bytes lie at {@link #headAddress}. Not for an empty queue. */
    public boolean isInOnePiece() {
        return head == tail;
    }

    /** The socket has taken the oldest {@code count} bytes. */
    public void sent(int count) {
        setBytes(bytes - count);
        int left = count;
        while (left > 0) {
            int fromHead = Math.min(left, headBytes());
            headSent += fromHead;
            left -= fromHead;
            if (headSent == head.bytes.position()) {
                removeHead();
            }
        }
    }

    private void removeHead() {
        Chunk empty = head;
        head = empty.next;
        empty.next = null;
        headSent = 0;
        if (head == null) {
            tail = null;
        }
        if (empty.leave()) {
            pool.giveBack(empty);
        }
    }

    /** The connection is gone: the memory goes back. */
    public void discard() {
        while (head != null) {
            removeHead();
        }
        setBytes(0);
    }

    private void setBytes(long changed) {
        BYTES.setRelease(this, changed); // one writer: the claim holder
    }
}
