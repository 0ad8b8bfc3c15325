package org.cabrank.socket.contract;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertInstanceOf;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertSame;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Queue;
import java.util.Random;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeoutException;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicLong;
import java.util.stream.Stream;
import org.cabrank.lf.LeaderFollowersPool;
import org.cabrank.lf.PoolConfig;
import org.cabrank.lf.Promotion;
import org.cabrank.lf.PromotionOrder;
import org.cabrank.lf.bound.BoundCounters;
import org.cabrank.lf.bound.BoundLimits;
import org.cabrank.lf.bound.BoundThreadPool;
import org.cabrank.lf.bound.ExpectedReply;
import org.cabrank.lf.fixture.Await;
import org.cabrank.lf.fixture.NumberedText;
import org.cabrank.lf.fixture.TestThread;
import org.cabrank.lf.handle.Deactivation;
import org.cabrank.socket.BoundSocketChannel;
import org.cabrank.socket.DescriptorSet;
import org.cabrank.stream.contract.Modes;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.Parameter;
import org.junit.jupiter.params.ParameterizedClass;
import org.junit.jupiter.params.provider.MethodSource;

/** Many threads share one real connection, and each gets the replies to its own requests. */
@Timeout(300)
@ParameterizedClass(name = "{0}")
@MethodSource("modes")
@Tag("newest") // on an older JDK in a soak only
public abstract class BoundConnectionContract {
    private static final int THREADS = 8;
    private static final int CALLS = 200;
    private static final Duration LONG = Duration.ofNanos(Await.PATIENCE_NS);

    /** A way to make the client's set and pool. */
    public record Mode(SetKind kind, PoolConfig config, Deactivation deactivation) {
        DescriptorSet open() throws IOException {
            return kind.open(TestKernel.any(), deactivation);
        }

        @Override
        public String toString() {
            return kind.name() + " " + config.threads() + " " + config.promotion() + " " + config.order() + " "
                    + deactivation;
        }
    }

    @Parameter
    Mode mode;

    private ReplyingPeer peer;
    private RpcClient client;
    private int descriptors;

    /** The threads that wait for a reply take turns in the set, so it is to be one for several. */
    protected static Stream<Mode> modesOf(SetKind kind) {
        PoolConfig config = PoolConfig.of("rpc", THREADS);
        PoolConfig deferred = config.withPromotion(Promotion.deferred(Duration.ofSeconds(1)));
        Stream<Mode> differing = Stream.of(
                new Mode(kind, config.withPromotion(Promotion.deferred(Duration.ofNanos(10_000))), Deactivation.CLAIM),
                new Mode(kind, PoolConfig.fair("rpc", THREADS), Deactivation.ONESHOT),
                // Fewer than the threads that wait: the rest wait for a place.
                new Mode(kind, PoolConfig.of("rpc", 3), Deactivation.CLAIM));
        Stream<Mode> others = Stream.of(
                new Mode(kind, deferred, Deactivation.CLAIM),
                new Mode(kind, deferred.withOrder(PromotionOrder.fifo()), Deactivation.ONESHOT),
                new Mode(kind, config.withPromotion(Promotion.eager()), Deactivation.CLAIM),
                new Mode(kind, PoolConfig.of("rpc", 1), Deactivation.CLAIM));
        return Modes.sets(Modes.isSoak() ? Stream.concat(differing, others) : differing);
    }

    @BeforeEach
    void connect() throws IOException {
        peer = new ReplyingPeer();
        descriptors = OpenDescriptors.count();
        client = new RpcClient(mode.open(), peer.address(), mode.config());
    }

    @AfterEach
    void nothingIsLeft() throws Exception {
        client.close();
        assertEquals(0, client.counters().expected());
        assertEquals(0, client.pool().threads().size());
        peer.close();
        Await.until("the client's descriptors are closed", () -> OpenDescriptors.count() < descriptors);
    }

    private void inThreads(Queue<Throwable> failures, ThreadBody body) throws InterruptedException {
        List<Thread> threads = new ArrayList<>();
        for (int i = 0; i < THREADS; i++) {
            int number = i;
            Thread thread = new Thread(() -> {
                try {
                    body.run(number);
                } catch (Throwable failure) {
                    failures.add(failure);
                }
            });
            threads.add(thread);
            thread.start();
        }
        for (Thread thread : threads) {
            thread.join();
        }
    }

