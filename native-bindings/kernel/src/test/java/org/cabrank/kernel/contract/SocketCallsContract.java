package org.cabrank.kernel.contract;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNotEquals;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import java.net.InetSocketAddress;
import java.net.SocketAddress;
import java.net.UnixDomainSocketAddress;
import java.nio.ByteBuffer;
import java.nio.file.Path;
import java.util.List;
import java.util.function.IntUnaryOperator;
import org.cabrank.kernel.AbstractUnixAddress;
import org.cabrank.kernel.Errno;
import org.cabrank.kernel.SocketAddresses;
import org.cabrank.kernel.Sockets;
import org.cabrank.kernel.layout.Linger;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Sockets: bytes arrive, addresses are right, failures come back as {@code -errno}. */
public abstract class SocketCallsContract extends KernelContract {
    /** Room for the name of an algorithm or an interface (TCP_CA_NAME_MAX, IFNAMSIZ). */
    private static final int NAME_BYTES = 16;

    @Test
    void tcpCarriesBytesBothWays() {
        bytesGoBothWays(listening(loopback()));
    }

    @Test
    void tcpCarriesBytesOverIpv6() {
        int fd = opened(kernel().socket(Sockets.AF_INET6, Sockets.SOCK_STREAM, 0));
        int bound = bind(fd, new InetSocketAddress("::1", 0));
        assumeTrue(bound == 0, () -> "no IPv6 loopback here: " + Errno.describe(-bound));
        good(setOption(fd, Sockets.SOL_SOCKET, Sockets.SO_REUSEADDR, 1));
        good(kernel().listen(fd, 1));
        bytesGoBothWays(fd);
    }

    @Test
    void unixStreamCarriesBytesByPath(@TempDir Path dir) {
        Path path = dir.resolve("socket");
        int listening = listening(UnixDomainSocketAddress.of(path));
        assertEquals(UnixDomainSocketAddress.of(path), nameOf(listening));
        bytesGoBothWays(listening);
    }

    @Test
    void unixStreamCarriesBytesByAbstractName() {
        AbstractUnixAddress name = new AbstractUnixAddress(
                "cabrank-test-" + ProcessHandle.current().pid() + "-" + kernel().name());
        int listening = listening(name);
        assertEquals(name, nameOf(listening));
        bytesGoBothWays(listening);
    }

    private void bytesGoBothWays(int listening) {
        int client = connectedTo(listening);
        int server = opened(kernel().accept4(listening, 0, 0, Sockets.SOCK_CLOEXEC));
        ByteBuffer ping = memory("ping");
        ByteBuffer into = memory(16);

        assertEquals(4, kernel().send(client, address(ping), 4, Sockets.MSG_NOSIGNAL));
        assertEquals(4, kernel().recv(server, address(into), 16, 0));
        assertEquals("ping", text(into, 4));

        assertEquals(2, kernel().write(server, address(ping) + 2, 2));
        assertEquals(2, kernel().read(client, address(into), 16));
        assertEquals("ng", text(into, 2));

        good(kernel().shutdown(client, Sockets.SHUT_WR));
        assertEquals(0, kernel().recv(server, address(into), 16, 0));
        assertErrno(Errno.EPIPE, kernel().send(client, address(ping), 4, Sockets.MSG_NOSIGNAL));
    }

    @Test
    void acceptTellsThePeersAddress() {
        int listening = listening(loopback());
        int client = connectedTo(listening);
        ByteBuffer memory = memory(SocketAddresses.ROOM_BYTES);
        ByteBuffer length = room();

        int server = opened(kernel().accept4(listening, address(memory), address(length), Sockets.SOCK_NONBLOCK));

        assertEquals(nameOf(client), SocketAddresses.decode(memory, length.getInt(0)));
        assertEquals(nameOf(client), peerOf(server));
        assertEquals(nameOf(listening), peerOf(client));
        assertErrno(Errno.EAGAIN, kernel().recv(server, address(memory), 1, 0));
    }

