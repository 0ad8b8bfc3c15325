package org.cabrank.stream.contract;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertInstanceOf;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.IOException;
import java.lang.management.ManagementFactory;
import java.net.SocketAddress;
import java.net.SocketException;
import java.nio.ByteBuffer;
import java.nio.channels.SocketChannel;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Queue;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicInteger;
import javax.management.JMException;
import javax.management.MBeanServer;
import javax.management.ObjectName;
import org.cabrank.lf.fixture.Await;
import org.cabrank.stream.Connection;
import org.cabrank.stream.ConnectionHandler;
import org.cabrank.stream.ListenOptions;
import org.cabrank.stream.Listener;
import org.cabrank.stream.ReactorUse;
import org.cabrank.stream.SocketOption;
import org.cabrank.stream.SocketOptions;
import org.cabrank.stream.StreamCounters;
import org.cabrank.stream.StreamLimits;
import org.cabrank.stream.StreamReactor;
import org.cabrank.stream.StreamTimeouts;
import org.cabrank.stream.WriteQueueFullException;
import org.junit.jupiter.api.Test;

/** Limits that hold for all connections of a reactor, in all its shards together. */
public abstract class LimitsInAllContract extends StreamContract {
    private static final ConnectionHandler ECHO = (connection, data) -> connection.write(data);
    private static final int SHARDS = 2;
    private static final int PIECE = 32 << 10;
    private static final long OUTBOUND_MAX = 2 << 20;

    /** So that the bytes are queued, and not taken by the kernel. */
    private static final ListenOptions SMALL_BUFFERS =
            ListenOptions.DEFAULT.withAcceptedOptions(SocketOptions.NONE.with(SocketOption.SO_SNDBUF, 32 << 10));

    private TestReactor start(StreamLimits limits) throws IOException {
        return start(StreamReactor.builder()
                .shards(SHARDS)
                .drainTimeout(Duration.ofSeconds(2))
                .limits(limits));
    }

    // ---- connections ----

    @Test
    void connectionsLeaveDescriptorsToTheRestOfTheProcess() throws Exception {
        long descriptors = Files.readAllLines(Path.of("/proc/self/limits")).stream()
                .filter(line -> line.startsWith("Max open files"))
                .map(line -> line.split(" +")[3])
                .mapToLong(limit -> limit.equals("unlimited") ? Long.MAX_VALUE : Long.parseLong(limit))
                .findFirst()
                .orElseThrow();
        long left = descriptors > Integer.MAX_VALUE ? 0 : descriptors - Math.min(256, descriptors / 8);
        assertEquals(left, start(StreamLimits.DEFAULT).reactor().use().connectionsMax());
    }

    @Test
    void connectionsOfAllListenersAndConnectsAreLimitedTogether() throws Exception {
        TestReactor reactor = start(StreamLimits.DEFAULT.withConnectionsMax(3));
        Listener first = reactor.listener(ListenOptions.DEFAULT, () -> ECHO);
        Listener second = reactor.listener(ListenOptions.DEFAULT.withConnectionsMax(2), () -> ECHO);
        TestClient leaving = client(first.address()).send("x").expect("x");
        client(second.address()).send("x").expect("x");
        try (PeerServer peer = new PeerServer()) {
            Recorder outgoing = new Recorder();
            reactor.reactor().connect(peer.address(), outgoing).get();
            refused(first.address());
            refused(second.address());
            Await.until("both are counted", () -> reactor.reactor().counters().overLimit() == 2);
            assertEquals(1, first.counters().overLimit());
            assertEquals(1, second.counters().overLimit());
            ExecutionException failed = assertThrows(
                    ExecutionException.class,
                    () -> reactor.reactor()
                            .connect(peer.address(), new Recorder())
                            .get());
            assertInstanceOf(IOException.class, failed.getCause());
            assertTrue(failed.getMessage().contains("raise StreamLimits.connectionsMax"), failed::getMessage);
            assertEquals(3, reactor.reactor().counters().overLimit());
            Await.until("all stand", () -> reactor.reactor().use().connections() == 3);
            assertEquals(3, reactor.reactor().use().connectionsMax());
            leaving.close();
            reactor.awaitClosed(1);
            client(second.address()).send("y").expect("y");
            refused(second.address());
            outgoing.connection().close();
        }
        reactor.awaitClosed(2);
        client(first.address()).send("z").expect("z");
    }

    /** A connect that fails gives its place back. */
    @Test
    void connectThatFailsTakesNoPlace() throws Exception {
        TestReactor reactor = start(StreamLimits.DEFAULT.withConnectionsMax(1));
        SocketAddress nobody;
        try (PeerServer peer = new PeerServer()) {
            nobody = peer.address();
        }
        for (int i = 0; i < 5; i++) {
            ExecutionException failed = assertThrows(
                    ExecutionException.class,
                    () -> reactor.reactor().connect(nobody, new Recorder()).get());
            assertTrue(failed.getMessage().contains("ECONNREFUSED"), failed::getMessage);
        }
        Await.until("all are gone", () -> reactor.handleCount() == 0);
        client(reactor.listen(ECHO)).send("x").expect("x");
        assertEquals(0, reactor.reactor().counters().overLimit());
    }

