package org.cabrank.http.wire;

import java.nio.ByteBuffer;
import org.cabrank.http.message.HttpStatus;

/**
 * The fields of a request that decide its body and the end of the connection (RFC 9112 sections 3.2, 6 and 9, RFC 9110 section 10.1.1).
 * Refuses requests that another server or proxy could read differently. One thread at a time.
 */
public final class RequestFraming {
    /** Length of a body whose chunks tell its end. */
    public static final long CHUNKED = -1;

    /** Larger lengths are read as this one: all are too large for a body. */
    private static final long LENGTH_MAX = Long.MAX_VALUE / 10 - 10;

    private static final long NOT_GIVEN = -1;

    private final AuthoritySyntax host = new AuthoritySyntax();
    private int hosts;
    private boolean close;
    private boolean keepAlive;
    private boolean expect;
    private boolean expectUnknown;
    private boolean transferEncoding;
    private boolean chunked;
    private boolean otherCoding;
    private long contentLength = NOT_GIVEN;

    RequestFraming() {}

    void clear() {
        hosts = 0;
        close = false;
        keepAlive = false;
        expect = false;
        expectUnknown = false;
        transferEncoding = false;
        chunked = false;
        otherCoding = false;
        contentLength = NOT_GIVEN;
    }

    /** Returns {@link RequestHead#COMPLETE}, or the status of the error. */
    int check(FieldTable fields, boolean version10, long bodyBytesMax) {
        for (int i = 0; i < fields.count(); i++) {
            if (!read(fields, i)) {
                return HttpStatus.BAD_REQUEST;
            }
        }
        boolean hostWrong = hosts > 1 || hosts == 0 && !version10;
        boolean lengthTwice = transferEncoding && contentLength != NOT_GIVEN;
        // HTTP/1.0 knows no transfer codings: an intermediary of that version has taken the body for another one.
        boolean codingWrong = transferEncoding && (version10 || !chunked);
        if (hostWrong || lengthTwice || codingWrong) {
            return HttpStatus.BAD_REQUEST;
        }
        if (otherCoding) {
            return HttpStatus.NOT_IMPLEMENTED;
        }
        if (expectUnknown && !version10) {
            return HttpStatus.EXPECTATION_FAILED;
        }
        expect &= !version10;
        keepAlive = !close && (!version10 || keepAlive);
        return contentLength > bodyBytesMax ? HttpStatus.CONTENT_TOO_LARGE : RequestHead.COMPLETE;
    }

    /** Returns false if the value makes no sense, or contradicts an earlier one. */
    private boolean read(FieldTable fields, int i) {
        ByteBuffer bytes = fields.bytes();
        int from = fields.valueStart(i);
        int to = from + fields.valueLength(i);
        if (fields.nameIs(i, "host")) {
            hosts++;
            return isHost(bytes, from, to);
        }
        if (fields.nameIs(i, "connection")) {
            close |= fields.hasElement("connection", "close");
            keepAlive |= fields.hasElement("connection", "keep-alive");
            return true;
        }
        if (fields.nameIs(i, "content-length")) {
            return readLength(bytes, from, to);
        }
        if (fields.nameIs(i, "transfer-encoding")) {
            transferEncoding = true;
            return readCodings(bytes, from, to);
        }
        if (fields.nameIs(i, "expect")) {
            expect = true;
            expectUnknown |= !Ascii.isIgnoringCase(bytes, from, to - from, "100-continue");
        }
        return true;
    }

    private boolean isHost(ByteBuffer bytes, int from, int to) {
        host.clear();
        for (int at = from; at < to; at++) {
            if (!host.add(bytes.get(at))) {
                return false;
            }
        }
        return host.end();
    }

    /** A second length is refused even if it is equal: intermediaries may have used another one. */
    private boolean readLength(ByteBuffer bytes, int from, int to) {
        if (from == to || contentLength != NOT_GIVEN) {
            return false;
        }
        contentLength = 0;
        for (int at = from; at < to; at++) {
            int digit = bytes.get(at) - '0';
            if (digit < 0 || digit > 9) {
                return false;
            }
            contentLength = Math.min(LENGTH_MAX, contentLength * 10 + digit);
        }
        return true;
    }

    private boolean readCodings(ByteBuffer bytes, int from, int to) {
        int start = from;
        while (start <= to) {
            int end = start;
            while (end < to && bytes.get(end) != ',') {
                end++;
            }
            if (!readCoding(bytes, start, end)) {
                return false;
            }
            start = end + 1;
        }
        return true;
    }

    /** Nothing may follow the chunked coding (RFC 9112 section 6.1). */
    private boolean readCoding(ByteBuffer bytes, int start, int end) {
        int from = start;
        int to = end;
        while (from < to && HttpChars.space(bytes.get(from))) {
            from++;
        }
        while (to > from && HttpChars.space(bytes.get(to - 1))) {
            to--;
        }
        if (from == to) {
            return true;
        }
        if (chunked) {
            return false;
        }
        boolean named = Ascii.isIgnoringCase(bytes, from, to - from, "chunked");
        chunked |= named;
        otherCoding |= !named;
        return true;
    }

    /** Length of the body in bytes; 0: there is none; {@link #CHUNKED}. */
    public long bodyLength() {
        return chunked ? CHUNKED : Math.max(0, contentLength);
    }

    /** Returns true if the client lets the connection stay after the answer. */
    public boolean keepsAlive() {
        return keepAlive;
    }

    /** Returns true if the client waits for a permission to send the body. */
    public boolean expectsContinue() {
        return expect && bodyLength() != 0;
    }
}
