package org.cabrank.bench.load.datagram;

import java.nio.ByteBuffer;
import org.cabrank.bench.load.engine.NativeBuffers;
import org.cabrank.kernel.Errno;
import org.cabrank.kernel.Kernel;
import org.cabrank.kernel.KernelException;
import org.cabrank.kernel.SocketAddresses;
import org.cabrank.kernel.Sockets;

/** Makes the sockets of the flows, and connects them to the target. Used by one thread. */
final class FlowSockets {
    /** Size of the receive buffer. It is large, because answers that the generator drops would count as losses of the server. */
    private static final int RECEIVE_BUFFER_BYTES = 8 << 20;

    private static final int OPTION_OFFSET = SocketAddresses.ROOM_BYTES;
    private static final int OPTION_BYTES = 64;
    private static final int LENGTH_OFFSET = OPTION_OFFSET + OPTION_BYTES;

    private final Kernel kernel;
    private final DatagramLoad load;
    private final ByteBuffer scratch = NativeBuffers.of(LENGTH_OFFSET + Long.BYTES);
    private final long address;
    private final int addressBytes;

    FlowSockets(Kernel kernel, DatagramLoad load) {
        this.kernel = kernel;
        this.load = load;
        address = kernel.addressOf(scratch);
        addressBytes = SocketAddresses.encode(load.target(), scratch);
    }

    int open() throws KernelException {
        int fd = Errno.check(
                "socket",
                kernel.socket(
                        SocketAddresses.domain(load.target()),
                        Sockets.SOCK_DGRAM | Sockets.SOCK_NONBLOCK | Sockets.SOCK_CLOEXEC,
                        0));
        boolean connected = false;
        try {
            if (option(fd, Sockets.SOL_SOCKET, Sockets.SO_RCVBUFFORCE, RECEIVE_BUFFER_BYTES) < 0) {
                option(fd, Sockets.SOL_SOCKET, Sockets.SO_RCVBUF, RECEIVE_BUFFER_BYTES); // limited by net.core.rmem_max
            }
            if (load.segmented()) {
                Errno.check("setsockopt UDP_GRO", option(fd, Sockets.IPPROTO_UDP, Sockets.UDP_GRO, 1));
            }
            Errno.check("connect", kernel.connect(fd, address, addressBytes));
            connected = true;
            return fd;
        } finally {
            if (!connected) {
                kernel.close(fd);
            }
        }
    }

    private int option(int fd, int level, int name, int value) {
        scratch.putInt(OPTION_OFFSET, value);
        return kernel.setsockopt(fd, level, name, address + OPTION_OFFSET, Integer.BYTES);
    }

    /** Returns the number of datagrams that the socket has dropped. Before Linux 4.12 the number is unknown, and the result is 0. */
    long drops(int fd) {
        scratch.putInt(LENGTH_OFFSET, OPTION_BYTES);
        int result = kernel.getsockopt(
                fd, Sockets.SOL_SOCKET, Sockets.SO_MEMINFO, address + OPTION_OFFSET, address + LENGTH_OFFSET);
        int at = Sockets.SK_MEMINFO_DROPS * Integer.BYTES;
        return result < 0 || scratch.getInt(LENGTH_OFFSET) < at + Integer.BYTES
                ? 0
                : Integer.toUnsignedLong(scratch.getInt(OPTION_OFFSET + at));
    }
}
