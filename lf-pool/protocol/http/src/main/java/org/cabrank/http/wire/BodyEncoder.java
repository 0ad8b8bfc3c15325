package org.cabrank.http.wire;

import java.nio.ByteBuffer;
import org.cabrank.stream.Connection;
import org.cabrank.stream.WriteQueueFullException;
import org.cabrank.stream.transport.DecoratorOutput;

/** Writes the pieces of a body to a connection: with a known length, in chunks, or until the connection ends. Not thread-safe. */
public final class BodyEncoder {
    private static final byte[] LAST_CHUNK = MessageText.bytes("0\r\n");
    private static final int CHUNK_LINES_MAX = 16;

    /** A chunk with more bytes is not copied in a callback, but written separately from the lines around it. */
    private static final int COPIED_BYTES_MAX = MessageText.ROOM_BYTES / 2;

    /** Number of bytes still to be written; or {@link RequestFraming#CHUNKED} or {@link BodyDecoder#UNTIL_END}. */
    private long left;

    private volatile GzipEncoder gzip;

    /** Encoded bytes that must be written before any further bytes. Null if there are none. */
    private ByteBuffer encoded;

    public BodyEncoder() {}

    /** @param length bytes of the body, at least 0; or {@link RequestFraming#CHUNKED} or {@link BodyDecoder#UNTIL_END} */
    public void begin(long length) {
        left = length;
        gzip = null;
    }

    /** Begins a body in the coding gzip. {@link #end} or {@link #release} frees the memory of the encoder. */
    public void beginGzip(long length) {
        left = length;
        encoded = null;
        gzip = new GzipEncoder();
    }

    /** Frees the memory of the encoder, because the rest of the body is dropped. Any thread may call this method. */
    public void release() {
        GzipEncoder unwanted = gzip;
        if (unwanted != null) {
            unwanted.close();
        }
    }

    /** Number of announced bytes still to be written. Returns 0 if no length was announced. */
    public long missing() {
        return Math.max(0, left);
    }

    /** @throws IllegalStateException if the body would exceed its announced length */
    public void skip(ByteBuffer data) {
        count(data.remaining());
        data.position(data.limit());
    }

    /**
     * Writes and consumes a piece.
     *
     * @throws WriteQueueFullException if {@link Connection#write(ByteBuffer)} throws it; nothing was consumed
     * @throws IllegalStateException if the body would exceed its announced length
     */
    public void write(Connection connection, ByteBuffer data) {
        GzipEncoder encoder = gzip;
        if (encoder == null) {
            writePlain(connection, data);
            return;
        }
        writeEncoded(connection);
        DecoratorOutput.of(connection).requireRoom(GzipEncoder.bytesMax(data.remaining()) + CHUNK_LINES_MAX);
        encoded = encoder.encode(data);
        try {
            writeEncoded(connection);
        } catch (WriteQueueFullException mailboxFull) {
            return; // the encoded bytes wait for the next call, because encoding cannot be undone
        }
    }

    private void writeEncoded(Connection connection) {
        if (encoded != null) {
            writePlain(connection, encoded);
            encoded = null;
        }
    }

    private void writePlain(Connection connection, ByteBuffer data) {
        int bytes = data.remaining();
        count(bytes);
        try {
            if (left == RequestFraming.CHUNKED) {
                writeChunk(connection, data);
            } else {
                connection.write(data);
            }
        } catch (WriteQueueFullException full) {
            left += left >= 0 ? bytes : 0;
            throw full;
        }
    }

    private void count(int bytes) {
        if (left >= 0 && bytes > left) {
            throw new IllegalStateException(
                    "the body has " + left + " bytes left as announced, but " + bytes + " were to be written");
        }
        left -= left >= 0 ? bytes : 0;
    }

    private static void writeChunk(Connection connection, ByteBuffer data) {
        int bytes = data.remaining();
        if (bytes == 0) {
            return; // an empty chunk would end the body
        }
        boolean inCallback = connection.isInCallback();
        if (inCallback && bytes > COPIED_BYTES_MAX) {
            DecoratorOutput.of(connection).requireRoom(bytes + CHUNK_LINES_MAX);
            ByteBuffer out = MessageText.room(CHUNK_LINES_MAX, true);
            connection.write(chunkSize(out, bytes).flip(), data);
            connection.write(
                    MessageText.lineEnd(MessageText.room(CHUNK_LINES_MAX, true)).flip());
            return;
        }
        int position = data.position();
        ByteBuffer out = chunkSize(MessageText.room(bytes + CHUNK_LINES_MAX, inCallback), bytes);
        out.put(data);
        try {
            connection.write(MessageText.lineEnd(out).flip());
        } catch (WriteQueueFullException full) {
            data.position(position);
            throw full;
        }
    }

    private static ByteBuffer chunkSize(ByteBuffer to, int bytes) {
        MessageText.number(to, bytes, 16);
        return MessageText.lineEnd(to);
    }

    /** Writes the end of a body. If the body is in chunks, it ends with these trailer fields. */
    public void end(Connection connection, byte[] trailers, int trailerBytes) {
        GzipEncoder encoder = gzip;
        if (encoder != null) {
            writeEncoded(connection);
            encoded = encoder.end();
            writeEncoded(connection);
        }
        if (left == RequestFraming.CHUNKED) {
            ByteBuffer out = MessageText.room(CHUNK_LINES_MAX + trailerBytes, connection.isInCallback());
            out.put(LAST_CHUNK).put(trailers, 0, trailerBytes);
            connection.write(MessageText.lineEnd(out).flip());
        }
    }
}