    private SocketAddress peerOf(int fd) {
        ByteBuffer memory = memory(SocketAddresses.ROOM_BYTES);
        ByteBuffer length = room();
        good(kernel().getpeername(fd, address(memory), address(length)));
        return SocketAddresses.decode(memory, length.getInt(0));
    }

    @Test
    void udpDatagramReachesItsTarget() {
        int one = boundUdp();
        int other = boundUdp();
        ByteBuffer target = memory(SocketAddresses.ROOM_BYTES);
        int targetLength = SocketAddresses.encode(nameOf(other), target);
        ByteBuffer into = memory(16);

        assertErrno(Errno.EAGAIN, kernel().recv(other, address(into), 16, Sockets.MSG_DONTWAIT));
        assertEquals(5, kernel().sendto(one, address(memory("hello")), 5, 0, address(target), targetLength));
        assertEquals(5, kernel().recv(other, address(into), 16, 0));

        assertEquals("hello", text(into, 5));
    }

    @Test
    void datagramThatDoesNotFitIsCutOff() {
        int one = boundUdp();
        int other = boundUdp();
        good(connect(one, nameOf(other)));
        ByteBuffer into = memory(2);

        assertEquals(5, kernel().send(one, address(memory("hello")), 5, 0));
        assertEquals(5, kernel().recv(other, address(into), 2, Sockets.MSG_TRUNC));
        assertEquals("he", text(into, 2));
    }

    @Test
    void unixDatagramArrives(@TempDir Path dir) {
        UnixDomainSocketAddress address = UnixDomainSocketAddress.of(dir.resolve("socket"));
        int receiver = opened(kernel().socket(Sockets.AF_UNIX, Sockets.SOCK_DGRAM, 0));
        good(bind(receiver, address));
        int sender = opened(kernel().socket(Sockets.AF_UNIX, Sockets.SOCK_DGRAM, 0));
        assertEquals(UnixDomainSocketAddress.of(""), nameOf(sender));
        ByteBuffer target = memory(SocketAddresses.ROOM_BYTES);
        ByteBuffer into = memory(16);

        assertEquals(
                2,
                kernel().sendto(
                                sender,
                                address(memory("hi")),
                                2,
                                0,
                                address(target),
                                SocketAddresses.encode(address, target)));
        assertEquals(2, kernel().recv(receiver, address(into), 16, 0));
        assertEquals("hi", text(into, 2));
    }

    private int boundUdp() {
        int fd = opened(kernel().socket(Sockets.AF_INET, Sockets.SOCK_DGRAM, 0));
        good(bind(fd, loopback()));
        return fd;
    }

    @Test
    void optionsReadBackAsTheyWereSet() {
        int fd = opened(kernel().socket(Sockets.AF_INET, Sockets.SOCK_STREAM, 0));
        assertEquals(0, option(fd, Sockets.IPPROTO_TCP, Sockets.TCP_NODELAY));
        good(setOption(fd, Sockets.IPPROTO_TCP, Sockets.TCP_NODELAY, 1));
        assertNotEquals(0, option(fd, Sockets.IPPROTO_TCP, Sockets.TCP_NODELAY));
        assertEquals(Sockets.SOCK_STREAM, option(fd, Sockets.SOL_SOCKET, Sockets.SO_TYPE));
        assertEquals(Sockets.AF_INET, option(fd, Sockets.SOL_SOCKET, Sockets.SO_DOMAIN));
        good(setOption(fd, Sockets.SOL_SOCKET, Sockets.SO_SNDBUF, 8_000));
        // socket(7): the kernel doubles what it is asked for, to have room for its own book-keeping.
        assertEquals(16_000, option(fd, Sockets.SOL_SOCKET, Sockets.SO_SNDBUF));
        assertErrno(Errno.ENOPROTOOPT, setOption(fd, Sockets.SOL_SOCKET, 0x7777, 1));
    }

