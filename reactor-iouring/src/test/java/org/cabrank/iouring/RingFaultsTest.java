package org.cabrank.iouring;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertInstanceOf;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.IOException;
import java.net.SocketAddress;
import java.nio.ByteBuffer;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.Executor;
import org.cabrank.iouring.config.RingOptions;
import org.cabrank.kernel.Errno;
import org.cabrank.kernel.KernelException;
import org.cabrank.lf.LeaderFollowersPool;
import org.cabrank.lf.Reply;
import org.cabrank.lf.fixture.Await;
import org.cabrank.socket.contract.OpenDescriptors;
import org.cabrank.stream.Connection;
import org.cabrank.stream.ConnectionContinuation;
import org.cabrank.stream.ConnectionHandler;
import org.cabrank.stream.StreamLimits;
import org.cabrank.stream.StreamReactor;
import org.cabrank.stream.contract.TestClient;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** Streams go on, and nothing of theirs is lost or kept, when rings are too small and requests are ended. */
@Timeout(300)
@Tag("newest") // on an older JDK in a soak only
class RingFaultsTest {
    private static final int CLIENTS = 6;
    private static final int EACH_BYTES = 12_000;

    private static void echo(Connection connection, ByteBuffer data) {
        connection.write(data);
    }

    private static byte[] bytesOf(int client) {
        Random random = new Random(client);
        byte[] bytes = new byte[EACH_BYTES];
        for (int i = 0; i < bytes.length; i++) {
            bytes[i] = (byte) ('0' + random.nextInt(10)); // no letter: those are commands
        }
        return bytes;
    }

    /** Every client has back what it has sent, in order, and an orderly end. */
    private static void exchange(SocketAddress address) throws IOException {
        List<TestClient> clients = new ArrayList<>();
        for (int i = 0; i < CLIENTS; i++) {
            clients.add(TestClient.connect(address));
        }
        for (int i = 0; i < CLIENTS; i++) {
            clients.get(i).send(bytesOf(i)).endOutput();
        }
        for (int i = 0; i < CLIENTS; i++) {
            assertArrayEquals(bytesOf(i), clients.get(i).readToEnd(), "client " + i);
            clients.get(i).close();
        }
    }

    @Test
    void ringsThatAreFarTooSmallLoseNothing() throws Exception {
        try (FaultyServer server = FaultyServer.start(FaultyServer.TINY)) {
            exchange(server.listen(RingFaultsTest::echo));
            server.awaitOnlyListeners(1);
            assertTrue(server.set().receivesStarved() > 0, "there were buffers all the time");
            assertTrue(server.rings().submitsOfAFullQueue() > 0, "there was room for submissions all the time");
            assertTrue(server.set().ring().completions().overflowCount() > 0, "no completion was without room");
        }
    }

    @Test
    void shortSendsAreContinued() throws Exception {
        try (FaultyServer server = FaultyServer.start(FaultyServer.SMALL)) {
            server.rings().capSends(97);
            exchange(server.listen(RingFaultsTest::echo));
            server.awaitOnlyListeners(1);
            assertTrue(server.rings().cappedCount() >= CLIENTS * EACH_BYTES / 1_024, "sends were not short");
        }
    }

    @Test
    void cancelledRequestIsRepeated() throws Exception {
        try (FaultyServer server = FaultyServer.start(FaultyServer.SMALL)) {
            server.rings().capSends(500).cancelAllEach(3);
            exchange(server.listen(RingFaultsTest::echo));
            server.awaitOnlyListeners(1);
            assertTrue(server.rings().cancelledCount() > 0, "nothing was cancelled");
        }
    }

    @Test
    void callsThatAreRefusedAreMadeAgain() throws Exception {
        for (int errno : new int[] {Errno.EAGAIN, Errno.EBUSY, Errno.ENOMEM, Errno.ENOBUFS, Errno.EINTR}) {
            try (FaultyServer server = FaultyServer.start(FaultyServer.SMALL)) {
                server.rings().refuseEachEnter(3, errno);
                exchange(server.listen(RingFaultsTest::echo));
                server.awaitOnlyListeners(1);
                assertTrue(server.rings().refusedCount() > 0, "nothing was refused");
            }
        }
    }

