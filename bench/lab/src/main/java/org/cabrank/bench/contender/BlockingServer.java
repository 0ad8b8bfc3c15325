package org.cabrank.bench.contender;

import java.io.IOException;
import java.net.InetSocketAddress;
import java.nio.ByteBuffer;
import java.nio.channels.ByteChannel;
import java.nio.channels.SocketChannel;
import java.util.Queue;
import java.util.concurrent.ConcurrentLinkedQueue;
import javax.net.ssl.SSLContext;
import javax.net.ssl.SSLSocket;
import org.cabrank.bench.handler.HandlerWork;

/** Serves a connection on the calling thread, which may block. Safe for use by any number of threads. */
final class BlockingServer {

    /** Buffers are small, because each of thousands of waiting connections holds a buffer. */
    private static final int SMALL_BYTES = 4 << 10;

    private static final int LARGE_BYTES = 64 << 10;

    private final Protocol protocol;
    private final HandlerWork work;
    private final SSLContext tls;
    private final BufferPool small;
    private final BufferPool large;

    BlockingServer(ServerSettings settings) throws IOException {
        protocol = settings.protocol();
        work = settings.work();
        tls = protocol.overTls() ? settings.tls().serverContext() : null;
        // The JDK's TLS reads into arrays; the JDK's sockets read into memory outside the heap.
        small = new BufferPool(SMALL_BYTES, tls == null);
        large = new BufferPool(LARGE_BYTES, tls == null);
    }

    private interface OutputEnd {
        void end() throws IOException;
    }

    void serve(SocketChannel channel) throws IOException {
        if (tls == null) {
            serve(channel, channel::shutdownOutput);
            return;
        }
        InetSocketAddress peer = (InetSocketAddress) channel.getRemoteAddress();
        try (SSLSocket socket = (SSLSocket) tls.getSocketFactory()
                .createSocket(channel.socket(), peer.getAddress().getHostAddress(), peer.getPort(), true)) {
            socket.setUseClientMode(false);
            socket.setEnabledProtocols(new String[] {LabTls.VERSION});
            socket.setEnabledCipherSuites(new String[] {LabTls.CIPHER_SUITE});
            serve(new TlsByteChannel(socket), socket::shutdownOutput);
        }
    }

    private void serve(ByteChannel channel, OutputEnd end) throws IOException {
        if (!protocol.isHttp()) {
            serve(channel, end, new EchoService(work));
            return;
        }
        ByteBuffer answers = small.take();
        try {
            serve(channel, end, new PlaintextService(work, answers));
        } finally {
            small.giveBack(answers);
        }
    }

    private void serve(ByteChannel channel, OutputEnd end, Service service) throws IOException {
        BufferPool pool = small;
        ByteBuffer buffer = pool.take();
        try {
            while (channel.read(buffer) >= 0) {
                boolean filled = !buffer.hasRemaining();
                answer(channel, end, service, buffer.flip());
                if (filled && pool == small) {
                    pool.giveBack(buffer);
                    pool = large;
                    buffer = pool.take();
                }
                buffer.clear();
            }
        } finally {
            pool.giveBack(buffer);
        }
    }

    private static void answer(ByteChannel channel, OutputEnd end, Service service, ByteBuffer data)
            throws IOException {
        while (data.hasRemaining()) {
            ByteBuffer answer = service.answer(data);
            while (answer.hasRemaining()) {
                channel.write(answer);
            }
        }
        if (service.ended()) {
            end.end(); // the caller reads on until the peer ends, so that no reset overtakes the answer
        }
    }

    static final class BufferPool {

        private final int bytes;
        private final boolean direct;
        private final Queue<ByteBuffer> free = new ConcurrentLinkedQueue<>();

        BufferPool(int bytes, boolean direct) {
            this.bytes = bytes;
            this.direct = direct;
        }

        ByteBuffer take() {
            ByteBuffer used = free.poll();
            if (used != null) {
                return used.clear();
            }
            return direct ? ByteBuffer.allocateDirect(bytes) : ByteBuffer.allocate(bytes);
        }

        void giveBack(ByteBuffer buffer) {
            free.add(buffer);
        }
    }
}
