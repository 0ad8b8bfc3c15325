package org.cabrank.http.wire;

import java.nio.ByteBuffer;
import org.cabrank.http.message.HttpLimits;
import org.cabrank.http.message.HttpStatus;

/**
 * Finds the head of a response (RFC 9112 section 4), in bytes that may end anywhere: the search continues when more bytes have come
 * behind the same ones. One thread at a time.
 */
public final class ResponseHead {
    /** More bytes are needed. */
    public static final int INCOMPLETE = FieldLines.INCOMPLETE;

    /** The head is complete. */
    public static final int COMPLETE = FieldLines.COMPLETE;

    /** The bytes are no response that can be understood. */
    public static final int MALFORMED = 2;

    private static final String VERSION = "HTTP/1.";
    private static final int STATUS_AT = 9;
    private static final int REASON_AT = 12;

    /** The framing of a response. */
    private static final class Framing extends FramingFields {}

    private final HttpLimits limits;
    private final FieldTable fields = new FieldTable();
    private final FieldLines lines;
    private final FramingFields framing = new Framing();
    private int searched;
    private boolean inFields;
    private boolean lineEnding;
    private int status;
    private int minor;

    public ResponseHead(HttpLimits limits) {
        this.limits = limits;
        lines = new FieldLines(fields, limits.fields());
    }

    /** A new response begins with the next bytes. */
    public void begin() {
        fields.clear();
        framing.clear();
        searched = 0;
        status = 0;
        inFields = false;
        lineEnding = false;
    }

    /** Number of bytes of the head that is complete. */
    public int bytes() {
        return lines.searched();
    }

    /** Returns true if a byte of a head has come. */
    public boolean hasBegun() {
        return searched > 0;
    }

    public int status() {
        return status;
    }

    public FieldTable fields() {
        return fields;
    }

    /** Returns {@link #INCOMPLETE}, {@link #COMPLETE} or {@link #MALFORMED}. The position of {@code data} stays where it is. */
    public int parse(ByteBuffer data) {
        int origin = data.position();
        int end = Math.min(data.remaining(), limits.headBytes());
        while (!inFields && searched < end) {
            if (!next(data.get(origin + searched))) {
                return MALFORMED;
            }
            searched++;
        }
        if (inFields) {
            int result = lines.parse(data, origin, end);
            searched = lines.searched();
            if (result == COMPLETE) {
                fields.show(data, origin);
                return readFraming() ? COMPLETE : MALFORMED;
            }
            if (result != INCOMPLETE) {
                return MALFORMED;
            }
        }
        return data.remaining() > limits.headBytes() ? MALFORMED : INCOMPLETE;
    }

    /** Takes the next byte of the status line: {@code HTTP/1.1 200 OK}, where the reason may be missing. */
    private boolean next(int c) {
        if (lineEnding) {
            inFields = c == '\n';
            lines.begin(searched + 1);
            return inFields;
        }
        if (searched < VERSION.length()) {
            return c == VERSION.charAt(searched);
        }
        if (searched == VERSION.length()) {
            minor = c - '0';
            return c == '0' || c == '1';
        }
        if (searched < STATUS_AT) {
            return c == ' ';
        }
        if (searched < REASON_AT) {
            status = status * 10 + (c - '0');
            return c >= '0' && c <= '9' && status > 0;
        }
        lineEnding = c == '\r';
        return lineEnding || (searched == REASON_AT ? c == ' ' : HttpChars.value(c));
    }

    /**
     * Length and coding together, a coding in HTTP/1.0, and codings without the chunked one are refused: intermediaries may have found
     * another end (RFC 9112 section 6.1).
     */
    private boolean readFraming() {
        for (int i = 0; i < fields.count(); i++) {
            if (!framing.read(fields, i)) {
                return false;
            }
        }
        boolean unclear =
                framing.hasTransferEncoding() && (framing.isLengthGiven() || minor == 0 || !framing.isChunked());
        return status >= HttpStatus.MIN && !unclear;
    }

    /**
     * Length of the body (RFC 9112 section 6.3): from 0, {@link RequestFraming#CHUNKED} or {@link BodyDecoder#UNTIL_END}.
     *
     * @param toHead the request was HEAD
     */
    public long bodyLength(boolean toHead) {
        if (toHead || HttpStatus.hasNoBody(status)) {
            return 0;
        }
        if (framing.hasTransferEncoding()) {
            return RequestFraming.CHUNKED;
        }
        return framing.isLengthGiven() ? framing.contentLength() : BodyDecoder.UNTIL_END;
    }

    /** Returns true if the body has a transfer coding that is not implemented. */
    public boolean hasOtherCoding() {
        return framing.hasOtherCoding();
    }

    /** Returns true if the server lets the connection stay. */
    public boolean keepsAlive() {
        return framing.keepsAlive(minor == 0);
    }
}
