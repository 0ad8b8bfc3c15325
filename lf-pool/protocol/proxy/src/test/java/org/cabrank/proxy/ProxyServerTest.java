package org.cabrank.proxy;

import static org.cabrank.proxy.ProxiedConnections.behind;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;
import static org.junit.jupiter.api.Assumptions.abort;

import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.SocketAddress;
import java.net.UnixDomainSocketAddress;
import java.nio.ByteBuffer;
import java.nio.channels.SocketChannel;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Set;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.Future;
import java.util.concurrent.FutureTask;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.TimeUnit;
import org.cabrank.stream.Backend;
import org.cabrank.stream.BackendUnavailableException;
import org.cabrank.stream.Connection;
import org.cabrank.stream.ConnectionHandler;
import org.cabrank.stream.StreamServer;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** A real server over each backend that works here, and real sockets. */
@Timeout(300)
class ProxyServerTest {
    private final BlockingQueue<String> closed = new LinkedBlockingQueue<>();

    /** Sends back each byte behind the address of the client, and notes the end. */
    private ConnectionHandler echo() {
        return new ConnectionHandler() {
            @Override
            public void data(Connection connection, ByteBuffer data) {
                connection.write(StandardCharsets.UTF_8.encode(connection.remoteAddress() + " "), data);
            }

            @Override
            public void closed(Connection connection, Throwable cause) {
                closed.add(connection.remoteAddress() + " " + cause);
            }
        };
    }

    private StreamServer start(String backend, SocketAddress address, ProxyProtocol protocol) throws IOException {
        try {
            return StreamServer.builder()
                    .listen(address)
                    .backend(Backend.named(backend))
                    .threadsPerShard(backend.equals("epoll") ? 3 : 1)
                    .handler(protocol.handlers(this::echo))
                    .start();
        } catch (BackendUnavailableException unavailable) {
            assertEquals("iouring", backend, unavailable.getMessage()); // epoll works everywhere
            return abort(backend + " is unavailable: " + unavailable.getMessage());
        }
    }

    private static SocketAddress loopback() {
        return new InetSocketAddress(InetAddress.getLoopbackAddress(), 0);
    }

    private static String exchange(SocketChannel peer, ByteBuffer bytes) throws IOException {
        while (bytes.hasRemaining()) {
            peer.write(bytes);
        }
        peer.shutdownOutput();
        return readToEnd(peer);
    }

    private static String readToEnd(SocketChannel peer) throws IOException {
        StringBuilder answer = new StringBuilder();
        ByteBuffer buffer = ByteBuffer.allocate(1 << 10);
        while (peer.read(buffer) >= 0) {
            answer.append(StandardCharsets.UTF_8.decode(buffer.flip()));
            buffer.clear();
        }
        return answer.toString();
    }

    @ParameterizedTest
    @ValueSource(strings = {"epoll", "iouring"})
    void clientsBehindAProxyAreServedOverTcp(String backend) throws Exception {
        ProxyProtocol protocol =
                ProxyProtocol.builder().trusted("127.0.0.1", "::1").build();
        try (StreamServer server = start(backend, loopback(), protocol)) {
            for (ProxyHeader header : SampleHeaders.each()) {
                try (SocketChannel peer = SocketChannel.open(server.localAddress())) {
                    SocketAddress client = header.source().orElse(peer.getLocalAddress());
                    assertEquals(client + " request", exchange(peer, behind(header, "request")));
                    assertEquals(client + " null", closed.poll(120, TimeUnit.SECONDS));
                }
            }
            assertEquals(SampleHeaders.each().size(), protocol.counters().served());
        }
    }

    @ParameterizedTest
    @ValueSource(strings = {"epoll", "iouring"})
    void clientsBehindAProxyAreServedOverUnixSockets(String backend, @TempDir Path directory) throws Exception {
        SocketAddress address = UnixDomainSocketAddress.of(directory.resolve("socket"));
        ProxyProtocol protocol =
                ProxyProtocol.builder().trustedUnixSockets(true).build();
        try (StreamServer server = start(backend, address, protocol);
                SocketChannel peer = SocketChannel.open(server.localAddress())) {
            assertEquals(
                    SampleHeaders.CLIENT + " request",
                    exchange(peer, behind(SampleHeaders.withEachField(), "request")));
        }
        ProxyProtocol internetOnly =
                ProxyProtocol.builder().trusted("0.0.0.0/0", "::/0").build();
        SocketAddress other = UnixDomainSocketAddress.of(directory.resolve("other"));
        try (StreamServer server = start(backend, other, internetOnly);
                SocketChannel peer = SocketChannel.open(server.localAddress())) {
            assertEquals("", readToEnd(peer));
            assertEquals(1, internetOnly.counters().untrustedClosed());
        }
    }

