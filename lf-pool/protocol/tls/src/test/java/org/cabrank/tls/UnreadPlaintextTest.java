package org.cabrank.tls;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertInstanceOf;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import java.util.List;
import java.util.Random;
import java.util.concurrent.CopyOnWriteArrayList;
import org.cabrank.stream.Connection;
import org.cabrank.stream.ConnectionHandler;
import org.cabrank.stream.ShardCounters;
import org.cabrank.stream.ShardMemoryException;
import org.cabrank.stream.StreamLimits;
import org.cabrank.stream.StreamTimeouts;
import org.cabrank.stream.testkit.EmbeddedConnection;
import org.cabrank.stream.transport.StreamConnection;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Plaintext that a handler leaves unread: unchanged, in memory of the shard, and overwritten when it was read. */
class UnreadPlaintextTest {
    private static final int RECORD_BYTES = 17 << 10;
    private static final long MEMORY_BYTES = 256 << 10;

    private static final byte[] SECRET = "a secret".getBytes(StandardCharsets.UTF_8);

    private static final ConnectionHandler IDLE = (connection, data) -> {};

    private static EmbeddedConnection open() {
        return open(MEMORY_BYTES);
    }

    /** Opens a connection whose shard has so much memory, and whose handler is never called. */
    private static EmbeddedConnection open(long memoryBytes) {
        StreamLimits limits = StreamLimits.DEFAULT.withShardMemory(memoryBytes);
        return EmbeddedConnection.open(IDLE, limits, StreamTimeouts.DEFAULT);
    }

    private static ShardCounters counters(EmbeddedConnection connection) {
        return ((StreamConnection) connection.connection()).context().counters();
    }

    private static void decrypt(UnreadPlaintext unread, ByteBuffer ofThread, byte[] record) throws Exception {
        ByteBuffer room = unread.room(ofThread, RECORD_BYTES);
        assertTrue(room.remaining() >= RECORD_BYTES, "room for a record");
        room.put(record);
        unread.putInFront(room);
        room.flip();
    }

    /** Returns the buffer that a handler is given next, after {@link #decrypt}. */
    private static ByteBuffer inHand(UnreadPlaintext unread, ByteBuffer ofThread) {
        return unread.isEmpty() ? ofThread : unread.bytes();
    }

    /** The limit is one of the service, and a record is incomplete until its last byte has come. */
    @ParameterizedTest
    @ValueSource(strings = {"TLSv1.2", "TLSv1.3"})
    void recordMayBeLongerThanUnreadBytes(String version) throws Exception {
        StreamLimits limits = StreamLimits.DEFAULT.withUnreadLimit(1 << 10);
        byte[] sent = new byte[2 * RECORD_BYTES];
        new Random(1).nextBytes(sent);
        try (EmbeddedConnection server = EmbeddedConnection.open(
                TestTls.server().build().handler(TestTls.ECHO), limits, StreamTimeouts.DEFAULT)) {
            EngineClient client = new EngineClient(SelfSigned.trusting(TestTls.SERVER.certificate()), server, version);
            client.gather();
            client.send(sent);
            client.sendGathered(1_000);
            assertArrayEquals(sent, client.receiveBytes(), () -> String.valueOf(server.closeCause()));
        }
    }

    @ParameterizedTest
    @ValueSource(longs = {1, 2, 3, 4})
    void bytesStayInOrderHoweverManyAreRead(long seed) throws Exception {
        Random random = new Random(seed);
        ByteBuffer ofThread = ByteBuffer.allocateDirect(TlsBuffers.PLAIN_BYTES);
        try (EmbeddedConnection connection = open(16 * MEMORY_BYTES)) {
            UnreadPlaintext unread = new UnreadPlaintext(connection.connection());
            byte next = 0;
            byte read = 0;
            int left = 0;
            for (int round = 0; round < 5_000; round++) {
                byte[] record = new byte[1 + random.nextInt(random.nextBoolean() ? 40 : 16 << 10)];
                for (int i = 0; i < record.length; i++) {
                    record[i] = next++;
                }
                decrypt(unread, ofThread, record);
                ByteBuffer data = inHand(unread, ofThread);
                left += record.length;
                assertEquals(left, data.remaining());
                int count = left > 20 << 10 || random.nextInt(3) == 0 ? left - random.nextInt(Math.min(left, 600)) : 0;
                for (int i = 0; i < count; i++) {
                    assertEquals(read++, data.get());
                }
                left -= count;
                unread.keepRest(data, RECORD_BYTES);
                assertEquals(left, unread.isEmpty() ? 0 : unread.bytes().position());
                assertOverwritten(unread);
            }
            unread.drop();
            assertEquals(0, counters(connection).memoryUsedBytes());
        }
    }

    /** Behind the bytes that are left, the chunk has nothing of those that were read. */
    private static void assertOverwritten(UnreadPlaintext unread) {
        if (!unread.isEmpty()) {
            ByteBuffer behind = unread.bytes().duplicate();
            behind.limit(behind.capacity());
            byte[] bytes = new byte[behind.remaining()];
            behind.get(bytes);
            assertArrayEquals(new byte[bytes.length], bytes);
        }
    }