    /** The reset may come before connect returns. */
    private void refused(SocketAddress address) throws IOException {
        SocketChannel channel = closing(SocketChannel.open());
        try {
            channel.connect(address);
        } catch (SocketException early) {
            assertTrue(early.getMessage().contains("reset"), early::toString);
            return;
        }
        TestClient.of(channel).expectReset();
    }

    // ---- outbound bytes ----

    private static StreamLimits outbound() {
        return StreamLimits.DEFAULT.withQueue(8 << 10, 4 << 20, 8 << 20).withOutboundMax(OUTBOUND_MAX);
    }

    /** Writes whenever it may, until all its bytes are written; each byte tells its place. */
    private static final class Source implements ConnectionHandler {
        private final int bytes;
        private final AtomicInteger refusals = new AtomicInteger();
        private int written;

        Source(int bytes) {
            this.bytes = bytes;
        }

        static byte at(int place) {
            return (byte) (place * 31 + (place >> 8));
        }

        private void pump(Connection connection) {
            while (written < bytes) {
                ByteBuffer piece = ByteBuffer.allocate(Math.min(PIECE, bytes - written));
                for (int i = 0; piece.hasRemaining(); i++) {
                    piece.put(at(written + i));
                }
                try {
                    connection.write(piece.flip());
                    written += piece.limit();
                } catch (WriteQueueFullException full) {
                    assertTrue(full.mayRetry(), full::getMessage);
                    assertEquals(0, piece.position(), "nothing is consumed");
                    assertTrue(full.getMessage().contains("StreamLimits.outboundMax"), full::getMessage);
                    refusals.incrementAndGet();
                    return;
                }
            }
        }

        @Override
        public void opened(Connection connection) {
            pump(connection);
        }

        @Override
        public void writable(Connection connection) {
            pump(connection);
        }

        @Override
        public void data(Connection connection, ByteBuffer data) {
            data.position(data.limit());
        }
    }

    @Test
    void writesBeyondTheOutboundLimitAreRefusedAndGoOnWhenThereIsRoom() throws Exception {
        int peers = 4;
        int bytes = 2 << 20;
        TestReactor reactor = start(outbound());
        Queue<Source> sources = new ConcurrentLinkedQueue<>();
        SocketAddress address = reactor.listener(SMALL_BUFFERS, () -> {
                    Source source = new Source(bytes);
                    sources.add(source);
                    return source;
                })
                .address();
        SocketAddress echo = reactor.listen(ECHO);
        List<TestClient> clients = new ArrayList<>();
        for (int i = 0; i < peers; i++) {
            clients.add(closing(mode().connectToReadLittle(address)));
        }
        Await.until(
                "all are refused",
                () -> sources.size() == peers && sources.stream().allMatch(source -> source.refusals.get() > 0));
        ReactorUse full = reactor.reactor().use();
        long slack = OUTBOUND_MAX / 16 + (long) SHARDS * mode().threads() * 2 * PIECE;
        assertTrue(full.outboundBytes() <= OUTBOUND_MAX + slack, full::toString);
        assertTrue(full.outboundBytes() >= OUTBOUND_MAX / 4, full::toString);
        assertEquals(OUTBOUND_MAX, full.outboundMax());
        assertTrue(full.writesRefused() >= peers, full::toString);
        assertTrue(reactor.queueFullCount() >= peers);
        client(echo).send("others are served").expect("others are served");

        byte[] expected = new byte[bytes];
        for (int i = 0; i < bytes; i++) {
            expected[i] = Source.at(i);
        }
        for (TestClient client : clients) { // one after the other: those behind wait for those that are read
            assertArrayEquals(expected, client.read(bytes));
        }
        Await.until("all memory is free", () -> reactor.reactor().use().outboundBytes() == 0);
    }

    @Test
    void writeThatCannotRelyOnRoomIsRefusedForGood() throws Exception {
        Queue<WriteQueueFullException> refusals = new ConcurrentLinkedQueue<>();
        TestReactor reactor = start(outbound().withQueue(8 << 10, 64 << 10, 8 << 20));
        SocketAddress address = reactor.listen((connection, data) -> {
            try {
                connection.write(ByteBuffer.allocate((int) OUTBOUND_MAX));
            } catch (WriteQueueFullException full) {
                refusals.add(full);
            }
            connection.write(data);
        });
        client(address).send("x").expect("x");
        assertTrue(!refusals.element().mayRetry(), refusals::toString);
        assertTrue(refusals.element().getMessage().contains("write in pieces"), refusals::toString);
    }

