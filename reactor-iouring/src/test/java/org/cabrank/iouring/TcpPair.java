package org.cabrank.iouring;

import static java.nio.charset.StandardCharsets.US_ASCII;

import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.Socket;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import org.cabrank.kernel.Errno;
import org.cabrank.kernel.Kernel;
import org.cabrank.kernel.SocketAddresses;
import org.cabrank.kernel.Sockets;

/** A TCP connection over loopback: a descriptor for a ring at one end, a socket of Java at the other. */
final class TcpPair implements AutoCloseable {
    private final Kernel kernel;
    private final int fd;
    private final Socket peer;

    TcpPair(Kernel kernel) throws IOException {
        this.kernel = kernel;
        int listening =
                Errno.check("socket", kernel.socket(Sockets.AF_INET, Sockets.SOCK_STREAM | Sockets.SOCK_CLOEXEC, 0));
        try {
            ByteBuffer room =
                    ByteBuffer.allocateDirect(SocketAddresses.ROOM_BYTES).order(ByteOrder.nativeOrder());
            ByteBuffer length = ByteBuffer.allocateDirect(Integer.BYTES).order(ByteOrder.nativeOrder());
            int bytes = SocketAddresses.encode(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0), room);
            Errno.check("bind", kernel.bind(listening, kernel.addressOf(room), bytes));
            Errno.check("listen", kernel.listen(listening, 1));
            length.putInt(0, SocketAddresses.ROOM_BYTES);
            Errno.check("getsockname", kernel.getsockname(listening, kernel.addressOf(room), kernel.addressOf(length)));
            InetSocketAddress bound = (InetSocketAddress) SocketAddresses.decode(room, length.getInt(0));
            peer = new Socket(bound.getAddress(), bound.getPort());
            fd = Errno.check("accept4", kernel.accept4(listening, 0, 0, Sockets.SOCK_CLOEXEC));
        } finally {
            kernel.close(listening);
        }
    }

    int fd() {
        return fd;
    }

    void send(String text) throws IOException {
        send(text.getBytes(US_ASCII));
    }

    void send(byte[] bytes) throws IOException {
        peer.getOutputStream().write(bytes);
    }

    /** Every {@link #send} goes out at once, however small. */
    void sendAtOnce() throws IOException {
        peer.setTcpNoDelay(true);
    }

    /** Ends the peer's side with a reset. */
    void reset() throws IOException {
        peer.setSoLinger(true, 0);
        peer.close();
    }

    /** Ends the peer's side with a FIN. */
    void end() throws IOException {
        peer.shutdownOutput();
    }

    @Override
    public void close() throws IOException {
        kernel.close(fd);
        peer.close();
    }
}