    @Test
    void theBeginningOfAMessageHoldsLittleMemory() throws Exception {
        ByteBuffer ofThread = ByteBuffer.allocateDirect(TlsBuffers.PLAIN_BYTES);
        try (EmbeddedConnection connection = open()) {
            UnreadPlaintext unread = new UnreadPlaintext(connection.connection());
            unread.keepRest(ByteBuffer.allocate(10), RECORD_BYTES);
            assertEquals(512, counters(connection).memoryUsedBytes());
            decrypt(unread, ofThread, new byte[10]);
            assertEquals(0, counters(connection).memoryUsedBytes(), "the bytes stand in the buffer of the thread");
            unread.keepRest(ofThread, RECORD_BYTES);
            assertEquals(512, counters(connection).memoryUsedBytes());
            unread.drop();
        }
    }

    @Test
    void droppedBytesAreOverwritten() throws Exception {
        try (EmbeddedConnection connection = open()) {
            UnreadPlaintext unread = new UnreadPlaintext(connection.connection());
            unread.keepRest(ByteBuffer.wrap(SECRET), RECORD_BYTES);
            ByteBuffer stolen = unread.bytes().duplicate().flip();
            unread.drop();
            byte[] seen = new byte[8];
            stolen.get(seen);
            assertArrayEquals(new byte[8], seen);
        }
    }

    /** A callback that waits keeps its buffer: no other connection may be given the memory. */
    @Test
    void memoryThatIsLeftToACallbackServesNobodyElse() throws Exception {
        try (EmbeddedConnection connection = open()) {
            UnreadPlaintext unread = new UnreadPlaintext(connection.connection());
            unread.keepRest(ByteBuffer.wrap(SECRET), RECORD_BYTES);
            ByteBuffer inHand = unread.bytes().duplicate().flip();
            unread.leaveToCallback();
            assertTrue(unread.isEmpty());
            assertEquals(0, counters(connection).memoryUsedBytes());
            for (int i = 0; i < 1_000; i++) {
                UnreadPlaintext other = new UnreadPlaintext(connection.connection());
                byte[] bytes = new byte[8];
                Arrays.fill(bytes, (byte) 'x');
                other.keepRest(ByteBuffer.wrap(bytes), RECORD_BYTES);
                if (i % 2 == 0) {
                    other.drop();
                } else {
                    other.leaveToCallback();
                }
            }
            byte[] seen = new byte[8];
            inHand.get(seen);
            assertArrayEquals(SECRET, seen);
        }
    }

    @Test
    void aConnectionThatNeedsMoreThanItsShareIsRefused() throws Exception {
        try (EmbeddedConnection connection = open()) {
            UnreadPlaintext unread = new UnreadPlaintext(connection.connection());
            ByteBuffer half = ByteBuffer.allocate((int) (MEMORY_BYTES / 2));
            ShardMemoryException refused =
                    assertThrows(ShardMemoryException.class, () -> unread.keepRest(half, RECORD_BYTES));
            assertTrue(refused.getMessage().contains("StreamLimits.shardMemory"), refused::getMessage);
            assertTrue(unread.isEmpty());
            assertEquals(2, counters(connection).memoryRefusals(), "with room for a record, and without");
        }
    }

    /** A connection without memory for its plaintext is closed with that reason, and the shard has its memory back. */
    @Test
    void aConnectionWhoseUnreadPlaintextFindsNoMemoryIsClosedAndCounted() throws Exception {
        PlainRecorder ofClient = new PlainRecorder();
        SelfSigned certificate = TestTls.certificate("server.test");
        Tls server = Tls.server(certificate.context()).build();
        Tls client = Tls.client(SelfSigned.trusting(certificate.certificate()), "server.test", 443)
                .build();
        StreamLimits limits = StreamLimits.DEFAULT.withShardMemory(64 << 10);
        List<Throwable> causes = new CopyOnWriteArrayList<>();
        ConnectionHandler neverReading = new ConnectionHandler() {
            @Override
            public void data(Connection connection, ByteBuffer data) {}

            @Override
            public void closed(Connection connection, Throwable cause) {
                causes.add(cause);
            }
        };
        try (EmbeddedConnection atServer =
                        EmbeddedConnection.open(server.handler(neverReading), limits, StreamTimeouts.DEFAULT);
                EmbeddedConnection atClient = EmbeddedConnection.open(client.handler(ofClient))) {
            exchange(atClient, atServer);
            long before = counters(atServer).memoryRefusals();
            for (int i = 0; i < 64 && !atServer.isClosed(); i++) {
                ofClient.connection.write(ByteBuffer.allocate(1 << 10));
                exchange(atClient, atServer);
                assertTrue(
                        atServer.isClosed() || counters(atServer).memoryUsedBytes() > 0,
                        "the memory is that of the shard");
            }
            assertInstanceOf(ShardMemoryException.class, causes.get(0));
            assertTrue(counters(atServer).memoryRefusals() > before);
            assertEquals(0, counters(atServer).memoryUsedBytes());
            assertTrue(atServer.isReset());
        }
    }

    private static void exchange(EmbeddedConnection client, EmbeddedConnection server) {
        boolean carried = true;
        while (carried) {
            ByteBuffer toServer = client.peerReceivesBytes();
            ByteBuffer toClient = server.peerReceivesBytes();
            carried = toServer.hasRemaining() || toClient.hasRemaining();
            if (toServer.hasRemaining()) {
                server.peerSends(toServer);
            }
            if (toClient.hasRemaining()) {
                client.peerSends(toClient);
            }
        }
    }
}
