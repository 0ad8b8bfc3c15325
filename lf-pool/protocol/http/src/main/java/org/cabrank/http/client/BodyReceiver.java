package org.cabrank.http.client;

import java.net.ProtocolException;
import java.nio.ByteBuffer;
import org.cabrank.http.message.Gzip;
import org.cabrank.http.message.HttpFields;
import org.cabrank.http.message.HttpLimits;
import org.cabrank.http.message.HttpStatus;
import org.cabrank.http.wire.BodyDecoder;
import org.cabrank.http.wire.FieldTable;
import org.cabrank.http.wire.GzipDecoder;
import org.cabrank.stream.transport.BufferViews;

/** Receives the bodies of responses in callbacks of one connection. Decodes chunks and gzip, and lends each piece to the handler. */
final class BodyReceiver {
    private final HttpLimits limits;
    private final BodyDecoder chunks;

    private GzipDecoder gzip;

    /** True if more bytes have arrived after the present piece. After the last piece, such bytes belong to no response. */
    private boolean more;

    private BufferViews.View lent;

    BodyReceiver(HttpLimits limits) {
        this.limits = limits;
        chunks = new BodyDecoder(limits, true);
    }

    void begin(long length, boolean more, PendingCall call) throws ProtocolException {
        if (length > limits.bodyBytes()) {
            throw tooLong(call);
        }
        chunks.begin(length);
        this.more = more;
    }

    /** If the fields name the coding gzip, begins to decode it, and removes Content-Encoding and Content-Length from the fields. */
    void decode(FieldTable fields, PendingCall call) throws ProtocolException {
        String coding = Gzip.coding(fields);
        if (coding.isEmpty()) {
            return;
        }
        if (!Gzip.is(coding)) {
            throw new ProtocolException("the response to " + call.call + " has the coding " + coding
                    + ", but the request permits gzip alone: leave acceptGzip out");
        }
        gzip = new GzipDecoder(limits.bodyBytes());
        fields.remove("Content-Encoding");
        fields.remove("Content-Length");
    }

    boolean lastsUntilEnd() {
        return chunks.lastsUntilEnd();
    }

    boolean hasEnded() {
        return chunks.hasEnded();
    }

    boolean hasMore() {
        return more;
    }

    HttpFields trailers() {
        return chunks.trailers();
    }

    int receive(ByteBuffer data, PendingCall call) throws Exception {
        int result = chunks.next(data);
        if (result == BodyDecoder.PIECE) {
            result = gzip == null ? receivePiece(data, call) : decodePiece(data, call);
        }
        switch (result) {
            case BodyDecoder.INCOMPLETE, BodyDecoder.PIECE:
                return result;
            case BodyDecoder.END:
                more = data.hasRemaining();
                end(call);
                return result;
            case HttpStatus.CONTENT_TOO_LARGE:
                throw tooLong(call);
            case HttpStatus.HEAD_TOO_LONG:
                throw new ProtocolException("extensions of chunks or trailer fields of the response to " + call.call
                        + " exceed their limits of " + limits.headBytes() + " bytes and " + limits.fields()
                        + " fields: raise HttpLimits.headBytes or HttpLimits.fields");
            default:
                throw malformed(call);
        }
    }

    private int receivePiece(ByteBuffer data, PendingCall call) throws Exception {
        int from = data.position();
        chunks.taken(data);
        more = data.hasRemaining();
        give(data, from, call);
        return BodyDecoder.PIECE;
    }

    private int decodePiece(ByteBuffer data, PendingCall call) throws Exception {
        int result = gzip.next(chunks, data);
        more = data.hasRemaining();
        if (result == BodyDecoder.PIECE) {
            give(gzip.piece(), 0, call);
        }
        return result == BodyDecoder.INCOMPLETE ? BodyDecoder.PIECE : result;
    }

    private void give(ByteBuffer bytes, int from, PendingCall call) throws Exception {
        BufferViews.View view = BufferViews.of(bytes);
        lent = view;
        try {
            call.handler.data(call, view.lend(from, bytes.position()));
        } finally {
            view.reclaim();
        }
    }

    /** Takes back lent bytes. Called before a nested wait of the handler, because the memory serves other connections during the wait. */
    void takeBack() {
        chunks.forgetTrailers();
        if (lent != null) {
            lent.empty();
            lent = null;
        }
    }

    void end(PendingCall call) throws ProtocolException {
        if (gzip == null) {
            return;
        }
        boolean complete = gzip.isComplete();
        close();
        if (!complete) {
            throw malformed(call);
        }
    }

    void close() {
        if (gzip != null) {
            gzip.close();
            gzip = null;
        }
    }

    private static ProtocolException malformed(PendingCall call) {
        return new ProtocolException("the body of the response to " + call.call + " is malformed");
    }

    private ProtocolException tooLong(PendingCall call) {
        return new ProtocolException("the body of the response to " + call.call + " exceeds its limit of "
                + limits.bodyBytes() + " bytes: raise HttpLimits.bodyBytes");
    }
}
