package org.cabrank.bench.contender;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.Socket;
import java.net.StandardSocketOptions;
import java.nio.ByteBuffer;
import java.nio.channels.SocketChannel;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicInteger;
import org.cabrank.bench.load.ClientTls;
import org.cabrank.bench.load.LoadGenerator;
import org.cabrank.bench.load.LoadResult;
import org.cabrank.bench.load.LoadSettings;
import org.cabrank.bench.load.LoadTraffic;
import org.cabrank.kernel.Kernels;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.AfterParameterizedClassInvocation;
import org.junit.jupiter.params.BeforeParameterizedClassInvocation;
import org.junit.jupiter.params.ParameterizedClass;
import org.junit.jupiter.params.provider.MethodSource;

/**
 * The contract of all contenders as echo servers, in plain text and over TLS. Each server is started once, and all tests use it.
 * Subclasses say which contenders, with a method {@code servers}.
 */
@ParameterizedClass(name = "{0}, {1}")
@MethodSource("servers")
@Timeout(300)
public abstract class EchoContract {

    private static final long RUN_NS = 50_000_000L;

    /** A busy machine answers nobody for a while. */
    private static final long PATIENCE_NS = 20_000_000_000L;

    /** Number of answers on another connection during which a peer sends nothing because it is stuck. */
    private static final int STUCK_ANSWERS = 200;

    private static final int MEBIBYTE = 1 << 20;

    /** Size that exceeds the socket buffers of both sides, so that sending blocks if the peer does not read. */
    private static final int BLOCK_BYTES = 256 << 10;

    private static RunningServer server;

    private final String name;
    private final Protocol protocol;

    protected EchoContract(String name, Protocol protocol) {
        this.name = name;
        this.protocol = protocol;
    }

    @BeforeParameterizedClassInvocation
    static void start(String name, Protocol protocol) throws Exception {
        server = Servers.start(name, Servers.settings(protocol));
    }

    @AfterParameterizedClassInvocation
    static void end() {
        if (server != null) {
            server.close();
            server = null;
        }
    }

    @Test
    void requestsAreAnswered() throws Exception {
        load(LoadTraffic.pingPong(4, 64), 1_000);
    }

    @Test
    void pipelinedRequestsAreAnsweredInOrder() throws Exception {
        byte[] requests = bytes(500 * 64);
        try (Socket socket = connect()) {
            for (int at = 0; at < requests.length; at += 64) {
                socket.getOutputStream().write(requests, at, 64);
            }
            assertArrayEquals(requests, socket.getInputStream().readNBytes(requests.length));
        }
    }

    @Test
    void randomChunksComeBackByteForByte() throws Exception {
        // More than can be under way, so that some have come back. Fewer over TLS: the quick compiler encrypts slowly.
        boolean few = protocol.overTls() && !Servers.SOAK;
        load(LoadTraffic.randomChunks(few ? 1 : 2), few ? 200 : 1_000);
    }

    @Test
    void connectionsOfOneRequestFollowOneAnother() throws Exception {
        for (int i = 0; i < connections(50, 10); i++) {
            try (Socket socket = connect()) {
                assertAnswered(socket);
            }
        }
    }

    @Test
    void hundredsOfConnectionsAreServed() throws Exception {
        int connections = connections(Servers.SOAK ? 500 : 200, 100);
        load(LoadTraffic.pingPong(connections, 64), 2 * connections);
    }

    @Test
    void aMebibyteComesBackInOnePiece() throws Exception {
        byte[] message = bytes(MEBIBYTE);
        try (Socket socket = connect()) {
            Thread sender = sender(socket, message, false);
            assertArrayEquals(message, socket.getInputStream().readNBytes(message.length));
            sender.join();
        }
    }

    @Test
    void bytesBeforeTheEndOfTheInputAreAnsweredBeforeTheEndOfTheOutput() throws Exception {
        byte[] message = bytes(MEBIBYTE + 1);
        try (Socket socket = connect()) {
            Thread sender = sender(socket, message, !endsBothDirections());
            if (endsBothDirections()) {
                assertArrayEquals(message, socket.getInputStream().readNBytes(message.length));
                socket.shutdownOutput();
                assertEquals(-1, socket.getInputStream().read());
            } else {
                assertArrayEquals(message, socket.getInputStream().readAllBytes());
            }
            sender.join();
        }
    }

    /**
     * Returns true if the server sends nothing more once the peer has ended its output. The engine of tcnative does, after the peer's
     * close_notify.
     */
    protected boolean endsBothDirections() {
        return name.endsWith(Contenders.OPENSSL);
    }

    protected final String name() {
        return name;
    }

