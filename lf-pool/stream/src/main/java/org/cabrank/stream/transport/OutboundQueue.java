package org.cabrank.stream.transport;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.util.concurrent.atomic.AtomicLongFieldUpdater;
import org.cabrank.stream.ShardMemoryException;

/**
 * Bytes that the socket has not taken yet, in chunks of a pool, and ranges of files between them. Used by the claim holder; the counts by
 * any thread. A backend sends the run of memory at the head, or the range that stands there.
 *
 * <pre>
 *  head                                        tail
 *  [chunk] -> [chunk] -> [file range] -> [chunk]
 *  `--- memory run --'
 * </pre>
 */
public final class OutboundQueue {
    /**
     * Bytes of a file that are read into memory at once. On a virtual machine with two CPUs and loopback sockets, pieces of 64 KiB to 256
     * KiB cost 0.4 to 0.5 ms of CPU for each MiB, larger pieces no less.
     */
    public static final int FILE_PIECE_BYTES = 128 << 10;

    /** Divisor: a piece of a file takes at most 1 / this of a connection's share. */
    private static final int SHARE_FOR_FILE = 8;

    private static final AtomicLongFieldUpdater<OutboundQueue> BYTES =
            AtomicLongFieldUpdater.newUpdater(OutboundQueue.class, "bytes");
    private static final AtomicLongFieldUpdater<OutboundQueue> FILE_BYTES =
            AtomicLongFieldUpdater.newUpdater(OutboundQueue.class, "fileBytes");

    private final ChunkPool pool;
    private Chunk head;
    private Chunk tail;
    private int headSent;

    /** Bytes in memory and in file ranges. */
    private volatile long bytes;

    private volatile long fileBytes;

    public OutboundQueue(ChunkPool pool) {
        this.pool = pool;
    }

    public long bytes() {
        return bytes;
    }

    long fileBytes() {
        return fileBytes;
    }

    /** Any thread, slightly out of date. */
    long memoryBytes() {
        return Math.max(0, bytes - fileBytes);
    }

    public boolean isEmpty() {
        return head == null;
    }

    /** Copies what remains in {@code data} and consumes it. Throws if there is no chunk; part of the data may be queued. */
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

    /** Takes over a chunk with its bytes. Called only while the queue is empty. */
    void adopt(Chunk filled) {
        head = filled;
        tail = filled;
        setBytes(filled.bytes.position());
    }

    /** Adds a chunk of the needed size or of the queue's, if larger: small queues hold little memory, long queues have few chunks. */
    private void addChunk(int needed) throws ShardMemoryException {
        int wanted = (int) Math.min(pool.chunkBytes(), Math.max(needed, memoryBytes()));
        addLast(take(wanted, needed));
    }

    private Chunk take(int wanted, int needed) throws ShardMemoryException {
        long held = memoryBytes();
        Chunk chunk = pool.takeOutbound(wanted, held);
        if (chunk == null) {
            throw pool.exhausted("no memory to queue " + needed + " bytes behind " + held);
        }
        return chunk;
    }

    private void addLast(Chunk chunk) {
        if (tail == null) {
            head = chunk;
        } else {
            tail.next = chunk;
        }
        tail = chunk;
    }

    void append(FileRange range) {
        addLast(new Chunk(range));
        setFileBytes(fileBytes + range.left());
        setBytes(bytes + range.left());
    }

    /** The file range at the head; null: memory is at the head, or the queue is empty. */
    public FileRange headFile() {
        return head == null ? null : head.file;
    }

    /** Reads a piece of the file range at the head into memory in front of it. Blocks. Throws without memory, or if the read fails. */
    public void load() throws IOException {
        Chunk piece = takeForFile();
        boolean loaded = false;
        try {
            loaded(piece, head.file.read(piece.bytes));
            loaded = true;
        } finally {
            if (!loaded) {
                giveBack(piece);
            }
        }
    }

    /** Takes memory for the next piece of the file range at the head, from 0 to the limit. {@link #loaded} or {@link #giveBack} follows. */
    public Chunk takeForFile() throws ShardMemoryException {
        long share = Math.max(ChunkPool.SMALL_BYTES, pool.shareBytes() / SHARE_FOR_FILE);
        int wanted = (int) Math.min(Math.min(head.file.left(), FILE_PIECE_BYTES), share);
        Chunk piece = take(wanted, wanted);
        piece.bytes.clear().limit(wanted);
        return piece;
    }

    /** Notes that {@code piece} has the next {@code count} bytes of the file range at the head. They are sent before the rest. */
    public void loaded(Chunk piece, int count) {
        Chunk range = head;
        piece.bytes.position(count).limit(count);
        range.file.advance(count);
        setFileBytes(fileBytes - count);
        if (range.file.left() == 0) {
            removeHead();
        }
        piece.next = head;
        head = piece;
        if (tail == null) {
            tail = piece;
        }
    }

    /** Gives back memory for a piece of a file that is not needed. Any thread. */
    public void giveBack(Chunk piece) {
        pool.giveBack(piece);
    }

    public long headAddress() {
        return head.address + headSent;
    }

    /** Unsent bytes that lie in one piece at {@link #headAddress}. */
    public int headBytes() {
        return head.bytes.position() - headSent;
    }

    /** Returns the oldest chunk, whose unsent bytes begin at {@link #headAddress}, or null. Not called for a file range at the head. */
    public Chunk head() {
        return head;
    }

    /** The chunk behind {@code chunk} in the run of memory at the head, or null. All of its bytes are unsent. */
    public Chunk following(Chunk chunk) {
        return isMemory(chunk.next) ? chunk.next : null;
    }

    private static boolean isMemory(Chunk chunk) {
        return chunk != null && chunk.file == null;
    }

    /** Returns true if the run of memory at the head is one chunk. Not called for an empty queue. */
    public boolean isInOnePiece() {
        return !isMemory(head.next);
    }

    /** Notes that the socket has taken the oldest {@code count} bytes. */
    public void sent(int count) {
        setBytes(bytes - count);
        int left = count;
        if (headFile() != null) {
            sentOfFile(count);
            return;
        }
        while (left > 0) {
            int fromHead = Math.min(left, headBytes());
            headSent += fromHead;
            left -= fromHead;
            if (headSent == head.bytes.position()) {
                removeHead();
            }
        }
    }

    private void sentOfFile(int count) {
        head.file.advance(count);
        setFileBytes(fileBytes - count);
        if (head.file.left() == 0) {
            removeHead();
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
        if (empty.file != null) {
            empty.file.release();
        } else {
            pool.giveBack(empty);
        }
    }

    public void discard() {
        while (head != null) {
            removeHead();
        }
        setFileBytes(0);
        setBytes(0);
    }

    private void setFileBytes(long changed) {
        FILE_BYTES.lazySet(this, changed); // one writer: the claim holder
    }

    private void setBytes(long changed) {
        BYTES.lazySet(this, changed); // one writer: the claim holder
    }
}