    /** Bytes that other threads hand over count, though no connection has queued them yet. */
    @Test
    void writesOfOtherThreadsCount() throws Exception {
        TestReactor reactor = start(outbound());
        AtomicBoolean isWritable = new AtomicBoolean();
        Recorder recorder = new Recorder(new ConnectionHandler() {
            @Override
            public void data(Connection connection, ByteBuffer data) {
                data.position(data.limit());
            }

            @Override
            public void writable(Connection connection) {
                isWritable.set(true);
            }
        });
        TestClient client = closing(mode().connectToReadLittle(reactor.listen(recorder)));
        Connection connection = recorder.connection();
        int written = 0;
        WriteQueueFullException refused = null;
        while (refused == null) {
            try {
                connection.write(ByteBuffer.allocate(PIECE));
                written += PIECE;
                assertTrue(connection.queuedBytes() <= 2 * OUTBOUND_MAX);
            } catch (WriteQueueFullException full) {
                refused = full;
            }
        }
        assertTrue(refused.mayRetry());
        client.read(written);
        Await.until("there is room", isWritable::get);
        assertTrue(connection.isWritable());
        assertEquals(0, reactor.failureCount());
    }

    // ---- unread bytes ----

    @Test
    void unreadBytesOfAllShardsAreLimitedTogether() throws Exception {
        long unreadMax = 512 << 10;
        TestReactor reactor = start(StreamLimits.DEFAULT.withUnreadMax(unreadMax));
        try (Hoarders hoarders = Hoarders.fill(this, reactor, 30_000)) {
            ReactorUse use = reactor.reactor().use();
            assertTrue(use.unreadBytes() <= unreadMax + unreadMax / 16, use::toString);
            assertEquals(unreadMax, use.unreadMax());
            int closed = hoarders.causes().size();
            assertTrue(reactor.reactor().use().unreadRefused() >= closed, use::toString);
            String message = hoarders.causes().element().getMessage();
            assertTrue(message.contains("StreamLimits.unreadMax"), message);
        }
        Await.until("all memory is free", () -> reactor.reactor().use().unreadBytes() == 0);
    }

    // ---- counts ----

    private static final AtomicInteger REACTORS = new AtomicInteger();

    @Test
    void connectionsThatAreClosedAtALimitAreCountedAndShown() throws Exception {
        String name = "limits" + REACTORS.incrementAndGet();
        TestReactor reactor = start(StreamReactor.builder()
                .shards(SHARDS)
                .name(name)
                .jmx(true)
                .limits(StreamLimits.DEFAULT
                        .withUnreadLimit(1 << 10)
                        .withConnectionsMax(100)
                        .withOutboundMax(1 << 20)
                        .withUnreadMax(2 << 20)));
        StreamTimeouts idle = StreamTimeouts.DEFAULT.withIdle(idleTime(30));
        StreamTimeouts closing = StreamTimeouts.DEFAULT.withClose(Duration.ofMillis(30));
        client(reactor.listen(ListenOptions.DEFAULT.withTimeouts(idle), () -> ECHO))
                .readAndForget();
        client(reactor.listen((connection, data) -> connection.deadline(Duration.ofMillis(1))))
                .send("x")
                .readAndForget();
        client(reactor.listen((connection, data) -> {})).send("x".repeat(2_000)).readAndForget();
        client(reactor.listen(
                        ListenOptions.DEFAULT.withTimeouts(closing), () -> (connection, data) -> connection.close()))
                .send("x");
        Await.until("each is counted: " + reactor.reactor().counters(), () -> {
            StreamCounters counters = reactor.reactor().counters();
            return counters.closedIdle() == 1
                    && counters.closedAtDeadline() == 1
                    && counters.closingGivenUp() == 1
                    && counters.closedUnread() == 1;
        });
        assertEquals(0, reactor.reactor().counters().closedForMemory());
        assertEquals(0, reactor.reactor().counters().connectsTimedOut());
        for (String count : List.of("ClosedIdle", "ClosedAtDeadline", "ClosingGivenUp", "ClosedUnread")) {
            assertEquals(1, shown("Shard", name, count), count);
        }
        for (String count : List.of(
                "ClosedForMemory",
                "AcceptRatePauses",
                "OverLimit",
                "MemoryRefusals",
                "ConnectsTimedOut",
                "ReadingPauses",
                "DescriptorsDropped")) {
            assertEquals(0, shown("Shard", name, count), count);
        }
        assertEquals(100, shown("Reactor", name, "ConnectionsLimit"));
        assertEquals(1 << 20, shown("Reactor", name, "OutboundLimitBytes"));
        assertEquals(2 << 20, shown("Reactor", name, "UnreadLimitBytes"));
        for (String count : List.of("OverLimit", "OutboundRefusals", "UnreadRefusals", "OutboundBytes")) {
            assertEquals(0, shown("Reactor", name, count), count);
        }
    }

    /** Returns the sum of an attribute of the beans of one type. */
    private static long shown(String type, String name, String attribute) throws JMException {
        MBeanServer beans = ManagementFactory.getPlatformMBeanServer();
        long sum = 0;
        for (ObjectName bean :
                beans.queryNames(new ObjectName("org.cabrank:type=" + type + ",name=" + name + ",*"), null)) {
            sum += ((Number) beans.getAttribute(bean, attribute)).longValue();
        }
        return sum;
    }
}
