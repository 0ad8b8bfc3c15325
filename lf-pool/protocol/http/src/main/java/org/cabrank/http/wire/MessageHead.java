package org.cabrank.http.wire;

import java.nio.ByteBuffer;
import org.cabrank.http.message.HttpLimits;

/**
 * Finds the head of a message. The received bytes may end anywhere; the search continues when more bytes follow them. Places are relative
 * to the first byte. Allocates only for more fields than before. One thread at a time.
 */
abstract class MessageHead {
    /** More bytes are needed. */
    public static final int INCOMPLETE = FieldLines.INCOMPLETE;

    /** The head is complete, and its fields do not contradict each other. Results other than these two are errors. */
    public static final int COMPLETE = FieldLines.COMPLETE;

    final HttpLimits limits;
    final FieldTable fields = new FieldTable();
    private final FieldLines lines;

    int searched;

    private boolean inFields;

    MessageHead(HttpLimits limits, boolean foldsAllowed) {
        this.limits = limits;
        lines = new FieldLines(fields, limits.fields(), foldsAllowed);
    }

    public void begin() {
        fields.clear();
        searched = 0;
        inFields = false;
    }

    /** Size of the complete head, with empty lines in front of it. */
    public final int bytes() {
        return lines.searched();
    }

    public final boolean hasBegun() {
        return searched > 0;
    }

    public final FieldTable fields() {
        return fields;
    }

    /** Called when the present byte ends the start line. */
    final void beginFields() {
        lines.begin(searched + 1);
        inFields = true;
    }

    /**
     * Parses the bytes from the position of {@code data}, which does not move. Returns {@link #INCOMPLETE}, {@link #COMPLETE}, or the
     * error: for a request its status, for a response a constant.
     */
    public final int parse(ByteBuffer data) {
        int origin = data.position();
        int end = Math.min(data.remaining(), limits.headBytes());
        while (!inFields && searched < end) {
            int result = next(data, origin, data.get(origin + searched));
            if (result != INCOMPLETE) {
                return result;
            }
            searched++;
        }
        if (inFields) {
            int result = lines.parse(data, origin, end);
            searched = lines.searched();
            if (result == COMPLETE) {
                lines.show(data, origin);
                return check();
            }
            if (result != INCOMPLETE) {
                return refused(result);
            }
        }
        return data.remaining() > limits.headBytes() ? tooLong(inFields) : INCOMPLETE;
    }

    /** Takes the byte {@code c} of the start line, at {@link #searched}. */
    abstract int next(ByteBuffer data, int origin, int c);

    abstract int check();

    /** Returns the result of field lines that are refused with {@code status}. */
    abstract int refused(int status);

    abstract int tooLong(boolean inFields);
}
