package org.cabrank.socket.contract;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertInstanceOf;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import java.util.Set;
import java.util.TreeSet;
import java.util.concurrent.BrokenBarrierException;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.CyclicBarrier;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicReference;
import org.cabrank.kernel.Errno;
import org.cabrank.kernel.KernelException;
import org.cabrank.lf.LeaderFollowersPool;
import org.cabrank.lf.fixture.Await;
import org.cabrank.socket.Datagram;
import org.cabrank.socket.DatagramCounters;
import org.cabrank.socket.DatagramHandler;
import org.cabrank.socket.OutgoingBatch;
import org.cabrank.socket.UdpSocket;
import org.cabrank.socket.contract.FaultyKernel.Plan;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** UDP, handled by as many threads at once as there are. */
public abstract class DatagramContract extends DescriptorContract {
    private final List<DatagramClient> clients = new ArrayList<>();

    /** Keeps what fails on purpose out of the build's output. */
    private LogCapture log;

    @BeforeEach
    void captureTheLog() {
        log = new LogCapture(set.getClass());
    }

    @AfterEach
    void closeClients() {
        clients.forEach(DatagramClient::close);
        if (log != null) { // null: the test is skipped
            log.close();
        }
    }

    private UdpSocket serve(DatagramHandler handler) throws IOException {
        UdpSocket socket = UdpSocket.bind(set, LOOPBACK, handler);
        serve();
        return socket;
    }

    private DatagramClient client(UdpSocket of) throws IOException {
        DatagramClient client = new DatagramClient(of.localAddress());
        clients.add(client);
        return client;
    }

    /** An answer can arrive before the thread that has sent it has counted it. */
    private static void awaitCounters(UdpSocket socket, DatagramCounters expected) {
        Await.until(expected + " are counted", () -> socket.counters().equals(expected));
    }

    private static final InetSocketAddress LOOPBACK = new InetSocketAddress(InetAddress.getLoopbackAddress(), 0);
    private static final DatagramHandler ECHO = (socket, datagram) -> datagram.reply(datagram.data());

    @Test
    void manyThreadsThatSendShareAFewBuffers() throws Exception {
        int senders = 200;
        UdpSocket socket = serve((own, datagram) -> {});
        CyclicBarrier together = new CyclicBarrier(senders);
        CountDownLatch done = new CountDownLatch(senders);
        CountDownLatch over = new CountDownLatch(1);
        AtomicInteger sent = new AtomicInteger();
        long before = DirectMemory.bytes();
        List<Thread> threads = new ArrayList<>();
        for (int i = 0; i < senders; i++) {
            Thread thread = new Thread(() -> {
                try {
                    together.await();
                    if (socket.send(socket.localAddress(), ByteBuffer.wrap(new byte[10]))) {
                        sent.incrementAndGet();
                    }
                    done.countDown();
                    over.await(); // keeps the thread and its buffer alive
                } catch (InterruptedException | BrokenBarrierException unexpected) {
                    throw new IllegalStateException(unexpected);
                }
            });
            thread.start();
            threads.add(thread);
        }
        assertTrue(done.await(120, TimeUnit.SECONDS));
        long growth = DirectMemory.bytes() - before;
        over.countDown();
        for (Thread thread : threads) {
            thread.join();
        }
        assertEquals(senders, sent.get() + socket.counters().unsent());
        assertTrue(growth < 64L * UdpSocket.BYTES_MAX, () -> senders + " threads use " + growth + " bytes");
    }

    @Test
    void everyDatagramOfManyClientsIsAnsweredOnceWithItsBytes() throws Exception {
        int perClient = 200;
        UdpSocket socket = serve(ECHO);
        List<Thread> threads = new ArrayList<>();
        AtomicReference<Throwable> failure = new AtomicReference<>();
        for (int i = 0; i < 4; i++) {
            DatagramClient client = client(socket);
            Random random = new Random(i);
            Thread thread = new Thread(() -> {
                try {
                    for (int sent = 0; sent < perClient; sent += 4) {
                        Set<String> window = new TreeSet<>(); // few enough for the buffers
                        for (int j = 0; j < 4; j++) {
                            String text = client.address() + "/" + (sent + j) + "/" + random.nextLong();
                            window.add(text);
                            client.send(text);
                        }
                        Set<String> answers = new TreeSet<>();
                        for (int j = 0; j < 4; j++) {
                            answers.add(client.receive());
                        }
                        assertEquals(window, answers);
                    }
                } catch (Throwable thrown) {
                    failure.compareAndSet(null, thrown);
                }
            });
            threads.add(thread);
            thread.start();
        }
        for (Thread thread : threads) {
            thread.join();
        }
        assertEquals(null, failure.get());
        awaitCounters(socket, new DatagramCounters(4L * perClient, 4L * perClient, 0, 0, 0, 0, 0));
    }

