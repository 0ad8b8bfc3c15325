package org.cabrank.stream.transport;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.util.concurrent.atomic.AtomicLongFieldUpdater;
import org.cabrank.stream.ShardMemoryException;

/**
 * Bytes that the socket has not taken yet: chunks of a pool, with ranges of files between them. A backend sends the range at the head, or
 * all chunks up to the next range. Used by the claim holder. Any thread may read the counts.
 *
 * <pre>
 *  head                                        tail
 *  [chunk] -> [chunk] -> [file range] -> [chunk]
 *  `--- memory run --'
 * </pre>
 */
public final class OutboundQueue {
    /** Size of the pieces in which a file is read into memory. In a measurement larger pieces did not cost less CPU. */
    public static final int FILE_PIECE_BYTES = 128 << 10;

    /** A piece of a file takes at most 1 / {@code SHARE_FOR_FILE} of the memory that a connection may use. */
    private static final int SHARE_FOR_FILE = 8;

    private static final AtomicLongFieldUpdater<OutboundQueue> BYTES =
            AtomicLongFieldUpdater.newUpdater(OutboundQueue.class, "bytes");
    private static final AtomicLongFieldUpdater<OutboundQueue> FILE_BYTES =
            AtomicLongFieldUpdater.newUpdater(OutboundQueue.class, "fileBytes");

    private final ChunkPool pool;
    private Chunk head;
    private Chunk tail;
    private int headSent;

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

    /** Number of bytes in chunks. Other threads may see an older number. */
    long memoryBytes() {
        return Math.max(0, bytes - fileBytes);
    }

    public boolean isEmpty() {
        return head == null;
    }

    /** Copies and consumes {@code data}. Throws if there is no memory for a chunk. A part of the data may then be queued. */
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

    /** Takes over a chunk with its bytes. The queue must be empty. */
    void adopt(Chunk filled) {
        head = filled;
        tail = filled;
        setBytes(filled.bytes.position());
    }

    /** Adds a chunk for {@code needed} bytes, or as large as the queue if that is more, so that a long queue has few chunks. */
    private void addChunk(int needed) throws ShardMemoryException {
        int wanted = (int) Math.min(pool.chunkBytes(), Math.max(needed, memoryBytes()));
        addLast(take(wanted, needed));
    }

    private Chunk take(int wanted, int needed) throws ShardMemoryException {
        long held = memoryBytes();
        Chunk chunk = pool.takeOutbound(wanted, held);
        if (chunk == null && needed < wanted) {
            chunk = pool.takeOutbound(needed, held);
        }
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

    /** Returns the file range at the head. Returns null if a chunk is at the head or if the queue is empty. */
    public FileRange headFile() {
        return head == null ? null : head.file;
    }

    /** Reads a piece of the file range at the head into a chunk before the range. Blocks. Throws if memory is scarce or the read fails. */
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

    /** Takes a chunk for the next piece of the file range at the head. Then call {@link #loaded} or {@link #giveBack}. */
    public Chunk takeForFile() throws ShardMemoryException {
        long share = Math.max(ChunkPool.SMALL_BYTES, pool.shareBytes() / SHARE_FOR_FILE);
        int wanted = (int) Math.min(Math.min(head.file.left(), FILE_PIECE_BYTES), share);
        Chunk piece = take(wanted, wanted);
        piece.bytes.clear().limit(wanted);
        return piece;
    }

    /** Puts {@code piece} before the file range at the head. {@code piece} has the next {@code count} bytes of that range. */
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

    /** Gives back a chunk of {@link #takeForFile} that is not needed. Any thread may call this method. */
    public void giveBack(Chunk piece) {
        pool.giveBack(piece);
    }

    public long headAddress() {
        return head.address + headSent;
    }

    /** Number of unsent bytes of the oldest chunk. They begin at {@link #headAddress}. */
    public int headBytes() {
        return head.bytes.position() - headSent;
    }

    /** Returns the oldest chunk, or null if the queue is empty. A file range must not be at the head. */
    public Chunk head() {
        return head;
    }

    /** Returns the chunk behind {@code chunk}, all of it unsent. Returns null if a file range or nothing follows. */
    public Chunk following(Chunk chunk) {
        return isMemory(chunk.next) ? chunk.next : null;
    }

    private static boolean isMemory(Chunk chunk) {
        return chunk != null && chunk.file == null;
    }

    /** Returns true if only one chunk stands before the next file range or the end of the queue. The queue must not be empty. */
    public boolean isInOnePiece() {
        return !isMemory(head.next);
    }

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
