package org.cabrank.httpserver;

import java.io.IOException;
import java.io.OutputStream;
import java.nio.ByteBuffer;
import java.util.Arrays;
import java.util.Objects;
import java.util.concurrent.RejectedExecutionException;
import org.cabrank.http.HttpExchange;
import org.cabrank.stream.WriteQueueFullException;

/**
 * The body of an answer as a stream. Small writes are collected together with the head, so a small answer is sent by one write. A write
 * waits while the client does not take earlier bytes. Not thread-safe.
 *
 * <pre>
 *   PENDING ── the headers are given ──> OPEN ── close ──> CLOSED
 * </pre>
 */
final class ResponseBody extends OutputStream {
    static final long UNKNOWN = HttpExchange.UNKNOWN_LENGTH;

    private static final int COLLECTED_MAX = 8 << 10;
    private static final int COLLECTED_MIN = 512;

    /** Largest number of bytes that are written before the client's reading is checked again. */
    private static final int PIECE_MAX = 64 << 10;

    private static final int REFUSALS_MAX = 16;

    private final ServedExchange exchange;
    private byte[] collected = {};
    private int count;
    private boolean pending = true;
    private boolean closed;
    private int status;
    private boolean begun;

    /** Number of bytes that may be written before the client must have taken earlier bytes. */
    private long unwatched;

    /** Number of bytes that may still be written; {@link #UNKNOWN} means any number. */
    private long left;

    ResponseBody(ServedExchange exchange, int unwatched) {
        this.exchange = exchange;
        this.unwatched = unwatched;
    }

    void open(int statusOfAnswer, long length) {
        status = statusOfAnswer;
        left = length;
        pending = false;
    }

    void openAndClose() {
        pending = false;
        closed = true;
    }

    boolean isPending() {
        return pending;
    }

    boolean isClosed() {
        return closed;
    }

    @Override
    public void write(int b) throws IOException {
        write(new byte[] {(byte) b}, 0, 1);
    }

    @Override
    public void write(byte[] from, int offset, int length) throws IOException {
        Objects.checkFromIndexSize(offset, length, from.length);
        requireHeaders();
        if (length == 0) {
            return;
        }
        if (closed) {
            throw new IOException("stream closed");
        }
        if (left != UNKNOWN && length > left) {
            throw new IOException("too many bytes to write to stream");
        }
        if (count + length > COLLECTED_MAX) {
            sendCollected();
        }
        if (length >= COLLECTED_MAX) {
            send(ByteBuffer.wrap(from, offset, length));
        } else {
            collect(from, offset, length);
        }
        if (left != UNKNOWN) {
            left -= length;
        }
    }

    private void requireHeaders() throws IOException {
        if (pending) {
            throw new IOException("response headers not sent yet");
        }
    }

    private void collect(byte[] from, int offset, int length) {
        if (collected.length - count < length) {
            long wanted = left == UNKNOWN ? Math.max(COLLECTED_MIN, 2L * collected.length) : count + left;
            int room = (int) Math.min(COLLECTED_MAX, Math.max(wanted, count + length));
            collected = Arrays.copyOf(collected, room);
        }
        System.arraycopy(from, offset, collected, count, length);
        count += length;
    }

    @Override
    public void flush() throws IOException {
        requireHeaders();
        if (!closed) {
            begin();
            sendCollected();
            exchange.http().connection().flush();
        }
    }

    @Override
    public void close() throws IOException {
        requireHeaders();
        if (closed) {
            return;
        }
        closed = true;
        if (left > 0) {
            exchange.giveUp();
            throw new IOException("insufficient bytes written to stream");
        }
        try {
            end();
        } catch (WriteQueueFullException full) {
            throw exchange.givenUp(full);
        } finally {
            exchange.complete();
        }
    }

    private void end() throws IOException {
        if (begun || left == UNKNOWN) {
            sendCollected();
            begin();
            exchange.http().end();
            return;
        }
        try {
            exchange.http().send(status, null, ByteBuffer.wrap(collected, 0, count));
        } catch (IllegalStateException answered) {
            throw refused(answered);
        }
    }

    private static IOException refused(IllegalStateException answered) {
        return new IOException("the request was refused while its handler ran", answered);
    }

    private void begin() throws IOException {
        if (begun) {
            return;
        }
        try {
            exchange.http().begin(status, left == UNKNOWN ? UNKNOWN : left + count);
        } catch (IllegalStateException answered) {
            throw refused(answered);
        }
        begun = true;
    }

    private void sendCollected() throws IOException {
        if (count > 0) {
            int all = count;
            begin();
            count = 0;
            send(ByteBuffer.wrap(collected, 0, all));
        }
    }

    private void send(ByteBuffer bytes) throws IOException {
        begin();
        int end = bytes.limit();
        int refusals = 0;
        while (bytes.position() < end) {
            bytes.limit(Math.min(end, bytes.position() + PIECE_MAX));
            if (unwatched >= bytes.remaining()) {
                exchange.requireClient();
            } else {
                exchange.awaitWritable();
            }
            int piece = bytes.remaining();
            try {
                exchange.http().write(bytes);
                unwatched = Math.max(0, unwatched - piece);
                refusals = 0;
            } catch (WriteQueueFullException full) {
                refusals++;
                awaitRoom(full, refusals);
            } catch (RejectedExecutionException gone) {
                throw new IOException("the client has gone", gone);
            }
        }
    }

    /** Waits for room after a refused write. Even below the watermark, a write is refused if shared memory is scarce. */
    private void awaitRoom(WriteQueueFullException full, int refusals) throws IOException {
        if (refusals >= REFUSALS_MAX || !full.mayRetry()) {
            throw exchange.givenUp(full);
        }
        exchange.awaitTaken();
    }
}
