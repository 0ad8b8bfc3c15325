package org.cabrank.iouring;

import static java.nio.charset.StandardCharsets.US_ASCII;

import java.io.IOException;
import java.net.StandardProtocolFamily;
import java.net.UnixDomainSocketAddress;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.channels.ServerSocketChannel;
import java.nio.channels.SocketChannel;
import java.nio.file.Path;
import org.cabrank.kernel.Errno;
import org.cabrank.kernel.Kernel;
import org.cabrank.kernel.SocketAddresses;
import org.cabrank.kernel.Sockets;

/** A connection of a Unix socket: a descriptor for a ring at one end, a channel of Java at the other. */
final class UnixPair implements AutoCloseable {
    private final Kernel kernel;
    private final int fd;
    private final SocketChannel peer;

    UnixPair(Kernel kernel, Path directory) throws IOException {
        this.kernel = kernel;
        UnixDomainSocketAddress address = UnixDomainSocketAddress.of(directory.resolve("socket"));
        try (ServerSocketChannel listening = ServerSocketChannel.open(StandardProtocolFamily.UNIX)) {
            listening.bind(address);
            fd = Errno.check("socket", kernel.socket(Sockets.AF_UNIX, Sockets.SOCK_STREAM | Sockets.SOCK_CLOEXEC, 0));
            ByteBuffer room =
                    ByteBuffer.allocateDirect(SocketAddresses.ROOM_BYTES).order(ByteOrder.nativeOrder());
            Errno.check("connect", kernel.connect(fd, kernel.addressOf(room), SocketAddresses.encode(address, room)));
            peer = listening.accept();
        }
    }

    int fd() {
        return fd;
    }

    void send(String text) throws IOException {
        peer.write(ByteBuffer.wrap(text.getBytes(US_ASCII)));
    }

    /** The peer says that no more will come. */
    void end() throws IOException {
        peer.shutdownOutput();
    }

    @Override
    public void close() throws IOException {
        kernel.close(fd);
        peer.close();
    }
}
