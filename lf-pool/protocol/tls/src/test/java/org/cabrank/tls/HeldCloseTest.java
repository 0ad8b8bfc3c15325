package org.cabrank.tls;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertInstanceOf;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import org.cabrank.stream.Connection;
import org.cabrank.stream.ConnectionHandler;
import org.cabrank.stream.ReactorFile;
import org.cabrank.stream.StreamLimits;
import org.cabrank.stream.StreamTimeouts;
import org.cabrank.stream.testkit.EmbeddedConnection;
import org.cabrank.stream.transport.StreamConnection;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** A close behind a file, whose plaintext waits for the socket: the time limits are those of every close. */
@Timeout(300)
class HeldCloseTest {
    private static final int FILE_BYTES = 2 << 20;
    private static final int FILE_OF_TWO_TURNS_BYTES = 100 << 10;
    private static final int STEP_BYTES = 16 << 10;
    private static final Duration STEP = Duration.ofSeconds(2);

    private static final StreamTimeouts TIMEOUTS = StreamTimeouts.DEFAULT.withCloseTotal(StreamTimeouts.NEVER);

    @TempDir
    Path directory;

    private ReactorFile file;
    private EmbeddedConnection server;
    private EngineClient client;

    @BeforeEach
    void open() throws Exception {
        file = EmbeddedConnection.openFile(Files.write(directory.resolve("file"), new byte[FILE_BYTES]));
        ConnectionHandler closing = new ConnectionHandler() {
            @Override
            public void data(Connection connection, ByteBuffer data) throws IOException {
                data.position(data.limit());
                connection.pauseReading();
                connection.sendFile(file, 0, FILE_BYTES);
                connection.close();
            }
        };
        server = EmbeddedConnection.open(TestTls.server().build().handler(closing), StreamLimits.DEFAULT, TIMEOUTS);
        client = new EngineClient(SelfSigned.trusting(TestTls.SERVER.certificate()), server, "TLSv1.3");
        server.peerTakes(0);
        client.send("x");
    }

    @AfterEach
    void end() throws Exception {
        server.close();
        file.close();
    }

    @Test
    void peerThatReadsSteadilyGetsAllOfTheFile() throws Exception {
        int received = 0;
        for (int step = 0; step < 2 * FILE_BYTES / STEP_BYTES && !server.isOutputEnded(); step++) {
            server.peerTakes(STEP_BYTES);
            server.advance(STEP);
            received += client.receiveBytes().length;
        }
        received += client.receiveBytes().length;
        assertEquals(FILE_BYTES, received, () -> String.valueOf(server.closeCause()));
        assertTrue(client.engine.isInboundDone(), "by a close_notify");
        server.peerEnds();
        assertTrue(server.isClosed());
        assertNull(server.closeCause());
    }

    @Test
    void peerThatStandsStillIsResetAfterTheTimeOfAClose() {
        server.advance(TIMEOUTS.close().dividedBy(2));
        assertFalse(server.isClosed());
        server.advance(TIMEOUTS.close());
        server.advance(TIMEOUTS.close());
        assertTrue(server.isClosed());
        assertInstanceOf(IOException.class, server.closeCause());
    }

    /** A peer that writes before it reads must get rid of its bytes, as without TLS, to take the file. */
    @Test
    void inputIsDroppedThoughReadingWasPaused() {
        assertTrue(((StreamConnection) server.connection()).wantsInput());
    }

    /** The task was handed over in the callback before that in which the file ends, so the close below waits for the task. */
    @Test
    void connectionBehindWhoseFileATaskStandsEndsAsSoonAsThePeerDoes() throws Exception {
        ConnectionHandler handler = new ConnectionHandler() {
            @Override
            public void data(Connection connection, ByteBuffer data) throws IOException {
                data.position(data.limit());
                connection.write(TestTls.utf8("head"));
                connection.whenWritten((same, failed) -> same.execute(() -> {}));
                connection.sendFile(file, 0, FILE_OF_TWO_TURNS_BYTES);
                connection.close();
            }
        };
        try (EmbeddedConnection closing =
                EmbeddedConnection.open(TestTls.server().build().handler(handler))) {
            EngineClient reader =
                    new EngineClient(SelfSigned.trusting(TestTls.SERVER.certificate()), closing, "TLSv1.3");
            closing.peerTakes(0);
            reader.send("x");
            closing.peerTakes(EmbeddedConnection.UNLIMITED);
            assertEquals("head".length() + FILE_OF_TWO_TURNS_BYTES, reader.receiveBytes().length);
            assertTrue(closing.isOutputEnded());
            closing.peerEnds();
            assertTrue(closing.isClosed());
            assertNull(closing.closeCause());
        }
    }
}
