package org.cabrank.iouring;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.IOException;
import java.net.DatagramPacket;
import java.net.DatagramSocket;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.nio.ByteBuffer;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.stream.Stream;
import org.cabrank.lf.LeaderFollowersPool;
import org.cabrank.lf.Reply;
import org.cabrank.lf.fixture.Await;
import org.cabrank.lf.handle.Deactivation;
import org.cabrank.socket.DatagramDetail;
import org.cabrank.socket.DatagramHandler;
import org.cabrank.socket.DatagramOptions;
import org.cabrank.socket.UdpSocket;
import org.cabrank.socket.contract.DescriptorContract;
import org.cabrank.socket.contract.SetMode;
import org.junit.jupiter.api.Test;

/** Datagrams that a ring receives into one buffer, two and many. Each buffer comes back once: {@code BufferRing} refuses a second time. */
class DatagramReceiveTest extends DescriptorContract {
    private static final InetSocketAddress LOOPBACK = new InetSocketAddress(InetAddress.getLoopbackAddress(), 0);
    private static final DatagramHandler NONE = (socket, datagram) -> {};
    private static final int BYTES_MAX = 100;
    private static final DatagramOptions ORDERED =
            DatagramOptions.DEFAULT.withOrdered(true).withBatch(3).withBytesMax(BYTES_MAX);

    private final List<Integer> lengths = new CopyOnWriteArrayList<>();
    /** The reply that {@link #awaitFirstReply} waits for. */
    private final CompletableFuture<Reply<String>> inside = new CompletableFuture<>();

    static Stream<SetMode> modes() {
        return Stream.of(1, 2, 64)
                .flatMap(buffers -> SetMode.ofAnyKernel(new RingKind.WithBuffers(buffers)))
                .filter(each -> each.deactivation() == Deactivation.CLAIM);
    }

    private UdpSocket bind(DatagramOptions options) throws IOException {
        return UdpSocket.bind(
                set,
                LOOPBACK,
                options,
                (own, datagram) -> lengths.add(datagram.data().remaining()));
    }

    private static void send(UdpSocket from, UdpSocket to, int... lengths) {
        for (int length : lengths) {
            assertTrue(from.send(to.localAddress(), ByteBuffer.allocate(length)));
        }
    }

    private void awaitLengths(Integer... expected) {
        Await.until("all have come", () -> lengths.size() >= expected.length);
        assertEquals(List.of(expected), lengths);
    }

    /** Stops the pool, and checks that the kernel has all buffers again. */
    private void assertBuffersAreBack(LeaderFollowersPool pool) {
        pool.close();
        DatagramBuffers buffers = ((RingHandleSet) set).datagrams().of(BYTES_MAX);
        assertEquals(buffers.count(), buffers.free());
    }

    @Test
    void datagramsComeInOrderThroughFewBuffers() throws Exception {
        int count = 90;
        UdpSocket socket = bind(ORDERED);
        UdpSocket sender = UdpSocket.bind(set, LOOPBACK, ORDERED, NONE);
        List<Integer> expected = new ArrayList<>();
        for (int i = 0; i < count; i++) {
            send(sender, socket, i % BYTES_MAX);
            expected.add(i % BYTES_MAX);
        }
        LeaderFollowersPool pool = serve();
        awaitLengths(expected.toArray(Integer[]::new));
        send(sender, socket, 7, 8);
        Await.until("the next come", () -> lengths.size() == count + 2);
        assertEquals(count + 2, socket.counters().received());
        assertEquals(0, kernel.calls("recvmmsg"), "the ring receives");
        assertBuffersAreBack(pool);
    }

    @Test
    void datagramsWithoutBytesAndTruncatedOnesEndNothing() throws Exception {
        List<String> seen = new CopyOnWriteArrayList<>();
        UdpSocket socket = UdpSocket.bind(
                set,
                LOOPBACK,
                ORDERED,
                (own, datagram) -> seen.add(
                        datagram.data().remaining() + " of " + datagram.sentBytes() + " " + datagram.isTruncated()));
        UdpSocket sender = UdpSocket.bind(set, LOOPBACK, ORDERED, NONE);
        send(sender, socket, 0, 1, 0, 0, BYTES_MAX, BYTES_MAX + 1, 9_000, 2);
        LeaderFollowersPool pool = serve();
        Await.until("all have come", () -> seen.size() == 8);
        assertEquals(
                List.of(
                        "0 of 0 false",
                        "1 of 1 false",
                        "0 of 0 false",
                        "0 of 0 false",
                        "100 of 100 false",
                        "100 of 101 true",
                        "100 of 9000 true",
                        "2 of 2 false"),
                seen);
        assertEquals(2, socket.counters().truncated());
        assertBuffersAreBack(pool);
    }

    @Test
    void detailsAndSendersAreThoseOfEachDatagram() throws Exception {
        List<String> seen = new CopyOnWriteArrayList<>();
        UdpSocket socket = UdpSocket.bind(
                set,
                new InetSocketAddress("127.0.0.1", 0),
                ORDERED.withDetails(DatagramDetail.DESTINATION, DatagramDetail.TRAFFIC_CLASS),
                (own, datagram) -> seen.add(datagram.sender().getPort()
                        + " " + datagram.destination().getHostAddress()
                        + " " + (datagram.dscp() == 0)
                        + " " + datagram.reply(datagram.data())));
        serve();
        for (int i = 0; i < 3; i++) {
            UdpSocket sender = bind(ORDERED);
            send(sender, socket, i);
            int count = i + 1;
            Await.until("it has come, and the answer", () -> seen.size() == count && lengths.size() == count);
            assertEquals(sender.localAddress().getPort() + " 127.0.0.1 true true", seen.get(i));
        }
        assertEquals(List.of(0, 1, 2), lengths);
    }

