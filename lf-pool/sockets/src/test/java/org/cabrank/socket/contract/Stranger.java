package org.cabrank.socket.contract;

import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.nio.ByteBuffer;
import java.nio.channels.ServerSocketChannel;
import java.nio.channels.SocketChannel;
import java.nio.charset.StandardCharsets;
import org.cabrank.kernel.Errno;
import org.cabrank.kernel.FileFlags;
import org.cabrank.kernel.Kernel;
import org.cabrank.kernel.Sockets;
import org.cabrank.lf.fixture.Await;
import org.cabrank.socket.calls.SocketOps;

/** A TCP connection with received bytes, which takes the number of a descriptor that was closed. */
final class Stranger implements AutoCloseable {
    static final String BYTES = "of the connection";

    private final Kernel kernel;
    private final ByteBuffer memory = ByteBuffer.allocateDirect(1_000);
    private final SocketChannel peer;
    private final int fd;
    private int taken = -1;

    Stranger(Kernel kernel) throws IOException {
        this.kernel = kernel;
        try (ServerSocketChannel listener = ServerSocketChannel.open()) {
            listener.bind(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0));
            SocketOps sockets = new SocketOps(kernel);
            fd = Errno.check("socket", sockets.streamSocket(listener.getLocalAddress()));
            sockets.connect(fd, listener.getLocalAddress());
            peer = listener.accept();
        }
        peer.configureBlocking(false);
        peer.write(ByteBuffer.wrap(BYTES.getBytes(StandardCharsets.US_ASCII)));
        Await.until(
                "the bytes have come",
                () -> kernel.recv(fd, kernel.addressOf(memory), memory.capacity(), Sockets.MSG_PEEK) == BYTES.length());
    }

    /** Any thread: gives the connection this number. Returns false if another file has the number. */
    synchronized boolean takes(int number) {
        if (taken < 0) {
            int duplicate = kernel.fcntl(fd, FileFlags.F_DUPFD_CLOEXEC, number);
            if (duplicate != number) {
                kernel.close(duplicate);
                return false;
            }
            taken = duplicate;
        }
        return true;
    }

    /** Returns the bytes that wait to be received. */
    String unread() {
        int count = kernel.recv(fd, kernel.addressOf(memory), memory.capacity(), Sockets.MSG_PEEK);
        return count < 0
                ? ""
                : StandardCharsets.US_ASCII.decode(memory.slice(0, count)).toString();
    }

    /** Returns the number of bytes that the connection has sent. */
    int sentBytes() throws IOException {
        return peer.read(ByteBuffer.allocate(1_000));
    }

    @Override
    public synchronized void close() throws IOException {
        peer.close();
        kernel.close(fd);
        if (taken >= 0) {
            kernel.close(taken);
        }
    }
}
