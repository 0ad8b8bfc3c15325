package org.cabrank.httpserver;

import java.io.IOException;
import java.io.InputStream;
import java.util.Objects;

/** The body of a request that has none. */
final class EmptyBody extends InputStream {
    private volatile boolean closed;

    private void requireOpen() throws IOException {
        if (closed) {
            throw new IOException("Stream is closed");
        }
    }

    @Override
    public int read() throws IOException {
        requireOpen();
        return -1;
    }

    @Override
    public int read(byte[] into, int offset, int length) throws IOException {
        Objects.checkFromIndexSize(offset, length, into.length);
        requireOpen();
        return length == 0 ? 0 : -1;
    }

    @Override
    public void close() {
        closed = true;
    }
}
