package org.cabrank.http.wire;

import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.util.Arrays;
import java.util.zip.CRC32;
import java.util.zip.Deflater;

/** Encodes pieces by gzip (RFC 1952). The peer can decode each piece on arrival. Uses about 256 KiB outside of the heap. */
final class GzipEncoder implements AutoCloseable {
    private static final byte[] HEADER = {0x1f, (byte) 0x8b, 8, 0, 0, 0, 0, 0, 0, (byte) 0xff};
    private static final int TRAILER_BYTES = 8;

    /** Room for a header, a trailer, and the blocks that end a piece. */
    private static final int OWN_BYTES_MAX = 64;

    private final Deflater deflater = new Deflater(Deflater.DEFAULT_COMPRESSION, true);
    private final CRC32 checksum = new CRC32();
    private boolean begun;
    private boolean closed;

    /** Returns the largest size that {@code count} bytes can have after encoding. A block that does not shrink grows by 5 bytes. */
    static int bytesMax(int count) {
        return Math.addExact(count, (count >> 12) * 5 + OWN_BYTES_MAX);
    }

    /** Consumes a piece, and returns its encoded bytes. Returns an empty buffer after {@link #close}. */
    synchronized ByteBuffer encode(ByteBuffer data) {
        if (closed || !data.hasRemaining()) {
            data.position(data.limit());
            return ByteBuffer.allocate(0);
        }
        checksum.update(data.duplicate());
        int count = data.remaining();
        deflater.setInput(data);
        ByteBuffer encoded = deflate(bytesMax(count / 4), Deflater.SYNC_FLUSH);
        deflater.setInput(new byte[0]); // the buffer belongs to the caller
        return encoded;
    }

    synchronized ByteBuffer end() {
        if (closed) {
            return ByteBuffer.allocate(0);
        }
        long count = deflater.getBytesRead();
        deflater.finish();
        ByteBuffer last = deflate(OWN_BYTES_MAX, Deflater.NO_FLUSH);
        close();
        return ByteBuffer.allocate(last.remaining() + TRAILER_BYTES)
                .order(ByteOrder.LITTLE_ENDIAN)
                .put(last)
                .putInt((int) checksum.getValue())
                .putInt((int) count)
                .flip();
    }

    private ByteBuffer deflate(int roomBytes, int flush) {
        byte[] out = new byte[HEADER.length + roomBytes];
        int count = 0;
        if (!begun) {
            begun = true;
            System.arraycopy(HEADER, 0, out, 0, HEADER.length);
            count = HEADER.length;
        }
        while (true) { // a full buffer means that there is more
            count += deflater.deflate(out, count, out.length - count, flush);
            if (count < out.length) {
                return ByteBuffer.wrap(out, 0, count);
            }
            out = Arrays.copyOf(out, 2 * out.length);
        }
    }

    /** Any thread may call this method. */
    @Override
    public synchronized void close() {
        closed = true;
        deflater.end();
    }
}
