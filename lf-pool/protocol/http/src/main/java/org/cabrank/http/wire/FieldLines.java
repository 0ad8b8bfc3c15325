package org.cabrank.http.wire;

import java.nio.ByteBuffer;
import org.cabrank.http.message.HttpStatus;

/**
 * Finds field lines up to the empty line behind them (RFC 9112 section 5). The received bytes may end anywhere; the search continues when
 * more bytes follow them. Strict, because intermediaries must see the same fields as this class: a line ends with CR LF, no space stands in
 * front of a colon, and a folded line of a request is refused. Allocates only for folded lines and for more lines than before. Places are
 * relative to the first byte of the message. One thread at a time.
 */
final class FieldLines {
    /** Results without an error. The result for an error is the status of the answer. */
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

    /** @param foldsAllowed true if folded lines are read, as a client must; a server may refuse them */
    FieldLines(FieldTable fields, int fieldsMax, boolean foldsAllowed) {
        this.fields = fields;
        this.fieldsMax = fieldsMax;
        this.foldsAllowed = foldsAllowed;
    }

    /** Begins a message whose field lines begin {@code at} bytes after its first byte. */
    void begin(int at) {
        fields.clear();
        state = State.LINE;
        start = at;
        searched = at;
        folded = false;
    }

    /** Index after the last byte that was searched; after the empty line if the lines are complete. */
    int searched() {
        return searched;
    }

    /**
     * @param origin place of the message's first byte in {@code data}
     * @param end place behind the last byte to look at, relative to the origin
     */
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

    /** Called after {@link #COMPLETE}. Shows {@link FieldTable} the lines, or a copy in which each fold is a space. */
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
