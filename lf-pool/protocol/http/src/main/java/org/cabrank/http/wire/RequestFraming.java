package org.cabrank.http.wire;

import java.nio.ByteBuffer;
import org.cabrank.http.message.HttpStatus;

/** Framing of a request. Refuses requests that another server or proxy could read differently. */
public final class RequestFraming extends FramingFields {
    public static final long CHUNKED = -1;

    private int hosts;
    private boolean keepsAlive;
    private boolean expect;
    private boolean expectUnknown;

    RequestFraming() {}

    @Override
    void clear() {
        super.clear();
        hosts = 0;
        keepsAlive = false;
        expect = false;
        expectUnknown = false;
    }

    /** Returns {@link RequestHead#COMPLETE}, or the status of the error. */
    int check(FieldTable fields, boolean version10, long bodyBytesMax) {
        for (int i = 0; i < fields.count(); i++) {
            if (!read(fields, i)) {
                return HttpStatus.BAD_REQUEST;
            }
        }
        boolean hostWrong = hosts > 1 || hosts == 0 && !version10;
        boolean lengthTwice = hasTransferEncoding() && isLengthGiven();
        // HTTP/1.0 has no transfer codings, so an intermediary of that version has read a different body.
        boolean codingWrong = hasTransferEncoding() && (version10 || !isChunked());
        if (hostWrong || lengthTwice || codingWrong) {
            return HttpStatus.BAD_REQUEST;
        }
        if (hasOtherCoding()) {
            return HttpStatus.NOT_IMPLEMENTED;
        }
        if (expectUnknown && !version10) {
            return HttpStatus.EXPECTATION_FAILED;
        }
        expect &= !version10;
        keepsAlive = keepsAlive(version10);
        return contentLength() > bodyBytesMax ? HttpStatus.CONTENT_TOO_LARGE : RequestHead.COMPLETE;
    }

    @Override
    boolean read(FieldTable fields, int i) {
        ByteBuffer bytes = fields.bytes();
        int from = fields.valueStart(i);
        int to = from + fields.valueLength(i);
        if (fields.nameIs(i, "host")) {
            hosts++;
            return TargetSyntax.isAuthority(bytes, from, to);
        }
        if (fields.nameIs(i, "expect")) {
            expect = true;
            expectUnknown |= !HttpChars.isIgnoringCase(bytes, from, to - from, "100-continue");
            return true;
        }
        return super.read(fields, i);
    }

    /** Length of the body in bytes. Returns 0 if there is no body, {@link #CHUNKED} if the body is in chunks. */
    public long bodyLength() {
        return isChunked() ? CHUNKED : Math.max(0, contentLength());
    }

    public boolean keepsAlive() {
        return keepsAlive;
    }

    public boolean expectsContinue() {
        return expect && bodyLength() != 0;
    }
}
