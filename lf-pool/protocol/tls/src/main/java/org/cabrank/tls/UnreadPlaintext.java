package org.cabrank.tls;

import java.nio.ByteBuffer;
import org.cabrank.stream.Connection;
import org.cabrank.stream.ShardMemoryException;
import org.cabrank.stream.transport.Chunk;
import org.cabrank.stream.transport.ChunkPool;
import org.cabrank.stream.transport.StreamConnection;

/**
 * Plaintext that the service has left unread, in memory of the connection's shard ({@link org.cabrank.stream.StreamLimits#shardMemory}).
 * Bytes are erased as soon as they are read or dropped. In callbacks of the connection.
 */
final class UnreadPlaintext {
    /**
     * Largest number of bytes that are kept in a chunk of their size, and copied in front of the next records. More bytes are kept in a
     * chunk with room for the next record. So the beginning of a message holds little memory, and a long message is not copied repeatedly.
     */
    private static final int SMALL_BYTES = 4 << 10;

    /** Divisor: bytes move to a smaller chunk if they fill at most this fraction of their chunk, an eighth. */
    private static final int SHRINKAGE = 8;

    /** Memory without a limit, for connections that are neither of a reactor nor of a known decorator. */
    private static final ChunkPool OF_OTHERS = new ChunkPool(16 << 10, buffer -> 0);

    /** The stream connection below; null for connections of other kinds. */
    private final StreamConnection connection;

    /** The plaintext, from 0 to the position; null if there is none. */
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

    /** Returns the buffer with the plaintext, from 0 to the position. Only if {@link #isEmpty} is false. */
    ByteBuffer bytes() {
        return kept.bytes;
    }

    private boolean isSmall(ByteBuffer ofThread, int recordBytes) {
        int count = kept.bytes.position();
        return count <= SMALL_BYTES && ofThread.capacity() - count >= recordBytes;
    }

    /**
     * Returns the buffer to decrypt into, from its position, with room for a record. {@link #putInFront} follows if bytes were decrypted.
     *
     * @param ofThread a buffer of the thread, which has room for a record
     * @throws ShardMemoryException if the shard has no larger chunk for this connection
     */
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

    /** Moves the kept plaintext in front of bytes that were decrypted into a buffer of {@link #room}, unless it is there already. */
    void putInFront(ByteBuffer plain) {
        if (kept != null && plain != kept.bytes) {
            plain.put(0, kept.bytes, 0, kept.bytes.position());
            drop();
        }
    }

    /**
     * Keeps the plaintext from the position to the limit, which the service has not read.
     *
     * @param plain {@link #bytes}, or a buffer that the caller erases
     * @param recordBytes size of a record that may be decrypted next; 0 if no record is decrypted before the service has read
     * @throws ShardMemoryException if the shard has no chunk for this connection
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

    /** Takes a chunk for {@code wanted} bytes; or for {@code least} bytes, if the shard has no such chunk for this connection. */
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

    /** Called when the callback that has the plaintext begins a nested wait: its memory serves no other connection. */
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