    private interface ThreadBody {
        void run(int number) throws Exception;
    }

    @Test
    void everyThreadGetsItsOwnReplies() throws Exception {
        Queue<Throwable> failures = new ConcurrentLinkedQueue<>();
        inThreads(failures, number -> {
            Random random = new Random(number);
            for (int i = 0; i < CALLS; i++) {
                String reply = client.call(random.nextInt(200) + " 1 0", LONG);
                assertTrue(reply.startsWith("reply to "), reply);
            }
        });
        assertEquals(List.of(), List.copyOf(failures));
        assertEquals(new BoundCounters(0, THREADS * (long) CALLS, 0, 0, 0, 0, 0), client.counters());
    }

    /** Random delays, time-outs, duplicates and replies to nobody, and a ledger of them. */
    @Test
    void everyReplyIsAccountedFor() throws Exception {
        long seed = Long.getLong("cabrank.stress.seed", System.nanoTime());
        long seconds = Long.getLong("cabrank.soak.seconds", Long.getLong("cabrank.stress.seconds", 1));
        long endNs = System.nanoTime() + Duration.ofSeconds(seconds).toNanos() / 7 + 1;
        Queue<Throwable> failures = new ConcurrentLinkedQueue<>();
        AtomicLong calls = new AtomicLong();
        AtomicInteger timeouts = new AtomicInteger();
        inThreads(failures, number -> {
            Random random = new Random(seed + number);
            // A machine that is busy with other things may answer nothing in so short a time: then it goes on.
            while (System.nanoTime() - endNs < 0
                    || client.counters().answered() <= 2 && System.nanoTime() - endNs < Await.PATIENCE_NS) {
                calls.incrementAndGet();
                int delayUs = random.nextInt(10) < 7 ? 0 : random.nextInt(3_000);
                int replies = random.nextInt(20) == 0 ? 0 : random.nextInt(20) == 0 ? 2 : 1;
                int strangers = random.nextInt(20) == 0 ? 1 : 0;
                Duration timeout = Duration.ofNanos(random.nextInt(4_000_000));
                try {
                    client.call(delayUs + " " + replies + " " + strangers, timeout);
                } catch (TimeoutException late) {
                    timeouts.incrementAndGet();
                }
            }
        });
        assertEquals(List.of(), List.copyOf(failures), "-Dcabrank.stress.seed=" + seed);
        // This reply comes after all that have been sent, so what has been sent has been read.
        client.call("0 1 0", LONG);
        Await.until("the peer has answered everything", peer::isQuiet);
        client.call("0 1 0", LONG);
        assertNull(peer.failure());
        BoundCounters counted = client.counters();
        String seen = counted + " -Dcabrank.stress.seed=" + seed;
        assertEquals(0, counted.expected(), seen);
        assertEquals(0, counted.failed(), seen);
        assertEquals(timeouts.get(), counted.givenUp(), seen);
        assertEquals(calls.get() + 2, counted.answered() + counted.givenUp(), seen);
        assertEquals(peer.sent(), counted.answered() + counted.late() + counted.duplicate() + counted.unknown(), seen);
        assertTrue(counted.answered() > 2, seen);
    }

    @Test
    void brokenConnectionFailsEveryWaiter() throws Exception {
        Queue<Throwable> failures = new ConcurrentLinkedQueue<>();
        TestThread hangsUp = TestThread.start("hangs up", () -> {
            Await.until("all have asked", () -> peer.received() == THREADS);
            peer.hangUp();
        });
        inThreads(failures, number -> client.call("0 0 0", LONG));
        hangsUp.join();
        assertEquals(THREADS, failures.size());
        for (Throwable failure : failures) {
            assertInstanceOf(ExecutionException.class, failure);
            assertInstanceOf(IOException.class, failure.getCause());
        }
        IOException later = assertThrows(IOException.class, () -> client.call("0 1 0", LONG));
        assertSame(failures.peek().getCause(), later.getCause());
    }