    @Test
    void aPeerThatDoesNotReadHoldsUpNobodyElse() throws Exception {
        if (protocol.overTls()) {
            assertPeerThatDoesNotReadHoldsUpNobodyOverTls();
            return;
        }
        try (SocketChannel lazy = SocketChannel.open(server.address());
                Socket other = connect()) {
            lazy.configureBlocking(false);
            List<byte[]> sent = new ArrayList<>();
            int left;
            do {
                ByteBuffer block = ByteBuffer.wrap(bytes(BLOCK_BYTES));
                assertAnswered(other); // and gives the server time to take what was sent
                while (block.hasRemaining() && lazy.write(block) > 0) {
                    // until it is stuck
                }
                left = block.remaining();
                sent.add(Arrays.copyOf(block.array(), block.position()));
            } while (left == 0);
            assertAnswered(other);
            lazy.configureBlocking(true);
            for (byte[] expected : sent) {
                ByteBuffer received = ByteBuffer.allocate(expected.length);
                while (received.hasRemaining()) {
                    assertTrue(lazy.read(received) >= 0, "ended early");
                }
                assertArrayEquals(expected, received.array());
            }
        }
    }

    private void assertPeerThatDoesNotReadHoldsUpNobodyOverTls() throws Exception {
        byte[] block = bytes(BLOCK_BYTES);
        AtomicInteger sent = new AtomicInteger();
        AtomicBoolean enough = new AtomicBoolean();
        try (Socket lazy = connect();
                Socket other = connect()) {
            Thread sender = new Thread(() -> {
                try {
                    while (!enough.get()) {
                        lazy.getOutputStream().write(block);
                        sent.incrementAndGet();
                    }
                } catch (IOException broken) {
                    throw new UncheckedIOException(broken);
                }
            });
            sender.start();
            int before;
            do { // until it is stuck
                before = sent.get();
                for (int i = 0; i < STUCK_ANSWERS; i++) {
                    assertAnswered(other);
                }
            } while (sent.get() > before || before == 0);
            enough.set(true);
            for (int received = 0; received < sent.get() || sender.isAlive(); received++) {
                assertArrayEquals(block, lazy.getInputStream().readNBytes(block.length));
            }
        }
    }

    @Test
    void aConnectionThatIsResetHarmsNobodyElse() throws Exception {
        try (Socket other = connect()) {
            for (int i = 0; i < connections(20, 20); i++) {
                try (Socket rude = connect()) {
                    rude.setOption(StandardSocketOptions.SO_LINGER, 0);
                    rude.getOutputStream().write(bytes(BLOCK_BYTES / 8));
                }
                assertAnswered(other);
            }
        }
    }

    /**
     * Number of connections: {@code plain} or, because a handshake in a JVM that has just started takes many milliseconds, {@code overTls}
     * in a soak and a third of them else.
     */
    private int connections(int plain, int overTls) {
        return !protocol.overTls() ? plain : Servers.SOAK ? overTls : overTls / 3;
    }

    private Socket connect() throws IOException {
        return Servers.connect(server, protocol);
    }

    private static void assertAnswered(Socket socket) throws IOException {
        byte[] request = bytes(64);
        socket.getOutputStream().write(request);
        assertArrayEquals(request, socket.getInputStream().readNBytes(request.length));
    }

    private static Thread sender(Socket socket, byte[] message, boolean ends) {
        Thread sender = new Thread(() -> {
            try {
                socket.getOutputStream().write(message);
                if (ends) {
                    socket.shutdownOutput();
                }
            } catch (IOException broken) {
                throw new UncheckedIOException(broken);
            }
        });
        sender.start();
        return sender;
    }

    private static byte[] bytes(int count) {
        byte[] bytes = new byte[count];
        new Random(count).nextBytes(bytes);
        return bytes;
    }

    /** Until {@code enough} answers, or chunks, have come: a busy machine answers nobody for a while. */
    private void load(LoadTraffic traffic, long enough) throws Exception {
        ClientTls tls = protocol.overTls()
                ? ClientTls.of(
                        Servers.tls().clientContext(),
                        "localhost",
                        server.address().getPort(),
                        true)
                : null;
        LoadSettings settings = new LoadSettings(server.address(), traffic, 1, PATIENCE_NS, tls);
        LoadGenerator generator = LoadGenerator.start(Kernels.system(), settings, () -> {});
        generator.awaitConnected();
        boolean goesOn;
        long before = generator.beginMeasuring();
        do {
            goesOn = generator.run(RUN_NS);
        } while (generator.endMeasuring() - before < enough && goesOn);
        LoadResult result = generator.finish();
        assertEquals(Map.of(), result.errors());
        assertTrue(goesOn);
    }
}
