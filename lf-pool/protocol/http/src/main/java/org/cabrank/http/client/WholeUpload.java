package org.cabrank.http.client;

import java.nio.ByteBuffer;

/** A body in memory. Unlike other bodies, it can be sent again. */
record WholeUpload(byte[] bytes) implements HttpUpload {
    private static final int PIECE_BYTES = 16 << 10;

    @Override
    public void begin(HttpTransfer transfer) {
        write(transfer, ByteBuffer.wrap(bytes));
    }

    private static void write(HttpTransfer transfer, ByteBuffer rest) {
        while (rest.hasRemaining() && transfer.isWritable()) {
            int count = Math.min(PIECE_BYTES, rest.remaining());
            transfer.write(rest.slice(rest.position(), count));
            rest.position(rest.position() + count);
        }
        if (rest.hasRemaining()) {
            transfer.whenWritable(() -> write(transfer, rest));
        } else {
            transfer.end();
        }
    }
}