    private interface Conversation {
        void run(BoundThreadPool<Integer, String> bound, Socket server) throws Exception;
    }

    /** With a peer that does what the test says while no thread waits for replies. */
    private void converse(Conversation conversation) throws Exception {
        try (ServerSocket listener = new ServerSocket(0, 1, InetAddress.getLoopbackAddress());
                DescriptorSet set = mode.open();
                LeaderFollowersPool pool = new LeaderFollowersPool(set, mode.config());
                BoundThreadPool<Integer, String> bound = BoundThreadPool.open(
                        pool,
                        BoundSocketChannel.connect(set, listener.getLocalSocketAddress(), LONG),
                        new NumberedText(),
                        BoundLimits.DEFAULT);
                Socket server = listener.accept()) {
            conversation.run(bound, server);
        }
    }

    private static void reply(Socket server, int number) throws IOException {
        server.getOutputStream().write(NumberedText.message(number, "reply").array());
    }

    @Test
    void repliesBehindUrgentDataAreDelivered() throws Exception {
        converse((bound, server) -> {
            ExpectedReply<Integer, String> first = bound.expectingResponse(1);
            ExpectedReply<Integer, String> second = bound.expectingResponse(2);
            reply(server, 1);
            server.sendUrgentData('!');
            reply(server, 2);
            assertEquals("reply", first.await(LONG));
            assertEquals("reply", second.await(LONG));
        });
    }

    @Test
    void repliesThatHaveComeAreDeliveredThoughASendHasFailedSince() throws Exception {
        converse((bound, server) -> {
            ExpectedReply<Integer, String> first = bound.expectingResponse(1);
            ExpectedReply<Integer, String> second = bound.expectingResponse(2);
            ExpectedReply<Integer, String> third = bound.expectingResponse(3);
            reply(server, 1);
            reply(server, 2);
            server.close();
            Await.until("a send fails", () -> {
                try {
                    bound.send(NumberedText.message(3, "?"));
                    return false;
                } catch (IOException broken) {
                    return true;
                }
            });
            assertEquals("reply", first.await(LONG));
            assertEquals("reply", second.await(LONG));
            ExecutionException failed = assertThrows(ExecutionException.class, () -> third.await(LONG));
            assertSame(bound.broken(), failed.getCause());
        });
    }

    @Test
    void refusedConnectFailsAtOnce() throws IOException {
        try (Socket nobody = new Socket()) {
            // Bound without listening, so that no other process can use the port.
            nobody.bind(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0));
            IOException refused = assertThrows(
                    IOException.class,
                    () -> new RpcClient(mode.open(), nobody.getLocalSocketAddress(), mode.config()).close());
            assertTrue(refused.getMessage().contains("ECONNREFUSED"), refused.getMessage());
        }
    }

    /** The descriptor must not outlive the refusal: the peer sees its end. */
    private void refused(Class<? extends Exception> reason, boolean isSetClosed) throws Exception {
        DescriptorSet set = mode.open();
        LeaderFollowersPool pool = new LeaderFollowersPool(set, mode.config());
        try (ServerSocket listener = new ServerSocket(0, 1, InetAddress.getLoopbackAddress())) {
            BoundSocketChannel channel = BoundSocketChannel.connect(set, listener.getLocalSocketAddress(), LONG);
            if (isSetClosed) {
                pool.close();
                set.close();
            }
            LeaderFollowersPool asked = isSetClosed ? pool : client.pool();
            assertThrows(reason, () -> BoundThreadPool.open(asked, channel, new NumberedText(), BoundLimits.DEFAULT));
            try (Socket server = listener.accept()) {
                server.setSoTimeout((int) LONG.toMillis());
                assertEquals(-1, server.getInputStream().read());
            }
        } finally {
            pool.close();
            set.close();
        }
    }

    @Test
    void connectionThatAClosedSetRefusesIsClosed() throws Exception {
        refused(IllegalStateException.class, true);
    }

    @Test
    void connectionOfAnotherPoolsSetIsClosed() throws Exception {
        refused(IllegalArgumentException.class, false);
    }
}
