package org.cabrank.socket.contract;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.net.DatagramSocket;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.nio.ByteBuffer;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import org.cabrank.lf.fixture.Await;
import org.cabrank.lf.handle.Ready;
import org.cabrank.socket.Datagram;
import org.cabrank.socket.DatagramError;
import org.cabrank.socket.DatagramHandler;
import org.cabrank.socket.DatagramOptions;
import org.cabrank.socket.DatagramQueueLimits;
import org.cabrank.socket.UdpSocket;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** An ordered socket that is closed in its own callback: no further call comes, and its number is not used any more. */
public abstract class DatagramCloseContract extends DescriptorContract {
    private static final InetSocketAddress LOOPBACK = new InetSocketAddress(InetAddress.getLoopbackAddress(), 0);
    private static final DatagramOptions ORDERED = DatagramOptions.DEFAULT.withOrdered(true);

    private final List<String> calls = new CopyOnWriteArrayList<>();
    private final CountDownLatch over = new CountDownLatch(1);
    private final CompletableFuture<String> outcome = new CompletableFuture<>();
    private Stranger stranger;

    @BeforeEach
    void connect() throws Exception {
        stranger = new Stranger(kernel);
    }

    @AfterEach
    void disconnect() throws Exception {
        if (stranger != null) { // null: the test is skipped
            stranger.close();
        }
    }

    /** Closes the socket in its first call, and lets the connection have the number. */
    private class Closing implements DatagramHandler {
        void called(UdpSocket own, String call) {
            calls.add(call);
            int number = own.handle().fd();
            own.close();
            stranger.takes(number);
            over.countDown(); // not in closed, which comes before the connection has the number
        }

        @Override
        public void datagram(UdpSocket own, Datagram datagram) {
            called(own, "datagram");
        }

        @Override
        public void error(UdpSocket own, DatagramError error) {
            called(own, "error");
        }

        @Override
        public void sent(UdpSocket own, long number, long timeNs) {
            called(own, "sent");
        }

        @Override
        public void closed(UdpSocket own, Throwable cause) {
            calls.add("closed " + cause);
        }
    }

    /** Returns when the thread that was in the handler has left it: a task of the pool runs then. */
    private void awaitTheEnd() throws InterruptedException {
        assertTrue(over.await(Await.PATIENCE_NS, TimeUnit.NANOSECONDS));
        CountDownLatch later = new CountDownLatch(2 * mode.threads());
        for (int i = 0; i < 2 * mode.threads(); i++) {
            set.registerVirtual("later", (own, ready) -> later.countDown()).post(Ready.POSTED);
        }
        assertTrue(later.await(Await.PATIENCE_NS, TimeUnit.NANOSECONDS));
    }

    @ParameterizedTest
    @CsvSource({"1, false", "1, true", "3, false", "3, true"})
    void nothingIsReceivedOnTheNumberOfTheClosedSocket(int batch, boolean errors) throws Exception {
        UdpSocket socket =
                UdpSocket.bind(set, LOOPBACK, ORDERED.withBatch(batch).withErrors(errors), new Closing());
        try (DatagramClient client = new DatagramClient(socket.localAddress())) {
            for (int i = 0; i < 3; i++) {
                client.send("x");
            }
            serve();
            awaitTheEnd();
        }
        assertEquals(List.of("datagram", "closed null"), calls);
        assertEquals(Stranger.BYTES, stranger.unread());
        assertEquals(0, socket.counters().failed());
    }

    /** Two closed ports: the second error waits in the queue when the handler gets the first. */
    @Test
    void errorQueueOfTheClosedSocketIsNotRead() throws Exception {
        UdpSocket socket = UdpSocket.bind(set, LOOPBACK, ORDERED.withErrors(true), new Closing());
        for (int i = 0; i < 2; i++) {
            InetSocketAddress closedPort;
            try (DatagramSocket closed = new DatagramSocket(LOOPBACK)) {
                closedPort = (InetSocketAddress) closed.getLocalSocketAddress();
            }
            assertTrue(socket.send(closedPort, ByteBuffer.allocate(1)));
        }
        serve();
        awaitTheEnd();
        assertEquals(List.of("error", "closed null"), calls);
        assertEquals(Stranger.BYTES, stranger.unread());
        assertEquals(0, set.failures().count());
    }

    @Test
    void sendTimesOfTheClosedSocketAreNotRead() throws Exception {
        UdpSocket receiver = UdpSocket.bind(set, LOOPBACK, (own, datagram) -> {});
        UdpSocket socket = UdpSocket.bind(set, LOOPBACK, ORDERED.withSendTimes(true), new Closing());
        for (int i = 0; i < 2; i++) {
            assertTrue(socket.send(receiver.localAddress(), ByteBuffer.allocate(1)));
        }
        serve();
        awaitTheEnd();
        assertEquals(List.of("sent", "closed null"), calls);
        assertEquals(Stranger.BYTES, stranger.unread());
        assertEquals(0, set.failures().count());
    }

    /** The answer is the received buffer itself, another one, a segmented one, or one of a batch; or waits in the queue. */
    @ParameterizedTest
    @CsvSource({
        "own, false",
        "other, false",
        "segments, false",
        "batch, false",
        "send, false",
        "own, true",
        "batch, true"
    })
    void answerAfterTheCloseIsNotSentOnTheNumber(String way, boolean queue) throws Exception {
        DatagramOptions options =
                queue ? ORDERED.withQueue(new DatagramQueueLimits(10, 10_000, Duration.ZERO)) : ORDERED;
        UdpSocket socket = UdpSocket.bind(set, LOOPBACK, options, new Closing() {
            @Override
            public void datagram(UdpSocket own, Datagram datagram) {
                super.datagram(own, datagram);
                outcome.complete(own.handle().isClosed() + " " + answered(own, datagram, way));
            }
        });
        serve();
        try (DatagramClient client = new DatagramClient(socket.localAddress())) {
            client.send("answer");
            assertEquals("true 0", outcome.get(Await.PATIENCE_NS, TimeUnit.NANOSECONDS));
        }
        assertEquals(0, stranger.sentBytes());
        assertTrue(socket.counters().unsent() > 0);
        assertFalse(socket.counters().sent() > 0);
    }

    /** Returns the number of datagrams that were accepted. */
    static int answered(UdpSocket own, Datagram datagram, String way) {
        ByteBuffer answer = ByteBuffer.allocate(6);
        switch (way) {
            case "own":
                return datagram.reply(datagram.data()) ? 1 : 0;
            case "segments":
                return datagram.replySegments(answer, 2);
            case "own segments":
                return datagram.replySegments(datagram.data(), 2);
            case "batch":
                var batch = own.newBatch(1, 6);
                batch.reply(datagram, answer);
                return batch.send();
            case "send":
                return own.send(datagram.sender(), answer) ? 1 : 0;
            default:
                return datagram.reply(answer) ? 1 : 0;
        }
    }
}
