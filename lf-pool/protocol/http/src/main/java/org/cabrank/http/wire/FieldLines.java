package org.cabrank.http.wire;

import java.nio.ByteBuffer;
import org.cabrank.http.message.HttpStatus;

/**
 * Finds field lines up to the empty line behind them (RFC 9112 section 5), and continues when more bytes have arrived. Strict, because
 * intermediaries must see the same fields: a line must end with CR LF, no space may stand in front of a colon, and a folded line of a
 * request is refused. Allocates only if a line is folded, or if the message has more lines than the {@link FieldTable} has room for.
 * Places are relative to the first byte of the message. Not thread-safe.
 */
final class FieldLines {
    /** More bytes are needed. Any result except this one and {@link #COMPLETE} is the status of an error. */
    static final int INCOMPLETE = 0;

    static final int COMPLETE = 1;

    private enum State {
        LINE,
        NAME,
        SPACE,
        VALUE,
        LINE_END,
        LAST_LINE_END
    }

    private final FieldTable fields;
    private final int fieldsMax;
    private final boolean foldsAllowed;
    private State state = State.LINE;
    private int nameStart;
    private int nameLength;
    private int valueStart;
    private int valueEnd;
    private int start;
    private int searched;

    /** True if the present line continues the value of the previous line (RFC 9112 section 5.2). */
    private boolean inFold;

    private boolean folded;

    /** @param foldsAllowed true to read folded lines, as a client must */
    FieldLines(FieldTable fields, int fieldsMax, boolean foldsAllowed) {
        this.fields = fields;
        this.fieldsMax = fieldsMax;
        this.foldsAllowed = foldsAllowed;
    }

    /** Begins a message. Its field lines start {@code at} bytes after the first byte of the message. */
    void begin(int at) {
        fields.clear();
        state = State.LINE;
        start = at;
        searched = at;
        folded = false;
    }

    /** Index after the last byte that was searched. If the lines are complete, this is the index after the empty line. */
    int searched() {
        return searched;
    }

    /** Parses the bytes up to {@code end}, which is relative to {@code origin}, the place of the first byte of the message. */
    int parse(ByteBuffer data, int origin, int end) {
        int at = searched;
        while (at < end) {
            switch (state) {
                case LINE:
                    inFold = foldsAllowed && fields.count() > 0 && HttpChars.space(data.get(origin + at));
                    folded |= inFold;
                    if (inFold) {
                        state = State.VALUE;
                    } else if (data.get(origin + at) == '\r') {
                        state = State.LAST_LINE_END;
                        at++;
                    } else {
                        nameStart = at;
                        state = State.NAME;
                    }
                    break;
                case NAME:
                    while (at < end && HttpChars.token(data.get(origin + at))) {
                        at++;
                    }
                    if (at < end) {
                        if (data.get(origin + at) != ':' || at == nameStart) {
                            return HttpStatus.BAD_REQUEST;
                        }
                        nameLength = at++ - nameStart;
                        state = State.SPACE;
                    }
                    break;
                case SPACE:
                    while (at < end && HttpChars.space(data.get(origin + at))) {
                        at++;
                    }
                    if (at < end) {
                        valueStart = at;
                        state = State.VALUE;
                    }
                    break;
                case VALUE:
                    while (at < end && HttpChars.value(data.get(origin + at))) {
                        at++;
                    }
                    if (at < end) {
                        if (data.get(origin + at) != '\r') {
                            return HttpStatus.BAD_REQUEST;
                        }
                        valueEnd = at++;
                        state = State.LINE_END;
                    }
                    break;
                case LINE_END:
                    if (data.get(origin + at) != '\n') {
                        return HttpStatus.BAD_REQUEST;
                    }
                    if (!inFold && fields.count() == fieldsMax) {
                        return HttpStatus.HEAD_TOO_LONG;
                    }
                    at++;
                    if (!inFold) {
                        add(data, origin);
                    }
                    state = State.LINE;
                    break;
                case LAST_LINE_END:
                    if (data.get(origin + at) != '\n') {
                        return HttpStatus.BAD_REQUEST;
                    }
                    searched = at + 1;
                    return COMPLETE;
                default:
                    throw new IllegalStateException(state.toString());
            }
        }
        searched = at;
        return INCOMPLETE;
    }

    /** Lets the {@link FieldTable} read the complete lines. Folded lines are copied, with a space in place of each fold. */
    void show(ByteBuffer data, int origin) {
        if (!folded) {
            fields.show(data, origin);
            return;
        }
        ByteBuffer copy = unfolded(data, origin);
        int end = searched;
        begin(0);
        parse(copy, 0, copy.limit());
        searched = end;
        fields.show(copy, 0);
    }

    private ByteBuffer unfolded(ByteBuffer data, int origin) {
        ByteBuffer copy = ByteBuffer.allocate(searched - start);
        for (int at = start; at < searched; at++) {
            byte c = data.get(origin + at);
            boolean fold = c == '\r' && at + 2 < searched && HttpChars.space(data.get(origin + at + 2));
            if (!fold) {
                copy.put(c);
                continue;
            }
            while (HttpChars.space(copy.get(copy.position() - 1))) {
                copy.position(copy.position() - 1);
            }
            copy.put((byte) ' ');
            at += 2;
            while (HttpChars.space(data.get(origin + at + 1))) {
                at++;
            }
        }
        return copy.flip();
    }

    private void add(ByteBuffer data, int origin) {
        int end = valueEnd;
        while (end > valueStart && HttpChars.space(data.get(origin + end - 1))) {
            end--;
        }
        fields.add(nameStart, nameLength, valueStart, end - valueStart);
    }
}
