package org.cabrank.bench.contender;

import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.nio.ByteBuffer;
import java.nio.channels.ByteChannel;
import javax.net.ssl.SSLSocket;

/** A blocking TLS socket as a channel, for buffers on the heap. */
final class TlsByteChannel implements ByteChannel {

    private final SSLSocket socket;
    private final InputStream in;
    private final OutputStream out;

    TlsByteChannel(SSLSocket socket) throws IOException {
        this.socket = socket;
        in = socket.getInputStream();
        out = socket.getOutputStream();
    }

    @Override
    public int read(ByteBuffer to) throws IOException {
        int count = in.read(to.array(), to.arrayOffset() + to.position(), to.remaining());
        if (count > 0) {
            to.position(to.position() + count);
        }
        return count;
    }

    @Override
    public int write(ByteBuffer from) throws IOException {
        int count = from.remaining();
        out.write(from.array(), from.arrayOffset() + from.position(), count);
        from.position(from.limit());
        return count;
    }

    @Override
    public boolean isOpen() {
        return !socket.isClosed();
    }

    @Override
    public void close() throws IOException {
        socket.close();
    }
}