    /** The call that follows a refusal is a wait for completions, and not yet the second attempt. */
    @Test
    void streamsGoOnThoughEverySecondSubmissionIsRefused() throws Exception {
        for (int errno : new int[] {Errno.EAGAIN, Errno.EBUSY}) {
            try (FaultyServer server = FaultyServer.start(FaultyServer.SMALL)) {
                server.rings().refuseEachEnter(2, errno);
                exchange(server.listen(RingFaultsTest::echo));
                server.awaitOnlyListeners(1);
                assertTrue(server.rings().refusedCount() > 0, "nothing was refused");
            }
        }
    }

    @Test
    void theReactorEndsThoughTheKernelHasNoRoomForIt() throws Exception {
        int before = OpenDescriptors.count();
        try (FaultyServer server =
                FaultyServer.start(FaultyServer.SMALL, StreamReactor.builder().drainTimeout(Duration.ofMillis(100)))) {
            List<TestClient> clients = new ArrayList<>();
            SocketAddress address = server.listen((connection, data) -> {
                connection.write(data);
                connection.pauseReading();
            });
            for (int i = 0; i < CLIENTS; i++) {
                clients.add(TestClient.connect(address).send("x").expect("x").send("y"));
            }
            server.rings().refuseEachEnter(3, Errno.EAGAIN);
            server.reactor().reactor().close();
            for (TestClient client : clients) {
                client.readAndForget();
                client.close();
            }
        }
        Await.until("all descriptors are given back", () -> OpenDescriptors.count() <= before);
    }

    /** Each of them has received more than the ring has buffers, and none of them takes it. */
    @Test
    void pausedConnectionsHoldUpNoOthers() throws Exception {
        try (FaultyServer server = FaultyServer.start(
                FaultyServer.TINY, StreamReactor.builder().limits(StreamLimits.DEFAULT.withReceiveBuffer(1 << 10)))) {
            ConcurrentLinkedQueue<Connection> paused = new ConcurrentLinkedQueue<>();
            SocketAddress address = server.listen((connection, data) -> {
                if (data.get(data.position()) == 'p') {
                    connection.pauseReading();
                    paused.add(connection);
                }
                connection.write(data);
            });
            List<TestClient> clients = new ArrayList<>();
            for (int i = 0; i < CLIENTS; i++) {
                clients.add(TestClient.connect(address).send("p").expect("p").send("q".repeat(640)));
            }
            exchange(address);
            assertEquals(CLIENTS, paused.size());
            paused.forEach(Connection::resumeReading);
            for (TestClient client : clients) {
                client.expect("q".repeat(640)).endOutput().expectEnd().close();
            }
            server.awaitOnlyListeners(1);
        }
    }

    @Test
    void connectionsThatWaitForOffloadedWorkHoldUpNoOthers() throws Exception {
        try (FaultyServer server = FaultyServer.start(FaultyServer.TINY)) {
            ConcurrentLinkedQueue<Runnable> handedAway = new ConcurrentLinkedQueue<>();
            Executor later = handedAway::add;
            ConnectionHandler handler = (connection, data) -> {
                if (data.get(data.position()) == 'o') {
                    data.position(data.limit());
                    ConnectionContinuation<String> done =
                            (own, result) -> own.write(ByteBuffer.wrap(result.getBytes()));
                    connection.offload(later, () -> "done", done);
                } else {
                    connection.write(data);
                }
            };
            SocketAddress address = server.listen(handler);
            List<TestClient> clients = new ArrayList<>();
            for (int i = 0; i < CLIENTS; i++) {
                clients.add(TestClient.connect(address).send("o"));
            }
            Await.until("work was handed away", () -> handedAway.size() == CLIENTS);
            for (TestClient client : clients) {
                client.send("q".repeat(640));
            }
            exchange(address);
            handedAway.forEach(Runnable::run);
            for (TestClient client : clients) {
                client.expect("done" + "q".repeat(640)).endOutput().expectEnd().close();
            }
            server.awaitOnlyListeners(1);
        }
    }

    private static List<StreamRequests> streams(FaultyServer server) {
        return server.set().table().all().stream()
                .filter(StreamRequests.class::isInstance)
                .map(StreamRequests.class::cast)
                .toList();
    }

