package org.cabrank.bench.contender;

import static org.junit.jupiter.api.Assertions.assertEquals;

import java.io.IOException;
import java.net.InetSocketAddress;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.Stream;
import org.cabrank.kernel.Kernel;
import org.cabrank.kernel.KernelUnavailableException;
import org.cabrank.kernel.Kernels;
import org.cabrank.kernel.SocketAddresses;
import org.cabrank.kernel.Sockets;

/** The sockets of a server in this process, as the kernel knows them. */
public final class ServerSockets {

    private static final int TCP_INFO = 11;
    private static final int TCP_INFO_BYTES = 104;

    /** Offset in TCP_INFO of a field that holds the backlog of a listening socket. */
    private static final int TCPI_SACKED_AT = 28;

    private final Kernel kernel;
    private final ByteBuffer value = direct(TCP_INFO_BYTES);
    private final ByteBuffer length = direct(Integer.BYTES);

    public ServerSockets() throws KernelUnavailableException {
        kernel = Kernels.system();
    }

    /** Asserts that the server on {@code port}, which has one connection, has the backlog of all contenders and TCP_NODELAY. */
    public void assertAsOfEveryContender(int port) throws IOException {
        List<Integer> listening = new ArrayList<>();
        List<Integer> accepted = new ArrayList<>();
        for (int fd : sockets(port)) {
            if (option(fd, Sockets.SOL_SOCKET, Sockets.SO_ACCEPTCONN) == 1) {
                listening.add(backlog(fd));
            } else {
                accepted.add(option(fd, Sockets.IPPROTO_TCP, Sockets.TCP_NODELAY));
            }
        }
        assertEquals(
                List.of(ContenderSockets.BACKLOG), listening.stream().distinct().toList());
        assertEquals(List.of(1), accepted, "TCP_NODELAY");
    }

    /** The descriptors of this process that are bound to {@code port}. */
    private List<Integer> sockets(int port) throws IOException {
        List<Integer> found = new ArrayList<>();
        try (Stream<Path> descriptors = Files.list(Path.of("/proc/self/fd"))) {
            for (Path descriptor : descriptors.toList()) {
                int fd = Integer.parseInt(descriptor.getFileName().toString());
                if (isSocket(descriptor) && localPort(fd) == port) {
                    found.add(fd);
                }
            }
        }
        return found;
    }

    private static boolean isSocket(Path descriptor) throws IOException {
        try {
            return Files.readSymbolicLink(descriptor).toString().startsWith("socket:");
        } catch (NoSuchFileException closedMeanwhile) {
            return false;
        }
    }

    private int localPort(int fd) {
        ByteBuffer address = direct(SocketAddresses.ROOM_BYTES);
        length.putInt(0, SocketAddresses.ROOM_BYTES);
        int result = kernel.getsockname(fd, kernel.addressOf(address), kernel.addressOf(length));
        boolean internet =
                result == 0 && SocketAddresses.decode(address, length.getInt(0)) instanceof InetSocketAddress;
        return internet ? ((InetSocketAddress) SocketAddresses.decode(address, length.getInt(0))).getPort() : -1;
    }

    private int backlog(int fd) {
        option(fd, Sockets.IPPROTO_TCP, TCP_INFO);
        return value.getInt(TCPI_SACKED_AT);
    }

    private int option(int fd, int level, int name) {
        length.putInt(0, TCP_INFO_BYTES);
        assertEquals(0, kernel.getsockopt(fd, level, name, kernel.addressOf(value), kernel.addressOf(length)));
        return value.getInt(0);
    }

    private static ByteBuffer direct(int bytes) {
        return ByteBuffer.allocateDirect(bytes).order(ByteOrder.nativeOrder());
    }
}
