package org.cabrank.tls;

import java.nio.ByteBuffer;
import org.cabrank.stream.Connection;
import org.cabrank.stream.ShardMemoryException;
import org.cabrank.stream.transport.Chunk;
import org.cabrank.stream.transport.ChunkPool;
import org.cabrank.stream.transport.StreamConnection;

/**
 * Keeps plaintext that the service has not read, in memory of the connection's shard ({@link org.cabrank.stream.StreamLimits#shardMemory}).
 * Erases bytes as soon as they are read or dropped. Used in callbacks.
 */
final class UnreadPlaintext {
    /**
     * Up to this number of bytes, plaintext is copied in front of the next plaintext, so that the beginning of a message needs little
     * memory. A larger number stays in a chunk with room for the next record, so that a long message is not copied again and again.
     */
    private static final int SMALL_BYTES = 4 << 10;

    /** If the bytes fill at most an eighth of their chunk, they move to a smaller chunk. */
    private static final int SHRINKAGE = 8;

    /** Memory without a limit, for connections that belong to no reactor and no known decorator. */
    private static final ChunkPool OF_OTHERS = new ChunkPool(16 << 10, buffer -> 0);

    /** Null if the connection below this TLS connection is of another kind. */
    private final StreamConnection connection;

    /** Chunk with the plaintext, from 0 to the position. Null if there is no plaintext. */
    private Chunk kept;

    UnreadPlaintext(Connection raw) {
        connection = StreamConnection.below(raw);
    }

    private ChunkPool pool() {
        return connection == null ? OF_OTHERS : connection.context().chunks();
    }

    boolean isEmpty() {
        return kept == null;
    }

    /** Returns the buffer with the plaintext, which is from 0 to the position. Called only if {@link #isEmpty} is false. */
    ByteBuffer bytes() {
        return kept.bytes;
    }

    private boolean isSmall(ByteBuffer ofThread, int recordBytes) {
        int count = kept.bytes.position();
        return count <= SMALL_BYTES && ofThread.capacity() - count >= recordBytes;
    }

    /** Returns a buffer into which the engine decrypts the next record, from the position. {@link #putInFront} must follow. */
    ByteBuffer room(ByteBuffer ofThread, int recordBytes) throws ShardMemoryException {
        if (kept == null) {
            return ofThread.clear();
        }
        if (isSmall(ofThread, recordBytes)) {
            return ofThread.clear().position(kept.bytes.position());
        }
        if (kept.bytes.remaining() < recordBytes) {
            int least = kept.bytes.position() + recordBytes;
            moveTo(take(least, Math.max(least, 2L * kept.bytes.capacity())));
        }
        return kept.bytes;
    }

    /** Moves the kept plaintext in front of new plaintext in {@code plain}, the buffer of {@link #room}, unless it is already there. */
    void putInFront(ByteBuffer plain) {
        if (kept != null && plain != kept.bytes) {
            plain.put(0, kept.bytes, 0, kept.bytes.position());
            drop();
        }
    }

    /**
     * Keeps the rest of {@code plain}, which is {@link #bytes} or a buffer that the caller erases. {@code recordBytes} is the size of the
     * next record, or 0 if the service must read before that record is decrypted.
     */
    void keepRest(ByteBuffer plain, int recordBytes) throws ShardMemoryException {
        if (kept != null && plain == kept.bytes) {
            if (plain.position() == 0) {
                plain.position(plain.limit()).limit(plain.capacity()); // a long message is not copied onto itself
            } else if (plain.hasRemaining()) {
                compact();
            } else {
                drop();
            }
        } else if (plain.hasRemaining()) {
            int rest = plain.remaining();
            kept = take(rest, rest > SMALL_BYTES ? rest + (long) recordBytes : rest);
            kept.bytes.put(plain);
        }
    }

    private void compact() {
        ByteBuffer plain = kept.bytes;
        int end = plain.limit();
        int rest = plain.remaining();
        Chunk smaller = rest <= plain.capacity() / SHRINKAGE ? pool().take(rest, 0) : null;
        if (smaller != null) {
            smaller.bytes.put(plain);
            drop();
            kept = smaller;
        } else {
            plain.compact();
            TlsBuffers.erase(plain, rest, end);
            plain.position(rest);
        }
    }

    /** Takes a chunk for {@code wanted} bytes. If the shard has none for this connection, takes one for {@code least} bytes. */
    private Chunk take(int least, long wanted) throws ShardMemoryException {
        ChunkPool pool = pool();
        Chunk chunk = pool.take((int) Math.min(Integer.MAX_VALUE, wanted), 0);
        if (chunk == null && wanted > least) {
            chunk = pool.take(least, 0);
        }
        if (chunk == null) {
            throw pool.exhausted("no memory for " + least + " unread bytes of plaintext");
        }
        return chunk;
    }

    private void moveTo(Chunk larger) {
        int count = kept.bytes.position();
        larger.bytes.put(0, kept.bytes, 0, count).position(count);
        drop();
        kept = larger;
    }

    /** Called when the callback that reads the plaintext begins a nested wait. The memory is then left to the callback. */
    void leaveToCallback() {
        if (kept != null) {
            pool().forget(kept);
            kept = null;
        }
    }

    void drop() {
        if (kept != null) {
            TlsBuffers.erase(kept.bytes, kept.bytes.capacity());
            pool().giveBack(kept);
            kept = null;
        }
    }
}
