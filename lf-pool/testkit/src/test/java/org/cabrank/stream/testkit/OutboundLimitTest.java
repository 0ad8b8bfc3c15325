package org.cabrank.stream.testkit;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.List;
import org.cabrank.stream.Connection;
import org.cabrank.stream.ConnectionHandler;
import org.cabrank.stream.StreamLimits;
import org.cabrank.stream.StreamTimeouts;
import org.cabrank.stream.WriteQueueFullException;
import org.cabrank.stream.transport.DecoratorOutput;
import org.junit.jupiter.api.Test;

/** The limit of outbound bytes of a reactor, step by step, with a peer that takes what the test wants. */
class OutboundLimitTest {
    private static final int KIB = 1 << 10;

    /** A connection may queue 48 KiB while nothing else is queued: a quarter of three quarters. */
    private static final StreamLimits LIMITS =
            StreamLimits.DEFAULT.withQueue(4 * KIB, 500 * KIB, 1 << 20).withOutboundMax(256 * KIB);

    private final List<String> calls = new ArrayList<>();

    private final class Noting implements ConnectionHandler {
        @Override
        public void data(Connection connection, ByteBuffer data) {
            data.position(data.limit());
        }

        @Override
        public void writable(Connection connection) {
            calls.add("writable");
        }
    }

    private EmbeddedConnection open() {
        EmbeddedConnection connection = EmbeddedConnection.open(new Noting(), LIMITS, StreamTimeouts.DEFAULT);
        connection.peerTakes(0);
        return connection;
    }

    private static void write(EmbeddedConnection to, int bytes) {
        to.connection().execute(() -> to.connection().write(ByteBuffer.allocate(bytes)));
        to.awaitIdle();
    }

    @Test
    void aConnectionIsNotWritableUntilThereIsRoomInTheReactor() {
        try (EmbeddedConnection embedded = open()) {
            Connection connection = embedded.connection();
            assertTrue(connection.isWritable());
            write(embedded, 40 * KIB);
            assertFalse(embedded.isClosed());
            assertFalse(connection.isWritable(), "what it has is more than its share of what is left");
            embedded.awaitIdle();
            assertEquals(List.of(), calls);
            WriteQueueFullException refused =
                    assertThrows(WriteQueueFullException.class, () -> connection.write(ByteBuffer.allocate(10)));
            assertTrue(refused.mayRetry());
            assertTrue(refused.getMessage().contains("StreamLimits.outboundMax"), refused::getMessage);
            embedded.peerTakes(EmbeddedConnection.UNLIMITED);
            assertEquals(List.of("writable"), calls);
            assertTrue(connection.isWritable());
        }
    }

    /** Decorators encode between the question for room and the write: the limit must not come between. */
    @Test
    void roomThatWasPromisedIsNotRefused() {
        try (EmbeddedConnection embedded = open()) {
            Connection connection = embedded.connection();
            List<String> outcomes = new ArrayList<>();
            connection.execute(() -> {
                DecoratorOutput.of(connection).requireRoom(47 * KIB);
                connection.write(ByteBuffer.allocate(30 * KIB));
                connection.flush();
                connection.write(ByteBuffer.allocate(17 * KIB));
                connection.flush();
                outcomes.add("written");
                try {
                    connection.write(ByteBuffer.allocate(30 * KIB));
                } catch (WriteQueueFullException full) {
                    outcomes.add("refused");
                }
            });
            embedded.awaitIdle();
            assertEquals(List.of("written", "refused"), outcomes);
        }
    }

    @Test
    void aRefusedWriteIsRefusedForGoodIfItCannotRelyOnRoom() {
        try (EmbeddedConnection embedded = open()) {
            WriteQueueFullException refused = assertThrows(
                    WriteQueueFullException.class, () -> embedded.connection().write(ByteBuffer.allocate(64 * KIB)));
            assertFalse(refused.mayRetry());
        }
    }
}
