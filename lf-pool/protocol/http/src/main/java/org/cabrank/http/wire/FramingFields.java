package org.cabrank.http.wire;

import java.nio.ByteBuffer;

/** The fields that determine the length of a body and the end of the connection (RFC 9112 sections 6 and 9). Not thread-safe. */
class FramingFields {
    /** A larger length in a message is read as this length, because its number could overflow. Every body is shorter. */
    private static final long LENGTH_MAX = Long.MAX_VALUE / 10 - 10;

    private static final long NOT_GIVEN = -1;

    private boolean close;
    private boolean keepAlive;
    private boolean transferEncoding;
    private boolean chunked;
    private boolean otherCoding;
    private long contentLength = NOT_GIVEN;

    void clear() {
        close = false;
        keepAlive = false;
        transferEncoding = false;
        chunked = false;
        otherCoding = false;
        contentLength = NOT_GIVEN;
    }

    /** Returns false if the value of the field is invalid, or contradicts an earlier field. */
    boolean read(FieldTable fields, int i) {
        ByteBuffer bytes = fields.bytes();
        int from = fields.valueStart(i);
        int to = from + fields.valueLength(i);
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
        return true;
    }

    /** Refuses a second length, even an equal one, because intermediaries may treat two lengths differently. */
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

    /** Reads the transfer codings. No coding may follow the chunked coding (RFC 9112 section 6.1). */
    private boolean readCodings(ByteBuffer bytes, int from, int to) {
        for (int start = from, end; start <= to; start = end + 1) {
            end = HttpChars.find(bytes, start, to, ",");
            if (HttpChars.isElement(bytes, start, end, "")) {
                continue;
            }
            if (chunked) {
                return false;
            }
            chunked = HttpChars.isElement(bytes, start, end, "chunked");
            otherCoding |= !chunked;
        }
        return true;
    }

    boolean isLengthGiven() {
        return contentLength != NOT_GIVEN;
    }

    long contentLength() {
        return contentLength;
    }

    boolean hasTransferEncoding() {
        return transferEncoding;
    }

    boolean isChunked() {
        return chunked;
    }

    boolean hasOtherCoding() {
        return otherCoding;
    }

    boolean keepsAlive(boolean version10) {
        return !close && (!version10 || keepAlive);
    }
}
