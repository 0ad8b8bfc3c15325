package org.cabrank.bench.load;

import java.net.Inet4Address;
import java.net.InetSocketAddress;
import java.nio.ByteBuffer;
import org.cabrank.kernel.Kernel;
import org.cabrank.kernel.SocketAddresses;
import org.cabrank.kernel.Sockets;

/**
 * Makes a worker's sockets. For many connections it uses {@value #SOURCES} loopback addresses in turn, because one address has some 28,000
 * ports. A close by reset (SO_LINGER 0) would free ports without TIME_WAIT, but would measure how servers handle errors.
 */
final class ClientSockets {

    /** 127.0.0.1 to 127.0.0.64. With a TIME_WAIT of 1 min, their ports suffice for 30,000 connections per second. */
    static final int SOURCES = 64;

    private static final int ONE_SOURCE_CONNECTIONS_MAX = 16_384;

    private static final int LOOPBACK_NETWORK = 127;
    private static final int OPTION_OFFSET = SocketAddresses.ROOM_BYTES;
    private static final int LENGTH_OFFSET = OPTION_OFFSET + Integer.BYTES;
    private static final int SOURCE_OFFSET = OPTION_OFFSET + 2 * Long.BYTES;

    private final Kernel kernel;
    private final ByteBuffer scratch = LoadConnection.buffer(SOURCE_OFFSET + SocketAddresses.ROOM_BYTES);
    private final long serverAddress;
    private final int serverBytes;
    private final int domain;
    private final boolean manySources;
    private int sourceTurn;

    ClientSockets(Kernel kernel, LoadSettings settings, LoadTraffic traffic, int firstSource) {
        this.kernel = kernel;
        InetSocketAddress server = settings.address();
        domain = SocketAddresses.domain(server);
        serverBytes = SocketAddresses.encode(server, scratch);
        serverAddress = kernel.addressOf(scratch);
        boolean many = traffic.pattern() == Pattern.CHURN || traffic.connectionsInAll() > ONE_SOURCE_CONNECTIONS_MAX;
        manySources = many
                && server.getAddress() instanceof Inet4Address
                && server.getAddress().isLoopbackAddress();
        sourceTurn = firstSource;
        scratch.putShort(SOURCE_OFFSET, (short) Sockets.AF_INET);
        scratch.put(SOURCE_OFFSET + SocketAddresses.INET_ADDRESS_OFFSET, (byte) LOOPBACK_NETWORK);
    }

    int open() {
        int fd = kernel.socket(domain, Sockets.SOCK_STREAM | Sockets.SOCK_NONBLOCK | Sockets.SOCK_CLOEXEC, 0);
        int result = fd < 0 ? fd : enable(fd, Sockets.IPPROTO_TCP, Sockets.TCP_NODELAY);
        if (fd >= 0 && result < 0) {
            kernel.close(fd);
        }
        return result < 0 ? result : fd;
    }

    /** Returns 0 or a negative errno, such as EADDRNOTAVAIL if the source has no free port. */
    int connect(int fd) {
        int result = manySources ? bindSource(fd) : 0;
        return result < 0 ? result : kernel.connect(fd, serverAddress, serverBytes);
    }

    private int bindSource(int fd) {
        // Lets connect(2) choose the port. Unlike bind(2), it may choose a port that is in use with another server.
        int result = enable(fd, Sockets.IPPROTO_IP, Sockets.IP_BIND_ADDRESS_NO_PORT);
        int lastByte = SOURCE_OFFSET + SocketAddresses.INET_ADDRESS_OFFSET + 3;
        scratch.put(lastByte, (byte) (1 + sourceTurn));
        sourceTurn = (sourceTurn + 1) % SOURCES;
        return result < 0 ? result : kernel.bind(fd, serverAddress + SOURCE_OFFSET, SocketAddresses.INET_SIZE_BYTES);
    }

    private int enable(int fd, int level, int option) {
        scratch.putInt(OPTION_OFFSET, 1);
        return kernel.setsockopt(fd, level, option, serverAddress + OPTION_OFFSET, Integer.BYTES);
    }

    int error(int fd) {
        scratch.putInt(OPTION_OFFSET, 0);
        scratch.putInt(LENGTH_OFFSET, Integer.BYTES);
        int result = kernel.getsockopt(
                fd, Sockets.SOL_SOCKET, Sockets.SO_ERROR, serverAddress + OPTION_OFFSET, serverAddress + LENGTH_OFFSET);
        return result < 0 ? -result : scratch.getInt(OPTION_OFFSET);
    }
}