    /** With the only buffer in a handler's hands there is nothing to do but wait: no request is made for which there is none. */
    @Test
    void receivesWithoutBuffersWaitForOne() throws Exception {
        RingOptions oneBuffer = RingOptions.DEFAULT.withReceiveBuffers(1, 64);
        try (FaultyServer server = FaultyServer.start(oneBuffer)) {
            CompletableFuture<Reply<String>> inside = new CompletableFuture<>();
            SocketAddress address = server.listen((connection, data) -> {
                byte[] request = {data.get()};
                if (request[0] == 's') { // keeps the only buffer, and the thread takes completions meanwhile
                    Reply<String> reply = connection.newReply();
                    inside.complete(reply);
                    reply.await(Duration.ofMinutes(1));
                }
                connection.write(ByteBuffer.wrap(request));
            });
            try {
                TestClient slow = TestClient.connect(address).send("s");
                inside.get();
                TestClient starved = TestClient.connect(address).send("q");
                TestClient another = TestClient.connect(address).send("q"); // accepted behind the first
                Await.until(
                        "both are without a buffer",
                        () -> streams(server).size() == 3
                                && streams(server).stream()
                                                .filter(each -> !each.isReceiving())
                                                .count()
                                        >= 2
                                && server.buffers().exhaustedCount() >= 2);
                long receives = server.buffers().exhaustedCount(); // that of the handler's connection may be among them
                assertTrue(receives <= 3, () -> receives + " receives were made though there was no buffer");
                inside.get().complete("go on");
                starved.expect("q").close();
                another.expect("q").close();
                slow.expect("s").close();
            } finally {
                inside.thenAccept(reply -> reply.complete("the end"));
            }
            server.awaitOnlyListeners(1);
        }
    }

    @Test
    void connectionsEndWithRequestsUnderWay() throws Exception {
        int before = OpenDescriptors.count();
        try (FaultyServer server = FaultyServer.start(FaultyServer.SMALL)) {
            byte[] much = new byte[3 << 20];
            SocketAddress address = server.listen(new ConnectionHandler() {
                @Override
                public void opened(Connection connection) {
                    connection.write(ByteBuffer.wrap(new byte[] {'.'}));
                }

                @Override
                public void data(Connection connection, ByteBuffer data) throws IOException {
                    byte how = data.get(data.position());
                    data.position(data.limit());
                    if (how > 'Z') {
                        connection.write(ByteBuffer.wrap(much)); // the peer does not read it
                    }
                    switch (Character.toUpperCase((char) how)) {
                        case 'C' -> connection.close();
                        case 'A' -> connection.abort();
                        case 'T' -> throw new IOException("thrown by a handler on purpose");
                        default -> {
                            // the peer ends it
                        }
                    }
                }
            });
            String ways = "CATPcatp";
            for (int i = 0; i < 40; i++) {
                TestClient client = TestClient.connectToReadLittle(address);
                char how = ways.charAt(i % ways.length());
                client.expect(".").send("" + how);
                if (how == 'p') {
                    client.read(1_000);
                }
                client.reset();
            }
            Await.until(
                    "all are closed",
                    () -> server.reactor().reactor().counters().closed() == 40);
            server.awaitOnlyListeners(1);
        }
        Await.until("all descriptors are given back", () -> OpenDescriptors.count() <= before);
    }

    /** A thread that waits in the kernel would wait indefinitely by itself. */
    @Test
    void theReactorCanBeClosedThoughSomebodyElseHasClosedItsRing() throws Exception {
        int before = OpenDescriptors.count();
        FaultyServer server = FaultyServer.start(FaultyServer.SMALL);
        try {
            server.assumeNoticesThatTheRingIsClosed();
            TestClient client = TestClient.connect(server.listen(RingFaultsTest::echo))
                    .send("x")
                    .expect("x");
            server.rings().closeRing();
            server.reactor().close();
            client.readAndForget();
            client.close();
        } finally {
            server.reactor().close();
        }
        Await.until("all descriptors are given back", () -> OpenDescriptors.count() <= before);
    }

    @Test
    void aPoolWhoseRingSomebodyElseHasClosedEndsInWords() throws Exception {
        int before = OpenDescriptors.count();
        FaultyServer server = FaultyServer.start(FaultyServer.SMALL);
        try {
            server.assumeNoticesThatTheRingIsClosed();
            TestClient client = TestClient.connect(server.listen(RingFaultsTest::echo))
                    .send("x")
                    .expect("x");
            server.rings().closeRing();
            LeaderFollowersPool served = LeaderFollowersPool.of(server.set());
            Await.until("the pool has stopped by itself", () -> {
                server.set().wakeup(); // once is not enough: the leader may be about to wait
                return served.isTerminated();
            });
            KernelException failure = assertInstanceOf(KernelException.class, served.failure());
            assertEquals(Errno.EBADF, failure.errno());
            server.reactor().close();
            client.readAndForget();
            client.close();
        } finally {
            server.reactor().close();
        }
        Await.until("all descriptors are given back", () -> OpenDescriptors.count() <= before);
    }
}
