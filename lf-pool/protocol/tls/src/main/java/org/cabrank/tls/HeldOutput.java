package org.cabrank.tls;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.concurrent.RejectedExecutionException;
import org.cabrank.stream.Connection;
import org.cabrank.stream.WriteCompletion;
import org.cabrank.stream.WriteQueueFullException;
import org.cabrank.stream.transport.DecoratorOutput;
import org.cabrank.stream.transport.FileRange;

/**
 * Output that is not encrypted yet: a range of a file, and behind it plaintext, further ranges, completions, and the end of the output.
 * Records must be encrypted in the order in which they are sent, so plaintext waits behind a range, and counts towards the limit of the
 * queue.
 *
 * <p>A range is encrypted in turns. A turn begins when the socket has taken the records of the turn before: a file holds memory for one
 * turn only, and other connections are served between turns. Used in callbacks of the connection; any thread may read the counts.
 */
final class HeldOutput {
    static final int FILE_RANGES_MAX = 1_024;

    private static final int TURN_BYTES = 128 << 10;

    /** Divisor of {@link org.cabrank.stream.StreamLimits#outboundMax} in {@link #pieceBytes}. */
    private static final int PART_FOR_PIECE = 8;

    private final TlsHandler handler;
    private final TlsRecords records;
    private final TlsLink link;
    private final Connection raw;
    private final DecoratorOutput output;

    /** Waiting output in its order: {@link FileRange}, {@link ByteBuffer}, {@link WriteCompletion} and {@link Runnable}. */
    private final Deque<Object> parts = new ArrayDeque<>();

    private int ranges;

    /** True while the socket takes the records of the last turn. */
    private boolean isTaking;

    /** Number of waiting bytes of plaintext and files. Written in callbacks, read by any thread. */
    private volatile long bytes;

    private volatile long plaintextBytes;

    HeldOutput(TlsHandler handler, TlsRecords records, TlsLink link, Connection raw) {
        this.handler = handler;
        this.records = records;
        this.link = link;
        this.raw = raw;
        this.output = records.output;
    }

    long bytes() {
        return bytes;
    }

    long plaintextBytes() {
        return plaintextBytes;
    }

    boolean isEmpty() {
        return parts.isEmpty();
    }

    boolean isFull() {
        return ranges >= FILE_RANGES_MAX;
    }

    /** Adds a range, which is released when it was encrypted or the connection ends. */
    void add(FileRange range) {
        parts.add(range);
        ranges++;
        bytes += range.left();
    }

    /** Copies and consumes plaintext. */
    void add(ByteBuffer plaintext) {
        int count = plaintext.remaining();
        if (count > 0) {
            parts.add(ByteBuffer.allocate(count).put(plaintext).flip());
            countPlaintext(count);
        }
    }

    void add(WriteCompletion completion) {
        parts.add(completion);
    }

    void add(Runnable end) {
        parts.add(end);
    }

    private void countPlaintext(int more) {
        bytes += more;
        plaintextBytes += more;
        output.countHeldBack(more);
    }

    /** Called in a callback. Encrypts as much as may be encrypted now. */
    void proceed() {
        int left = TURN_BYTES;
        boolean lost = records.isOutputLost() || link.isOutputEndedByPeer();
        while ((!isTaking || lost) && !parts.isEmpty() && !records.hasFailed()) {
            Object first = parts.peek();
            if (lost && first instanceof FileRange range) {
                parts.remove();
                link.noteDropped(range.left() > 0);
                end(range);
                continue;
            }
            if (first instanceof FileRange range) {
                if (left <= 0 || raw.queuedBytes() > raw.limits().lowWatermark()) {
                    awaitTaken();
                    return;
                }
                if (!hasRoom(range)) {
                    return;
                }
                left -= encrypt(range);
                if (range.left() == 0 && !records.hasFailed()) {
                    parts.remove();
                    end(range);
                }
                continue;
            }
            parts.remove();
            if (first instanceof ByteBuffer plaintext) {
                int count = plaintext.remaining();
                countPlaintext(-count);
                link.noteDropped(lost);
                try {
                    records.write(plaintext);
                } finally {
                    TlsBuffers.erase(plaintext, count);
                }
            } else if (first instanceof WriteCompletion completion) {
                whenEncrypted(completion);
            } else {
                ((Runnable) first).run();
            }
        }
        if (parts.isEmpty()) {
            handler.input().continueWithAlert();
        }
    }

    private void end(FileRange range) {
        ranges--;
        bytes -= range.left();
        range.release();
    }

    /**
     * Returns true if the next piece of a range may be written. Otherwise {@link #proceed} is called again: by {@link TlsHandler#writable}
     * or, if the queue can never have room for the piece, when all earlier output was sent.
     */
    private boolean hasRoom(FileRange range) {
        try {
            output.requireRoom(records.encryptedBytes(Math.min(range.left(), pieceBytes())));
            return true;
        } catch (WriteQueueFullException full) {
            if (full.mayRetry()) {
                return false;
            }
            boolean isFirst = raw.queuedBytes() == 0;
            if (!isFirst) {
                awaitTaken();
            }
            return isFirst;
        }
    }

    /** Size of a piece of a file: a write above an eighth of the reactor's limit may never find room. */
    private int pieceBytes() {
        long outboundMax = raw.limits().outboundMax();
        return outboundMax == 0
                ? TlsBuffers.GATHER_BYTES
                : (int) Math.min(TlsBuffers.GATHER_BYTES, outboundMax / PART_FOR_PIECE - records.encryptedBytes(0));
    }

    private void whenEncrypted(WriteCompletion completion) {
        try {
            link.whenEncrypted(completion);
        } catch (RejectedExecutionException full) {
            handler.complete(completion, full);
        }
    }

    private void awaitTaken() {
        isTaking = true;
        try {
            raw.whenWritten((connection, failed) -> {
                isTaking = false;
                if (failed == null) {
                    handler.call(() -> {
                        proceed();
                        link.heldOutputFalls();
                    });
                }
            });
        } catch (RejectedExecutionException refused) {
            records.fail(new IOException(raw + ": a file cannot be sent: " + refused.getMessage(), refused));
        }
    }

    /** Encrypts the next piece of a range. Returns the size of its plaintext. */
    private int encrypt(FileRange range) {
        ByteBuffer piece = records.buffers().file().clear().limit(pieceBytes());
        int count = 0;
        try {
            count = range.left() == 0 ? 0 : range.read(piece);
            range.advance(count);
            bytes -= count;
            records.encryptFile(piece.flip());
        } catch (IOException | WriteQueueFullException failed) {
            records.fail(failed);
        } finally {
            TlsBuffers.erase(piece, count);
        }
        return count;
    }

    void end(Throwable cause) {
        while (!parts.isEmpty()) {
            Object part = parts.remove();
            if (part instanceof FileRange range) {
                range.release();
            } else if (part instanceof ByteBuffer plaintext) {
                countPlaintext(-plaintext.remaining());
                TlsBuffers.erase(plaintext, plaintext.capacity());
            } else if (part instanceof WriteCompletion completion) {
                handler.completeAtEnd(
                        completion,
                        cause != null
                                ? cause
                                : new IOException(
                                        raw + " was aborted before the socket had taken all that was written"));
            }
        }
        ranges = 0;
        bytes = 0;
    }
}