    /** The kernel returns the error of an earlier datagram to the receive, which ends. */
    @Test
    void peerThatIsGoneIsCountedAndTheSocketReceivesOn() throws Exception {
        InetSocketAddress closed;
        try (DatagramSocket peer = new DatagramSocket(LOOPBACK)) {
            closed = new InetSocketAddress(peer.getLocalAddress(), peer.getLocalPort());
        }
        UdpSocket socket = bind(ORDERED.withPeer(closed));
        LeaderFollowersPool pool = serve();
        assertTrue(socket.send(ByteBuffer.allocate(1)));
        Await.until("the error is counted", () -> socket.counters().reported() == 1);
        try (DatagramSocket peer = new DatagramSocket(closed)) {
            peer.send(new DatagramPacket(new byte[3], 3, socket.localAddress()));
            awaitLengths(3);
        }
        assertEquals(0, set.failures().count());
        assertBuffersAreBack(pool);
    }

    @Test
    void socketThatIsClosedWhileItReceivesGivesItsBuffersBack() throws Exception {
        CountDownLatch inside = new CountDownLatch(1);
        CountDownLatch release = new CountDownLatch(1);
        UdpSocket socket = UdpSocket.bind(set, LOOPBACK, ORDERED, (own, datagram) -> {
            inside.countDown();
            release.await();
        });
        UdpSocket next = bind(ORDERED);
        UdpSocket sender = UdpSocket.bind(set, LOOPBACK, ORDERED, NONE);
        send(sender, socket, 1, 2, 3, 4, 5, 6, 7, 8, 9);
        LeaderFollowersPool pool = serve();
        inside.await();
        socket.close();
        release.countDown();
        Await.until("it is closed", () -> socket.handle().isClosed());
        send(sender, next, 5, 6, 7);
        awaitLengths(5, 6, 7);
        assertBuffersAreBack(pool);
    }

    /** The handler that waits keeps a buffer, and datagrams of its socket wait behind it. */
    @Test
    void slowHandlerLeavesBuffersToOtherSockets() throws Exception {
        int buffers = ((RingKind.WithBuffers) mode.kind()).buffers();
        if (buffers == 1) {
            return; // it is in the handler's hands
        }
        AtomicInteger slow = new AtomicInteger();
        UdpSocket socket = UdpSocket.bind(set, LOOPBACK, ORDERED.withBatch(1), (own, datagram) -> {
            awaitFirstReply();
            slow.incrementAndGet();
        });
        UdpSocket quick = bind(ORDERED);
        UdpSocket sender = UdpSocket.bind(set, LOOPBACK, ORDERED, NONE);
        LeaderFollowersPool pool = serve();
        send(sender, quick, 1);
        awaitLengths(1);
        send(sender, socket, 1);
        Reply<String> reply = inside.get();
        send(sender, quick, 2);
        awaitLengths(1, 2);
        for (int i = 0; i < 2 * buffers; i++) {
            send(sender, socket, i % BYTES_MAX);
        }
        reply.complete("go on");
        Await.until("the slow handler has all", () -> slow.get() == 2 * buffers + 1);
        send(sender, quick, 3);
        awaitLengths(1, 2, 3);
        assertBuffersAreBack(pool);
    }

    /** The only buffer is offered to an idle socket first: another socket, whose datagram waits, must not wait for an event. */
    @Test
    void bufferThatAnIdleSocketDoesNotTakeGoesToTheNext() throws Exception {
        int buffers = ((RingKind.WithBuffers) mode.kind()).buffers();
        if (buffers > 1) {
            return; // the handler has one of them
        }
        UdpSocket holder = UdpSocket.bind(set, LOOPBACK, ORDERED, (own, datagram) -> awaitFirstReply());
        UdpSocket idle = UdpSocket.bind(set, LOOPBACK, ORDERED, NONE);
        UdpSocket next = bind(ORDERED);
        serve();
        try (DatagramSocket sender = new DatagramSocket(LOOPBACK)) {
            sender.send(new DatagramPacket(new byte[1], 1, holder.localAddress()));
            inside.get();
            sender.send(new DatagramPacket(new byte[1], 1, idle.localAddress()));
            awaitStarved(idle);
            ByteBuffer away = ByteBuffer.allocateDirect(1);
            assertEquals(
                    1, kernel.recv(idle.handle().fd(), kernel.addressOf(away), 1, 0), "nothing is left to receive");
            sender.send(new DatagramPacket(new byte[5], 5, next.localAddress()));
            awaitStarved(next);
            inside.get().complete("go on");
            awaitLengths(5);
        } finally {
            inside.thenAccept(reply -> reply.complete("the end"));
        }
    }

    /** Handler: the first caller waits, and its thread takes completions meanwhile. */
    private void awaitFirstReply() throws Exception {
        if (!inside.isDone()) {
            Reply<String> reply = LeaderFollowersPool.of(set).newReply();
            inside.complete(reply);
            reply.await(Duration.ofMinutes(1));
        }
    }

    private static void awaitStarved(UdpSocket socket) {
        HandleRequests requests = ((RingHandle) socket.handle()).requests();
        Await.until("the receive has ended for want of a buffer", () -> requests.underWay() == 0);
    }
}
