package org.cabrank.http.wire;

import java.nio.ByteBuffer;
import org.cabrank.http.message.HttpFields;
import org.cabrank.http.message.HttpLimits;
import org.cabrank.http.message.HttpStatus;

/**
 * Finds the bytes of a body (RFC 9112 sections 6 and 7) in received bytes, which may end anywhere. Consumes each line between chunks as it
 * arrives, but the trailer fields only when all have arrived. Allocates only for the first trailer fields. Not thread-safe.
 */
public final class BodyDecoder {
    public static final int INCOMPLETE = FieldLines.INCOMPLETE;

    public static final int END = FieldLines.COMPLETE;

    /** The next {@link #pieceBytes} bytes belong to the body. Results of {@link #next} other than the constants are statuses of errors. */
    public static final int PIECE = 2;

    public static final long UNTIL_END = -2;

    private enum State {
        DATA,
        CHUNK_LINE,
        DATA_CR,
        DATA_LF,
        TRAILERS,
        ENDED
    }

    private final HttpLimits limits;
    private final boolean ofResponse;
    private final FieldTable trailers = new FieldTable();
    private final ChunkLine chunkLine;
    private FieldLines lines;
    private State state = State.ENDED;
    private boolean chunked;
    private boolean untilEnd;

    private long left;

    private long total;
    private int pieceBytes;

    public BodyDecoder(HttpLimits limits) {
        this(limits, false);
    }

    /** @param ofResponse if true, trailer fields may be folded, and long chunk extensions give {@link HttpStatus#HEAD_TOO_LONG} */
    public BodyDecoder(HttpLimits limits, boolean ofResponse) {
        this.limits = limits;
        this.ofResponse = ofResponse;
        chunkLine = new ChunkLine(limits.headBytes());
    }

    /** @param length bytes of the body, at least 0; or {@link RequestFraming#CHUNKED} or {@link #UNTIL_END} */
    public void begin(long length) {
        chunked = length == RequestFraming.CHUNKED;
        untilEnd = length == UNTIL_END;
        left = Math.max(0, length);
        total = left;
        trailers.clear();
        if (chunked) {
            chunkLine.beginBody();
            state = State.CHUNK_LINE;
        } else {
            state = untilEnd || left > 0 ? State.DATA : State.ENDED;
        }
    }

    public boolean hasEnded() {
        return state == State.ENDED;
    }

    public boolean lastsUntilEnd() {
        return untilEnd;
    }

    public int pieceBytes() {
        return pieceBytes;
    }

    /** The trailer fields, after {@link #next} has returned {@link #END}. Valid as long as the received bytes. */
    public HttpFields trailers() {
        return trailers;
    }

    /** Clears the trailer fields of an ended body, because their bytes are gone. Those of any other body are still unread. */
    public void forgetTrailers() {
        if (hasEnded()) {
            trailers.clear();
        }
    }

    /** Moves the position behind the piece that was found. */
    public void taken(ByteBuffer data) {
        data.position(data.position() + pieceBytes);
        taken(pieceBytes);
    }

    /** Takes {@code bytes} bytes of the piece. The next call of {@link #next} finds the rest of the piece. */
    void taken(int bytes) {
        if (untilEnd) {
            total += bytes;
            return;
        }
        left -= bytes;
        if (left == 0) {
            state = chunked ? State.DATA_CR : State.ENDED;
        }
    }

    public int next(ByteBuffer data) {
        while (state != State.ENDED) {
            if (!data.hasRemaining()) {
                return INCOMPLETE;
            }
            if (state == State.DATA) {
                return piece(data);
            }
            int result = state == State.TRAILERS ? readTrailers(data) : read(data.get());
            if (result != INCOMPLETE) {
                return result;
            }
            if (state == State.TRAILERS && trailersIncomplete) {
                return INCOMPLETE;
            }
        }
        return END;
    }

    private boolean trailersIncomplete;

    private int piece(ByteBuffer data) {
        if (untilEnd) {
            pieceBytes = data.remaining();
            return pieceBytes > limits.bodyBytes() - total ? HttpStatus.CONTENT_TOO_LARGE : PIECE;
        }
        pieceBytes = (int) Math.min(left, data.remaining());
        return PIECE;
    }

    private int read(byte c) {
        switch (state) {
            case CHUNK_LINE:
                int result = chunkLine.add(c, limits.bodyBytes() - total);
                if (result != FieldLines.COMPLETE) {
                    return result == HttpStatus.HEAD_TOO_LONG && !ofResponse ? HttpStatus.BAD_REQUEST : result;
                }
                beginDataOrTrailers();
                return INCOMPLETE;
            case DATA_CR:
                state = State.DATA_LF;
                return c == '\r' ? INCOMPLETE : HttpStatus.BAD_REQUEST;
            case DATA_LF:
                chunkLine.begin();
                state = State.CHUNK_LINE;
                return c == '\n' ? INCOMPLETE : HttpStatus.BAD_REQUEST;
            default:
                throw new IllegalStateException(state.toString());
        }
    }

    private void beginDataOrTrailers() {
        left = chunkLine.size();
        if (left > 0) {
            total += left;
            state = State.DATA;
            return;
        }
        if (lines == null) {
            lines = new FieldLines(trailers, limits.fields(), ofResponse);
        }
        lines.begin(0);
        state = State.TRAILERS;
    }

    private int readTrailers(ByteBuffer data) {
        int result = lines.parse(data, data.position(), Math.min(data.remaining(), limits.headBytes()));
        trailersIncomplete = result == INCOMPLETE;
        if (result == INCOMPLETE) {
            return data.remaining() > limits.headBytes() ? HttpStatus.HEAD_TOO_LONG : INCOMPLETE;
        }
        if (result == FieldLines.COMPLETE) {
            lines.show(data, data.position());
            data.position(data.position() + lines.searched());
            state = State.ENDED;
        }
        return result;
    }
}
