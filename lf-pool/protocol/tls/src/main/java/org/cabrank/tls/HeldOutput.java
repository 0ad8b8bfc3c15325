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
 * Output that waits to be encrypted. The first part is a range of a file. Plaintext, further ranges, completions and the end of the output
 * wait behind it, because records must be encrypted in the order in which they are sent. Waiting plaintext counts towards the limit of the
 * output queue. A range is encrypted in turns. A turn begins when the socket has taken the records of the previous turn, so a file needs
 * memory for one turn only. Used in callbacks of the connection. Any thread may read the counts.
 */
final class HeldOutput {
    static final int FILE_RANGES_MAX = 1_024;

    private static final int TURN_BYTES = 128 << 10;

    private static final int PART_FOR_PIECE = 8;

    private final TlsHandler handler;
    private final TlsRecords records;
    private final TlsLink link;
    private final Connection raw;
    private final DecoratorOutput output;

    /** A part is a {@link FileRange}, {@link ByteBuffer}, {@link WriteCompletion} or {@link Runnable}. */
    private final Deque<Object> parts = new ArrayDeque<>();

    private int ranges;

    /** True while the socket has not taken all records of the last turn. */
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

    /** Adds a range. The range is released when it has been encrypted, or when the connection ends. */
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

    /** Encrypts as much as may be encrypted now. */
    void proceed() {
        int left = TURN_BYTES;
        boolean lost = records.isOutputLost() || link.isOutputEndedByPeer();
        while ((!isTaking || lost) && !parts.isEmpty() && !records.hasFailed()) {
            Object first = parts.peek();
            if (lost && first instanceof FileRange range) {
                parts.remove();
                link.noteDropped(range.left() > 0);
                records.noteDropped(range.left() > 0);
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

    /** Returns true if the next piece may be written. If it may not, {@link #proceed} is called again when there may be room. */
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

    /** Returns the maximum size of a piece of a file. A piece of more than an eighth of the reactor's limit may never find room. */
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

    /** Encrypts the next piece of a range. Returns the number of plaintext bytes in the piece. */
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
