package org.cabrank.http;

import java.nio.ByteBuffer;
import java.util.Arrays;
import org.cabrank.http.message.HttpFields;
import org.cabrank.http.message.HttpStatus;

/** Collects a body. A body that arrives in one piece is passed on without a copy. */
final class WholeBody implements HttpBody {
    private static final int INITIAL_BYTES = 4 << 10;

    private final int bytesMax;
    private final HttpWholeBody receiver;
    private byte[] bytes = {};
    private int count;
    private boolean handedOn;

    WholeBody(int bytesMax, HttpWholeBody receiver) {
        this.bytesMax = bytesMax;
        this.receiver = receiver;
    }

    @Override
    public void data(HttpExchange exchange, ByteBuffer piece) throws Exception {
        long wanted = Math.max(count + (long) piece.remaining(), exchange.bodyLength());
        if (wanted > bytesMax) {
            handedOn = true;
            exchange.closeAfterwards().send(HttpStatus.CONTENT_TOO_LARGE);
        } else if (count == 0 && piece.remaining() == exchange.bodyLength()) {
            handedOn = true;
            receiver.received(exchange, piece);
        } else {
            collect(piece);
        }
    }

    /** Memory grows with the bytes received, not with the announced length. */
    private void collect(ByteBuffer piece) {
        int added = piece.remaining();
        if (count + added > bytes.length) {
            int grown = (int) Math.min(bytesMax, Math.max(INITIAL_BYTES, 2L * bytes.length));
            bytes = Arrays.copyOf(bytes, Math.max(count + added, grown));
        }
        piece.get(bytes, count, added);
        count += added;
    }

    @Override
    public void end(HttpExchange exchange, HttpFields trailers) throws Exception {
        if (!handedOn) {
            receiver.received(exchange, ByteBuffer.wrap(bytes, 0, count));
        }
    }
}