    /** No thread gets past the barrier alone. */
    @Test
    void twoThreadsOfThePoolAreInsideTheHandlerAtTheSameMoment() throws Exception {
        assumeTrue(mode.threads() > 1, "one thread is never two");
        CyclicBarrier bothInside = new CyclicBarrier(2);
        Set<String> inside = ConcurrentHashMap.newKeySet();
        UdpSocket socket = serve((own, datagram) -> {
            bothInside.await(Await.PATIENCE_NS, TimeUnit.NANOSECONDS);
            inside.add(Thread.currentThread().getName());
            datagram.reply(datagram.data());
        });
        assertTrue(socket.handle().isConcurrent());
        DatagramClient one = client(socket);
        DatagramClient other = client(socket);
        for (int i = 0; i < 20; i++) {
            one.send("one " + i);
            other.send("other " + i);
            assertEquals("one " + i, one.receive());
            assertEquals("other " + i, other.receive());
        }
        assertTrue(inside.size() >= 2, inside::toString);
        assertEquals(0, socket.counters().failed());
    }

    /** Datagrams that are in the socket's buffer before the first read cause one edge. */
    @Test
    void datagramsThatWaitTogetherAreHandledTogether() throws Exception {
        assumeTrue(mode.threads() > 1, "one thread is never two");
        CyclicBarrier allInside = new CyclicBarrier(3);
        UdpSocket socket = UdpSocket.bind(set, LOOPBACK, (own, datagram) -> {
            allInside.await(Await.PATIENCE_NS, TimeUnit.NANOSECONDS);
            datagram.reply(datagram.data());
        });
        DatagramClient client = client(socket);
        Set<String> expected = Set.of("a", "b", "c");
        for (String text : expected) {
            client.send(text);
        }
        serve();
        assertEquals(expected, Set.of(client.receive(), client.receive(), client.receive()));
    }

    @Test
    void closeWhileAThreadIsInsideComesWhenItHasLeft() throws Exception {
        CountDownLatch inside = new CountDownLatch(1);
        CountDownLatch release = new CountDownLatch(1);
        AtomicInteger closedWith = new AtomicInteger(-1);
        AtomicInteger running = new AtomicInteger();
        UdpSocket socket = serve(new DatagramHandler() {
            @Override
            public void datagram(UdpSocket own, Datagram datagram) throws Exception {
                running.incrementAndGet();
                inside.countDown();
                release.await();
                datagram.reply(datagram.data());
                running.decrementAndGet();
            }

            @Override
            public void closed(UdpSocket own, Throwable cause) {
                closedWith.set(running.get());
            }
        });
        DatagramClient client = client(socket);
        client.send("last");
        inside.await();
        socket.close();
        socket.close();
        assertEquals(-1, closedWith.get());
        release.countDown();
        assertEquals("last", client.receive(), "the descriptor is still its own");
        Await.until("the socket is closed", () -> closedWith.get() == 0);
        assertFalse(socket.send(client.address(), ByteBuffer.allocate(1)), "closed");
        assertEquals(new DatagramCounters(1, 1, 1, 0, 0, 0, 0), socket.counters());
    }

    @Test
    void handlerThatThrowsLosesItsDatagramOnly() throws Exception {
        UdpSocket socket = serve((own, datagram) -> {
            if (datagram.data().remaining() == 1) {
                throw new IOException("one byte is too few");
            }
            datagram.reply(datagram.data());
        });
        DatagramClient client = client(socket);
        client.send("x");
        client.send("long enough");
        assertEquals("long enough", client.receive());
        awaitCounters(socket, new DatagramCounters(2, 1, 0, 0, 1, 0, 0));
        Await.until(
                "the failure is logged, by the thread that goes on after counting it",
                () -> set.failures().count() == 1);
    }

    /** The handler sends the next datagram itself, so that the datagram waits when the handler returns. */
    @Test
    void interruptThatAHandlerLeavesIsNotSeenByTheNextDatagram() throws Exception {
        List<Boolean> seen = new CopyOnWriteArrayList<>();
        UdpSocket socket = serve((own, datagram) -> {
            seen.add(Thread.currentThread().isInterrupted());
            if (seen.size() < 3) {
                own.send(own.localAddress(), ByteBuffer.wrap(new byte[1]));
            }
            Thread.currentThread().interrupt();
        });
        assertTrue(socket.send(socket.localAddress(), ByteBuffer.wrap(new byte[1])));
        Await.until("three datagrams have come", () -> seen.size() == 3);
        assertEquals(List.of(false, false, false), seen);
    }

    /** A thread that died of one datagram's error would take the socket with it. */
    @Test
    void handlerThatOverflowsOrHasNoMemoryLosesItsDatagramOnly() throws Exception {
        UdpSocket socket = serve((own, datagram) -> {
            switch (datagram.data().remaining()) {
                case 1 -> overflow();
                case 2 -> throw new OutOfMemoryError("thrown by a handler on purpose");
                default -> datagram.reply(datagram.data());
            }
        });
        DatagramClient client = client(socket);
        for (int i = 0; i < 3; i++) {
            client.send("x");
            client.send("xx");
            client.send("long enough");
            assertEquals("long enough", client.receive());
        }
        awaitCounters(socket, new DatagramCounters(9, 3, 0, 0, 6, 0, 0));
        assertNull(LeaderFollowersPool.of(set).failure());
    }