    @ParameterizedTest
    @ValueSource(strings = {"epoll", "iouring"})
    void anUntrustedPeerIsClosed(String backend) throws Exception {
        ProxyProtocol protocol = ProxyProtocol.builder().trusted("192.0.2.0/24").build();
        try (StreamServer server = start(backend, loopback(), protocol);
                SocketChannel peer = SocketChannel.open(server.localAddress())) {
            assertEquals("", readToEnd(peer));
            assertEquals(1, protocol.counters().untrustedClosed());
            assertTrue(closed.isEmpty());
        }
    }

    @ParameterizedTest
    @ValueSource(strings = {"epoll", "iouring"})
    void aSilentPeerIsClosedAtTheTimeout(String backend) throws Exception {
        ProxyProtocol protocol = ProxyProtocol.builder()
                .trusted("127.0.0.1")
                .headerTimeout(Duration.ofMillis(50))
                .build();
        try (StreamServer server = start(backend, loopback(), protocol);
                SocketChannel peer = SocketChannel.open(server.localAddress())) {
            peer.write(StandardCharsets.US_ASCII.encode("PROXY "));
            assertEquals("", readToEnd(peer));
            assertEquals(1, protocol.counters().timedOut());
        }
    }

    @ParameterizedTest
    @ValueSource(strings = {"epoll", "iouring"})
    void aDrainDoesNotWaitForHeaders(String backend) throws Exception {
        ProxyProtocol protocol = ProxyProtocol.builder()
                .trusted("127.0.0.1")
                .headerTimeout(Duration.ofHours(1))
                .build();
        try (StreamServer server = start(backend, loopback(), protocol);
                SocketChannel waiting = SocketChannel.open(server.localAddress());
                SocketChannel served = SocketChannel.open(server.localAddress())) {
            ByteBuffer answer = ByteBuffer.allocate(1);
            served.write(behind(ProxyHeader.v2Local(), "x"));
            served.read(answer); // accepted after the other peer, which therefore is accepted as well
            Future<String> end = inBackground(() -> readToEnd(waiting));
            Future<String> servedEnd = inBackground(() -> readToEnd(served));
            Thread closing = new Thread(server::close, "closing");
            closing.start();
            assertEquals("", end.get(120, TimeUnit.SECONDS));
            servedEnd.get(120, TimeUnit.SECONDS);
            waiting.shutdownOutput();
            served.shutdownOutput();
            closing.join(20_000);
            assertEquals(1, protocol.counters().abandoned());
        }
    }

    @ParameterizedTest
    @ValueSource(strings = {"epoll", "iouring"})
    void connectionsAreListedAndClosedByTheAddressOfTheClient(String backend) throws Exception {
        ProxyProtocol protocol = ProxyProtocol.builder().trusted("127.0.0.1").build();
        InetSocketAddress client = new InetSocketAddress("192.0.2.7", 1234);
        InetSocketAddress other = new InetSocketAddress("192.0.2.8", 1234);
        try (StreamServer server = start(backend, loopback(), protocol);
                SocketChannel closed = SocketChannel.open(server.localAddress());
                SocketChannel kept = SocketChannel.open(server.localAddress())) {
            request(closed, client);
            request(kept, other);
            List<SocketAddress> listed = server.reactor().connections().stream()
                    .map(Connection::remoteAddress)
                    .toList();
            assertEquals(Set.of(client, other), Set.copyOf(listed));
            assertEquals(
                    1,
                    server.listener()
                            .closeConnections(
                                    connection -> connection.remoteAddress().equals(client)));
            assertEquals("", readToEnd(closed));
            closed.shutdownOutput();
            kept.write(StandardCharsets.US_ASCII.encode("still"));
            assertEquals(other + " still", read(kept, (other + " still").length()));
        }
    }

    /** Sends a header for {@code client} and a request, and waits for the answer. */
    private static void request(SocketChannel peer, InetSocketAddress client) throws IOException {
        ByteBuffer bytes = behind(ProxyHeader.v2(client, SampleHeaders.LISTENER), "request");
        while (bytes.hasRemaining()) {
            peer.write(bytes);
        }
        String answer = client + " request";
        assertEquals(answer, read(peer, answer.length()));
    }

    private static String read(SocketChannel peer, int count) throws IOException {
        ByteBuffer buffer = ByteBuffer.allocate(count);
        while (buffer.hasRemaining() && peer.read(buffer) >= 0) {
            continue;
        }
        return StandardCharsets.UTF_8.decode(buffer.flip()).toString();
    }

    private static Future<String> inBackground(java.util.concurrent.Callable<String> work) {
        FutureTask<String> task = new FutureTask<>(work);
        Thread thread = new Thread(task, "reading");
        thread.setDaemon(true);
        thread.start();
        return task;
    }
}
