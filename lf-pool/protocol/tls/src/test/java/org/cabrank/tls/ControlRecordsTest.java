package org.cabrank.tls;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertNotEquals;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.nio.ByteBuffer;
import java.util.stream.Stream;
import javax.net.ssl.SSLContext;
import org.cabrank.stream.Connection;
import org.cabrank.stream.ConnectionHandler;
import org.cabrank.stream.StreamLimits;
import org.cabrank.stream.StreamTimeouts;
import org.cabrank.stream.WriteQueueFullException;
import org.cabrank.stream.testkit.EmbeddedConnection;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** Messages of TLS itself while the service has queued as much as it may: none is lost. */
@Timeout(300)
class ControlRecordsTest {
    private static final SelfSigned CERTIFICATE = TestTls.certificate("server.test");

    private static final int KIB = 1 << 10;

    /** More than fit into the room that records may need at most, and these need less. */
    private static final int UPDATES = 60;

    /** The limit of the connection, or that of the reactor, is reached first. */
    static Stream<StreamLimits> limits() {
        return Stream.of(
                StreamLimits.DEFAULT.withQueue(KIB, 16 * KIB, 16 * KIB),
                StreamLimits.DEFAULT.withQueue(KIB, 500 * KIB, 1 << 20).withOutboundMax(64 * KIB));
    }

    /** Writes as much as it may, one byte more is refused, and then closes if it was asked to. */
    private static final class Filling implements ConnectionHandler {
        private int written;
        private Throwable cause;

        @Override
        public void data(Connection connection, ByteBuffer data) {
            boolean closes = data.get() == 'c';
            data.position(data.limit());
            for (int piece = KIB; piece > 0; piece = piece == KIB ? 1 : 0) {
                while (isTaken(connection, piece)) {
                    written += piece;
                }
            }
            if (closes) {
                connection.close();
            }
        }

        private static boolean isTaken(Connection connection, int bytes) {
            try {
                connection.write(ByteBuffer.allocate(bytes));
                return true;
            } catch (WriteQueueFullException full) {
                return false;
            }
        }

        @Override
        public void closed(Connection connection, Throwable thrown) {
            cause = thrown;
        }
    }

    private static EmbeddedConnection open(ConnectionHandler handler, StreamLimits limits) throws Exception {
        Tls tls = Tls.server(CERTIFICATE.context()).build();
        return EmbeddedConnection.open(tls.handler(handler), limits, StreamTimeouts.DEFAULT);
    }

    private static SSLContext trusting() throws Exception {
        return SelfSigned.trusting(CERTIFICATE.certificate());
    }

    @ParameterizedTest
    @MethodSource("limits")
    void keyUpdatesAreAnsweredBehindAFullQueue(StreamLimits limits) throws Exception {
        Filling filling = new Filling();
        try (EmbeddedConnection server = open(filling, limits)) {
            EngineClient client = new EngineClient(trusting(), server, "TLSv1.3");
            server.peerTakes(0);
            client.send("fill");
            for (int i = 0; i < UPDATES; i++) { // reading goes on until they have filled the queue up to the watermark
                client.shakeAgain();
            }
            assertNotEquals(0, filling.written);
            assertFalse(server.isClosed(), () -> String.valueOf(server.closeCause()));
            server.peerTakes(EmbeddedConnection.UNLIMITED);
            assertEquals(filling.written, client.receiveBytes().length);
            int before = filling.written;
            client.send("go on"); // with the new keys
            assertEquals(filling.written - before, client.receiveBytes().length);
            assertTrue(filling.written > before);
        }
    }

    @ParameterizedTest
    @MethodSource("limits")
    void aCloseNotifyFollowsAFullQueue(StreamLimits limits) throws Exception {
        Filling filling = new Filling();
        try (EmbeddedConnection server = open(filling, limits)) {
            EngineClient client = new EngineClient(trusting(), server, "TLSv1.3");
            server.peerTakes(0);
            client.send("close");
            assertNotEquals(0, filling.written);
            server.peerTakes(EmbeddedConnection.UNLIMITED);
            assertEquals(filling.written, client.receiveBytes().length);
            assertTrue(client.engine.isInboundDone(), "by a close_notify");
            server.peerEnds();
            assertTrue(server.isClosed());
            assertNull(filling.cause);
        }
    }

    /** The messages of a server are longer than all that the service may queue. */
    @Test
    void theHandshakeDoesNotCountForTheLimitOfTheQueue() throws Exception {
        Filling filling = new Filling();
        try (EmbeddedConnection server = open(filling, StreamLimits.DEFAULT.withQueue(64, 128, 400))) {
            EngineClient client = new EngineClient(trusting(), server, "TLSv1.3");
            client.send("x");
            assertNotEquals(0, filling.written);
            assertEquals(filling.written, client.receiveBytes().length, () -> String.valueOf(server.closeCause()));
        }
    }

    /** A changed session makes the JDK's engine send a new ticket, behind the record that is encrypted next. */
    @Test
    void aTicketThatIsDueAtTheEndOfThePeerEndsNoOutput() throws Exception {
        ConnectionHandler naming = new ConnectionHandler() {
            @Override
            public void data(Connection connection, ByteBuffer data) {
                ((TlsConnection) connection).session().putValue("name", "value");
                connection.write(data);
            }

            @Override
            public void inputClosed(Connection connection, ByteBuffer unread) {
                connection.write(TestTls.utf8("bye"));
                connection.close();
            }
        };
        try (EmbeddedConnection server = open(naming, StreamLimits.DEFAULT)) {
            EngineClient client = new EngineClient(trusting(), server, "TLSv1.3");
            client.send("hello");
            assertEquals("hello", client.receive());
            client.sendCloseNotify();
            assertEquals("bye", client.receive());
            server.peerEnds();
            assertNull(server.closeCause());
        }
    }
}