    private static int overflow() {
        return overflow() + 1;
    }

    @Test
    void largestAndSmallestDatagramsGoThrough() throws Exception {
        UdpSocket socket = serve((own, datagram) -> {
            assertEquals(datagram.sender().getPort(), clients.get(0).address().getPort());
            ByteBuffer copy = ByteBuffer.allocate(datagram.data().remaining());
            datagram.reply(copy.put(datagram.data()).flip());
            assertEquals(0, copy.remaining(), "consumed");
        });
        DatagramClient client = client(socket);
        byte[] largest = new byte[65_507];
        new Random(1).nextBytes(largest);
        client.send(largest);
        assertArrayEquals(largest, client.receiveBytes());
        client.send(new byte[0]);
        assertEquals(0, client.receiveBytes().length);
        awaitCounters(socket, new DatagramCounters(2, 2, 0, 0, 0, 0, 0));
    }

    @Test
    void anyThreadSends() throws Exception {
        UdpSocket socket = serve(ECHO);
        DatagramClient client = client(socket);
        assertTrue(socket.send(client.address(), ByteBuffer.wrap("hello".getBytes())));
        assertEquals("hello", client.receive());
        ByteBuffer tooMuch = ByteBuffer.allocate(UdpSocket.BYTES_MAX + 1);
        assertThrows(IllegalArgumentException.class, () -> socket.send(client.address(), tooMuch));
        assertThrows(
                IllegalArgumentException.class,
                () -> socket.send(InetSocketAddress.createUnresolved("nowhere", 1), ByteBuffer.allocate(1)));
    }

    private static boolean isRefused(Datagram datagram) {
        try {
            datagram.data();
            return false;
        } catch (IllegalStateException idle) {
            return true;
        }
    }

    @Test
    void datagramIsValidDuringTheCallOnly() throws Exception {
        AtomicReference<Datagram> kept = new AtomicReference<>();
        UdpSocket socket = serve((own, datagram) -> {
            kept.set(datagram);
            datagram.reply(datagram.data());
            own.close();
        });
        DatagramClient client = client(socket);
        client.send("x");
        client.receive();
        Await.until("the call has returned", () -> isRefused(kept.get()));
        assertThrows(IllegalStateException.class, () -> kept.get().reply(ByteBuffer.allocate(1)));
        OutgoingBatch batch = socket.newBatch(1, 1);
        assertThrows(IllegalStateException.class, () -> batch.reply(kept.get(), ByteBuffer.allocate(1)));
    }

    @ParameterizedTest
    @ValueSource(ints = {Errno.EAGAIN, Errno.ENOBUFS, Errno.EPERM, Errno.ENETUNREACH, Errno.EMSGSIZE})
    void answerThatTheKernelDoesNotTakeIsLostAndCounted(int errno) throws Exception {
        boolean[] taken = new boolean[1];
        UdpSocket socket = serve((own, datagram) -> {
            boolean first = datagram.data().get(0) == '1';
            boolean sent = datagram.reply(datagram.data());
            taken[0] |= first && sent;
        });
        kernel.plan(
                "sendto", // EMSGSIZE may be of an earlier datagram, so that the datagram is sent twice
                errno == Errno.EMSGSIZE ? Plan.first(-Errno.EINTR, -errno, -errno) : Plan.first(-Errno.EINTR, -errno));
        DatagramClient client = client(socket);
        client.send("1");
        Await.until("the first was lost", () -> socket.counters().unsent() == 1);
        client.send("2");
        assertEquals("2", client.receive());
        assertFalse(taken[0]);
        boolean lackOfRoom = errno == Errno.EAGAIN || errno == Errno.ENOBUFS;
        if (lackOfRoom) {
            assertEquals(0, set.failures().count());
        } else {
            Await.until(
                    "it is said: somebody may have to see to it",
                    () -> set.failures().count() == 1);
        }
    }

    @Test
    void addressInUseIsRefusedAndNothingIsLeft() throws Exception {
        UdpSocket socket = serve(ECHO);
        IOException refused = assertThrows(IOException.class, () -> UdpSocket.bind(set, socket.localAddress(), ECHO));
        assertEquals(
                Errno.EADDRINUSE,
                assertInstanceOf(KernelException.class, refused.getCause()).errno());
        assertEquals(1, set.handleCount());
    }

    @ParameterizedTest
    @ValueSource(strings = {"bind", "getsockname"})
    void socketThatFindsNoMemoryLeavesNothing(String call) {
        int before = OpenDescriptors.count();
        kernel.plan(call, nth -> {
            throw new OutOfMemoryError("on purpose");
        });
        assertThrows(OutOfMemoryError.class, () -> UdpSocket.bind(set, LOOPBACK, ECHO));
        assertEquals(before, OpenDescriptors.count());
    }
}