    @Test
    void marksAndTrafficClassesAreReadBack() {
        int fd = opened(kernel().socket(Sockets.AF_INET6, Sockets.SOCK_STREAM, 0));
        good(setOption(fd, Sockets.IPPROTO_IP, Sockets.IP_TOS, 0x10));
        assertEquals(0x10, option(fd, Sockets.IPPROTO_IP, Sockets.IP_TOS));
        good(setOption(fd, Sockets.IPPROTO_IPV6, Sockets.IPV6_TCLASS, 0x20));
        assertEquals(0x20, option(fd, Sockets.IPPROTO_IPV6, Sockets.IPV6_TCLASS));
        assertEquals(0, option(fd, Sockets.SOL_SOCKET, Sockets.SO_MARK));
    }

    @Test
    void namesOfAlgorithmsAndInterfacesAreOptionsToo() {
        int fd = opened(kernel().socket(Sockets.AF_INET, Sockets.SOCK_STREAM, 0));
        ByteBuffer reno = memory("reno");
        good(kernel().setsockopt(fd, Sockets.IPPROTO_TCP, Sockets.TCP_CONGESTION, address(reno), 4));
        ByteBuffer read = memory(NAME_BYTES);
        ByteBuffer length = memory(Integer.BYTES).putInt(0, NAME_BYTES);
        good(kernel().getsockopt(fd, Sockets.IPPROTO_TCP, Sockets.TCP_CONGESTION, address(read), address(length)));
        assertEquals("reno", text(read, 4));
        ByteBuffer none = memory("no-such-device");
        assertErrno(
                Errno.ENODEV,
                kernel().setsockopt(fd, Sockets.SOL_SOCKET, Sockets.SO_BINDTODEVICE, address(none), none.capacity()));
    }

    @Test
    void twoSocketsShareAPortOnlyWhenBothAsk() {
        int first = opened(kernel().socket(Sockets.AF_INET, Sockets.SOCK_STREAM, 0));
        good(setOption(first, Sockets.SOL_SOCKET, Sockets.SO_REUSEPORT, 1));
        good(bind(first, loopback()));
        good(kernel().listen(first, 1));
        int second = opened(kernel().socket(Sockets.AF_INET, Sockets.SOCK_STREAM, 0));
        assertErrno(Errno.EADDRINUSE, bind(second, nameOf(first)));
        good(setOption(second, Sockets.SOL_SOCKET, Sockets.SO_REUSEPORT, 1));
        good(bind(second, nameOf(first)));
    }

    @Test
    void connectionToASocketThatDoesNotListenIsRefused() {
        int bound = opened(kernel().socket(Sockets.AF_INET, Sockets.SOCK_STREAM, 0));
        good(bind(bound, loopback()));
        int fd = opened(kernel().socket(Sockets.AF_INET, Sockets.SOCK_STREAM, 0));
        assertErrno(Errno.ECONNREFUSED, connect(fd, nameOf(bound)));
    }

    @Test
    void resetByThePeerIsReported() {
        int listening = listening(loopback());
        int client = connectedTo(listening);
        int server = opened(kernel().accept4(listening, 0, 0, 0));
        ByteBuffer linger = memory(Linger.SIZE_BYTES);
        linger.putInt(Linger.ONOFF_OFFSET, 1).putInt(Linger.LINGER_OFFSET, 0);
        good(kernel().setsockopt(server, Sockets.SOL_SOCKET, Sockets.SO_LINGER, address(linger), Linger.SIZE_BYTES));
        close(server);
        assertErrno(Errno.ECONNRESET, kernel().recv(client, address(memory(1)), 1, 0));
    }

