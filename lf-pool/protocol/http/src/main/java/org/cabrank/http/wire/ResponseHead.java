package org.cabrank.http.wire;

import java.nio.ByteBuffer;
import org.cabrank.http.message.HttpLimits;
import org.cabrank.http.message.HttpStatus;

/** Finds the head of a response (RFC 9112 section 4). */
public final class ResponseHead extends MessageHead {
    public static final int MALFORMED = 2;

    public static final int TOO_LONG = 3;

    public static final int TOO_MANY_FIELDS = 4;

    /** Length of a body whose end is unclear, because intermediaries may have found another end (RFC 9112 section 6.1). */
    public static final long UNCLEAR = -3;

    private static final String VERSION = "HTTP/1.";
    private static final int STATUS_AT = 9;
    private static final int REASON_AT = 12;

    private final FramingFields framing = new FramingFields();
    private boolean lineEnding;
    private int status;
    private int minor;
    private boolean clear;

    public ResponseHead(HttpLimits limits) {
        super(limits, true);
    }

    @Override
    public void begin() {
        super.begin();
        framing.clear();
        status = 0;
        lineEnding = false;
    }

    public int status() {
        return status;
    }

    @Override
    int refused(int statusOfRequest) {
        return statusOfRequest == HttpStatus.HEAD_TOO_LONG ? TOO_MANY_FIELDS : MALFORMED;
    }

    @Override
    int tooLong(boolean inFields) {
        return TOO_LONG;
    }

    @Override
    int next(ByteBuffer data, int origin, int c) {
        return mayStand(c) ? INCOMPLETE : MALFORMED;
    }

    /** Returns true if {@code c} may be the next byte of the status line, such as {@code HTTP/1.1 200 OK}. The reason may be missing. */
    private boolean mayStand(int c) {
        if (lineEnding) {
            beginFields();
            return c == '\n';
        }
        if (searched < VERSION.length()) {
            return c == VERSION.charAt(searched);
        }
        if (searched == VERSION.length()) {
            minor = c - '0';
            return c >= '0' && c <= '9'; // a higher minor version is read as 1.1 (RFC 9110 section 2.5)
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

    @Override
    int check() {
        clear = true;
        for (int i = 0; i < fields.count(); i++) {
            clear &= framing.read(fields, i);
        }
        clear &= !framing.hasTransferEncoding()
                || !framing.isLengthGiven() && minor > 0 && framing.isChunked() && !framing.hasOtherCoding();
        return status >= HttpStatus.MIN ? COMPLETE : MALFORMED;
    }

    /** Length of the body (RFC 9112 section 6.3), {@link RequestFraming#CHUNKED}, {@link BodyDecoder#UNTIL_END} or {@link #UNCLEAR}. */
    public long bodyLength(boolean toHead) {
        if (toHead || HttpStatus.hasNoBody(status)) {
            return 0;
        }
        if (!clear) {
            return UNCLEAR;
        }
        if (framing.hasTransferEncoding()) {
            return RequestFraming.CHUNKED;
        }
        return framing.isLengthGiven() ? framing.contentLength() : BodyDecoder.UNTIL_END;
    }

    /** Returns true if the server keeps the connection open, and the beginning of the next response is clear. */
    public boolean keepsAlive() {
        boolean neverBody = HttpStatus.isInterim(status) || status == HttpStatus.NO_CONTENT;
        boolean announced = framing.hasTransferEncoding() || framing.contentLength() > 0;
        return framing.keepsAlive(minor == 0) && clear && !(neverBody && announced);
    }
}
