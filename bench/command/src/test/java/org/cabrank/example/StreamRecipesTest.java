package org.cabrank.example;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.Socket;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.concurrent.ExecutorService;
import org.cabrank.kernel.AbstractUnixAddress;
import org.cabrank.lf.OffloadExecutors;
import org.cabrank.stream.ConnectionHandler;
import org.cabrank.stream.DeadlineException;
import org.cabrank.stream.ListenOptions;
import org.cabrank.stream.Listener;
import org.cabrank.stream.ReactorFile;
import org.cabrank.stream.StreamReactor;
import org.cabrank.stream.testkit.EmbeddedConnection;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** The recipes of {@link StreamRecipes} work. */
@Timeout(300)
class StreamRecipesTest {
    private static final ConnectionHandler ECHO = (connection, data) -> connection.write(data);

    private static StreamReactor reactor() throws IOException {
        return StreamReactor.builder().start();
    }

    private static InetSocketAddress loopback() {
        return new InetSocketAddress(InetAddress.getLoopbackAddress(), 0);
    }

    private static Socket connected(Listener listener) throws IOException {
        InetSocketAddress address = (InetSocketAddress) listener.address();
        return new Socket(address.getAddress(), address.getPort());
    }

    @Test
    void optionsHoldForAcceptedConnections() throws Exception {
        try (StreamReactor reactor = reactor()) {
            Listener listener = StreamRecipes.listenWithOptions(reactor, loopback(), () -> ECHO);
            try (Socket client = connected(listener)) {
                client.getOutputStream().write(1);
                assertEquals(1, client.getInputStream().read());
            }
        }
    }

    @Test
    void acceptorRefusesByAddress() throws Exception {
        try (StreamReactor reactor = reactor()) {
            Listener listener = StreamRecipes.listenWithLimits(reactor, loopback(), ECHO);
            assertEquals(100, listener.options().connectionsPerPeerMax());
            try (Socket client = connected(listener)) {
                int read;
                try {
                    read = client.getInputStream().read();
                } catch (IOException reset) {
                    read = -1;
                }
                assertEquals(-1, read);
            }
        }
    }

    @Test
    void attachmentStaysWithItsConnection() {
        try (EmbeddedConnection client = EmbeddedConnection.open(StreamRecipes.countsRequests())) {
            client.peerSends("a");
            client.peerSends("b");
            assertEquals("ab", client.peerReceives());
        }
    }

    @Test
    void heartbeatsGoOutUntilTheyAreCancelled() {
        try (EmbeddedConnection client = EmbeddedConnection.open(StreamRecipes.sendsHeartbeats())) {
            client.peerSends("x");
            client.advance(Duration.ofSeconds(10));
            client.advance(Duration.ofSeconds(10));
            assertEquals(2, client.peerReceives().length());
            client.peerSends("q");
            client.advance(Duration.ofMinutes(1));
            assertEquals("", client.peerReceives());
        }
    }

    @Test
    void clientThatSendsNothingIsClosedAtTheDeadline() {
        try (EmbeddedConnection client = EmbeddedConnection.open(StreamRecipes.sendsHeartbeats())) {
            client.advance(Duration.ofSeconds(6));
            assertTrue(client.isClosed());
            assertEquals(DeadlineException.class, client.closeCause().getClass());
        }
    }

    @Test
    void piecesWaitForThePeerAndTheConnectionIsClosedBehindTheLast() {
        try (EmbeddedConnection client = EmbeddedConnection.open(StreamRecipes.streamsPieces(40))) {
            client.peerReceivesBytes();
            assertTrue(client.isOutputEnded());
        }
    }

    @Test
    void fileIsSentBehindItsHeader(@TempDir Path directory) throws Exception {
        Path content = Files.writeString(directory.resolve("content"), "content");
        try (StreamReactor reactor = reactor();
                ReactorFile file = reactor.openFile(content)) {
            Listener listener = reactor.listen(loopback(), ListenOptions.DEFAULT, () -> (connection, data) -> {
                ByteBuffer header =
                        ByteBuffer.allocate(data.remaining()).put(data).flip();
                StreamRecipes.sendFile(connection, header, file, Files.size(content));
            });
            try (Socket client = connected(listener)) {
                client.getOutputStream().write('h');
                assertEquals("hcontent", new String(client.getInputStream().readAllBytes(), StandardCharsets.US_ASCII));
            }
        }
    }

    @Test
    void lastWordsOfADrain() {
        try (EmbeddedConnection client = EmbeddedConnection.open(StreamRecipes.saysGoodbye())) {
            client.drain();
            assertEquals("bye", client.peerReceives());
            assertTrue(client.isOutputEnded());
        }
    }

    @Test
    void blockingTaskEchoes() throws Exception {
        ExecutorService threads = OffloadExecutors.virtualThreadsElse("session", 4, 16);
        try (StreamReactor reactor = reactor();
                Socket client =
                        connected(reactor.listen(loopback(), ListenOptions.DEFAULT, StreamRecipes.blocking(threads)))) {
            client.getOutputStream().write("hello".getBytes(StandardCharsets.US_ASCII));
            assertEquals("hello", new String(client.getInputStream().readNBytes(5), StandardCharsets.US_ASCII));
        } finally {
            threads.shutdown();
        }
    }

    @Test
    void durationsAreRecorded() throws Exception {
        try (StreamReactor reactor = reactor();
                EmbeddedConnection client = EmbeddedConnection.open(StreamRecipes.measured(reactor))) {
            client.peerSends("a");
            assertEquals(1, reactor.histogram("query").read().events());
        }
    }

    @Test
    void listenerOfAnAbstractNameIsMade() throws Exception {
        try (StreamReactor reactor = reactor()) {
            Listener listener = StreamRecipes.passDescriptor(reactor, 0, 0);
            assertEquals(new AbstractUnixAddress("handover"), listener.address());
            assertFalse(listener.isPaused());
        }
    }
}