    @Test
    void nonBlockingAcceptReturnsEagainWithoutAPeer() {
        int listening = listening(loopback());
        int fd = opened(kernel().socket(Sockets.AF_INET, Sockets.SOCK_STREAM | Sockets.SOCK_NONBLOCK, 0));
        good(kernel().listen(fd, 1));
        assertErrno(Errno.EAGAIN, kernel().accept4(fd, 0, 0, 0));
        assertErrno(Errno.EINVAL, kernel().accept4(listening, 0, 0, 0x1));
    }

    @Test
    void sendingWithoutAConnectionIsAnError() {
        int fd = opened(kernel().socket(Sockets.AF_INET, Sockets.SOCK_STREAM, 0));
        ByteBuffer memory = memory(SocketAddresses.ROOM_BYTES);
        assertErrno(Errno.ENOTCONN, kernel().recv(fd, address(memory), 1, 0));
        assertErrno(Errno.EPIPE, kernel().send(fd, address(memory), 1, Sockets.MSG_NOSIGNAL));
        assertErrno(Errno.ENOTCONN, kernel().shutdown(fd, Sockets.SHUT_RDWR));
        assertErrno(Errno.ENOTCONN, kernel().getpeername(fd, address(memory), address(room())));
    }

    @Test
    void unknownKindsOfSocketAreRefused() {
        assertErrno(Errno.EAFNOSUPPORT, kernel().socket(12_345, Sockets.SOCK_STREAM, 0));
        assertErrno(Errno.EINVAL, kernel().socket(Sockets.AF_INET, 15, 0));
        assertErrno(Errno.EPROTONOSUPPORT, kernel().socket(Sockets.AF_INET, Sockets.SOCK_STREAM, Sockets.IPPROTO_UDP));
    }

    @Test
    void addressOutsideTheProcessIsAnErrorAndNoCrash() {
        int one = boundUdp();
        int other = boundUdp();
        good(connect(one, nameOf(other)));
        assertErrno(Errno.EFAULT, kernel().send(one, 1, 8, 0));
        assertEquals(1, kernel().send(one, address(memory("x")), 1, 0));
        assertErrno(Errno.EFAULT, kernel().recv(other, 1, 8, 0));
    }

    @Test
    void otherDescriptorsAreNoSockets() {
        int fd = opened(kernel().eventfd(0, 0));
        assertErrno(Errno.ENOTSOCK, kernel().recv(fd, address(memory(8)), 8, 0));
        assertErrno(Errno.ENOTSOCK, kernel().listen(fd, 1));
    }

    @Test
    void everyCallRefusesADescriptorThatIsNotOpen() {
        long memory = address(memory(SocketAddresses.ROOM_BYTES));
        long length = address(room());
        List<IntUnaryOperator> calls = List.of(
                fd -> kernel().bind(fd, memory, 16),
                fd -> kernel().listen(fd, 1),
                fd -> kernel().accept4(fd, 0, 0, 0),
                fd -> kernel().connect(fd, memory, 16),
                fd -> kernel().read(fd, memory, 1),
                fd -> kernel().write(fd, memory, 1),
                fd -> kernel().recv(fd, memory, 1, 0),
                fd -> kernel().send(fd, memory, 1, 0),
                fd -> kernel().sendto(fd, memory, 1, 0, 0, 0),
                fd -> kernel().sendmmsg(fd, memory, 1, 0),
                fd -> kernel().recvmmsg(fd, memory, 1, 0),
                fd -> kernel().shutdown(fd, Sockets.SHUT_WR),
                fd -> kernel().close(fd),
                fd -> kernel().getsockopt(fd, Sockets.SOL_SOCKET, Sockets.SO_TYPE, memory, length),
                fd -> kernel().setsockopt(fd, Sockets.SOL_SOCKET, Sockets.SO_REUSEADDR, memory, 4),
                fd -> kernel().getsockname(fd, memory, length),
                fd -> kernel().getpeername(fd, memory, length));
        for (IntUnaryOperator call : calls) {
            assertErrno(Errno.EBADF, call.applyAsInt(-1));
        }
    }
}
