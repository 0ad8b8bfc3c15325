package org.cabrank.proxy;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import java.io.File;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.net.SocketAddress;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Optional;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.TimeUnit;
import org.cabrank.stream.Backend;
import org.cabrank.stream.Connection;
import org.cabrank.stream.ConnectionHandler;
import org.cabrank.stream.StreamServer;
import org.cabrank.tls.Tls;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** The headers of HAProxy, the program that the protocol was made for. */
@Timeout(300)
@Tag("newest") // on an older JDK in a soak only
class HaproxyTest {
    private static final int CONNECTS_MAX = 200;
    private static final int ANSWER_MAX_MS = 120_000;

    @TempDir
    static Path directory;

    private final BlockingQueue<ProxiedConnection> opened = new LinkedBlockingQueue<>();
    private final CountDownLatch checked = new CountDownLatch(1);

    @BeforeAll
    static void requireHaproxy() {
        assumeTrue(haproxy().isPresent(), "haproxy was not found; on Debian: apt-get install haproxy");
    }

    private static Optional<Path> haproxy() {
        String path = System.getenv().getOrDefault("PATH", "") + File.pathSeparator + "/usr/sbin";
        for (String place : path.split(File.pathSeparator)) {
            Path program = Path.of(place, "haproxy");
            if (Files.isExecutable(program)) {
                return Optional.of(program);
            }
        }
        return Optional.empty();
    }

    private ConnectionHandler echo() {
        return new ConnectionHandler() {
            @Override
            public void opened(Connection connection) {
                ProxiedConnection proxied = (ProxiedConnection) connection;
                if (proxied.header().orElseThrow().isLocal()) {
                    checked.countDown();
                } else {
                    opened.add(proxied);
                }
            }

            @Override
            public void data(Connection connection, ByteBuffer data) {
                connection.write(data);
            }
        };
    }

    private static int freePort() throws IOException {
        try (ServerSocket socket = new ServerSocket(0, 1, InetAddress.getLoopbackAddress())) {
            return socket.getLocalPort();
        }
    }

    /** A process of HAProxy in the foreground, between a port of the loopback and a server. */
    private static Process start(int port, int serverPort, String frontend, String server) throws IOException {
        Path configuration =
                Files.writeString(directory.resolve(port + ".cfg"), """
                defaults
                    mode tcp
                    timeout connect 5s
                    timeout client 30s
                    timeout server 30s
                frontend clients
                    bind 127.0.0.1:%d
                    %s
                    default_backend servers
                backend servers
                    server one 127.0.0.1:%d %s
                """.formatted(port, frontend, serverPort, server));
        return new ProcessBuilder(haproxy().orElseThrow().toString(), "-db", "-q", "-f", configuration.toString())
                .redirectErrorStream(true)
                .redirectOutput(directory.resolve(port + ".log").toFile())
                .start();
    }

    private static Socket connect(Process haproxy, int port) throws Exception {
        for (int attempt = 0; attempt < CONNECTS_MAX; attempt++) {
            try {
                Socket socket = new Socket(InetAddress.getLoopbackAddress(), port);
                socket.setSoTimeout(ANSWER_MAX_MS);
                return socket;
            } catch (IOException notYet) {
                boolean ended = haproxy.waitFor(50, TimeUnit.MILLISECONDS);
                assertTrue(!ended, () -> "haproxy has ended: " + log(port));
            }
        }
        throw new IOException("haproxy does not listen: " + log(port));
    }

    private static String log(int port) {
        try {
            return Files.readString(directory.resolve(port + ".log"));
        } catch (IOException unreadable) {
            return unreadable.toString();
        }
    }

    private ProxyHeader headerOf(String frontend, String sending, ProxyProtocol protocol) throws Exception {
        try (StreamServer server = StreamServer.builder()
                .listen("127.0.0.1", 0)
                .backend(Backend.named("epoll"))
                .handler(protocol.handlers(this::echo))
                .start()) {
            int port = freePort();
            Process haproxy = start(port, server.port(), frontend, sending);
            try (Socket client = connect(haproxy, port)) {
                client.getOutputStream().write("request".getBytes(StandardCharsets.US_ASCII));
                assertEquals(
                        "request",
                        new String(client.getInputStream().readNBytes(7), StandardCharsets.US_ASCII),
                        () -> log(port));
                ProxiedConnection proxied = opened.poll(120, TimeUnit.SECONDS);
                SocketAddress own = client.getLocalSocketAddress();
                assertEquals(own, proxied.remoteAddress());
                assertEquals(
                        InetAddress.getLoopbackAddress(), ((InetSocketAddress) proxied.proxyAddress()).getAddress());
                ProxyHeader header = proxied.header().orElseThrow();
                assertEquals(Optional.of(own), header.source());
                assertEquals(Optional.of(client.getRemoteSocketAddress()), header.destination());
                if (sending.contains("check")) {
                    assertTrue(checked.await(120, TimeUnit.SECONDS), "a health check with a LOCAL header");
                }
                return header;
            } finally {
                haproxy.destroy();
                haproxy.waitFor();
            }
        }
    }

    private static ProxyProtocol trusting() {
        return ProxyProtocol.builder().trusted("127.0.0.1").build();
    }

    @Test
    void theHeaderOfVersion1IsRead() throws Exception {
        ProxyProtocol protocol = trusting();
        assertEquals(1, headerOf("", "send-proxy", protocol).version());
        assertEquals(1, protocol.counters().version1());
    }

    @Test
    void theHeaderOfVersion2IsReadWithItsFields() throws Exception {
        ProxyProtocol protocol = trusting();
        ProxyHeader header = headerOf(
                "unique-id-format connection-%cp",
                "send-proxy-v2 proxy-v2-options crc32c,unique-id check check-send-proxy inter 100ms", protocol);
        assertEquals(2, header.version());
        assertTrue(header.hasChecksum());
        InetSocketAddress client = (InetSocketAddress) header.source().orElseThrow();
        assertEquals(
                Optional.of("connection-" + client.getPort()),
                header.uniqueId().map(id -> new String(id, StandardCharsets.US_ASCII)));
        assertEquals(1, protocol.counters().version2());
        assertTrue(protocol.counters().local() > 0, protocol.counters().toString());
        assertEquals(0, protocol.counters().malformed());
    }

    /** HAProxy passes the records of TLS on, and cannot read them: the server ends TLS, and sees the address of the client. */
    @Test
    void tlsBehindTheHeaderIsServed() throws Exception {
        ProxyProtocol protocol = trusting();
        Tls tls = Tls.server(TlsClient.CERTIFICATE.context()).build();
        BlockingQueue<Connection> served = new LinkedBlockingQueue<>();
        ConnectionHandler echo = (connection, data) -> {
            served.add(connection);
            connection.write(data);
        };
        try (StreamServer server = StreamServer.builder()
                .listen("127.0.0.1", 0)
                .backend(Backend.named("epoll"))
                .handler(protocol.handlers(tls.handlers(() -> echo)))
                .start()) {
            int port = freePort();
            Process haproxy = start(port, server.port(), "", "send-proxy-v2");
            try {
                Socket socket = connect(haproxy, port);
                SocketAddress own = socket.getLocalSocketAddress();
                try (TlsClient client = TlsClient.over(socket)) {
                    assertEquals("request", client.send("request").receive(7), () -> log(port));
                    assertEquals(own, served.take().remoteAddress());
                }
            } finally {
                haproxy.destroy();
                haproxy.waitFor();
            }
        }
        assertEquals(1, protocol.counters().version2());
        assertEquals(1, tls.counters().handshakesCompleted());
    }
}
