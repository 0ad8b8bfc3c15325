package org.cabrank.http.wire;

import java.nio.ByteBuffer;
import org.cabrank.http.message.HttpLimits;

/**
 * Finds the head of a message. The received bytes may end anywhere. When more bytes have arrived, the search continues. Places are relative
 * to the first byte. Allocates only if a message has more fields than every earlier message. Not thread-safe.
 */
abstract class MessageHead {
    public static final int INCOMPLETE = FieldLines.INCOMPLETE;

    /** The head is complete and consistent. Any result except {@link #INCOMPLETE} and this one is an error. */
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

    /** Size of the complete head in bytes, including empty lines in front of it. */
    public final int bytes() {
        return lines.searched();
    }

    public final boolean hasBegun() {
        return searched > 0;
    }

    public final FieldTable fields() {
        return fields;
    }

    final void beginFields() {
        lines.begin(searched + 1);
        inFields = true;
    }

    /**
     * Parses the bytes from the position of {@code data}. The position does not move. Returns {@link #INCOMPLETE}, {@link #COMPLETE} or an
     * error. For a request, the error is the status of the answer. For a response, it is a constant of {@link ResponseHead}.
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

    /** Returns the result of {@link #parse} for field lines that are refused with {@code status}. */
    abstract int refused(int status);

    abstract int tooLong(boolean inFields);
}
