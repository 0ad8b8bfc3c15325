package org.cabrank.socket.contract;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

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
import java.util.concurrent.TimeUnit;
import org.cabrank.lf.LeaderFollowersPool;
import org.cabrank.lf.Reply;
import org.cabrank.lf.fixture.Await;
import org.cabrank.socket.Datagram;
import org.cabrank.socket.DatagramDetail;
import org.cabrank.socket.DatagramError;
import org.cabrank.socket.DatagramHandler;
import org.cabrank.socket.DatagramOptions;
import org.cabrank.socket.UdpSocket;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** A handler of an ordered socket that waits for a reply: the socket is another thread's during the wait, and afterwards. */
public abstract class DatagramNestedWaitContract extends DescriptorContract {
    private static final InetSocketAddress LOOPBACK = new InetSocketAddress(InetAddress.getLoopbackAddress(), 0);
    private static final DatagramOptions ORDERED = DatagramOptions.DEFAULT.withOrdered(true);

    private volatile Reply<String> awaited;
    private volatile String way = "other";
    private final CountDownLatch waits = new CountDownLatch(1);
    private final CountDownLatch closed = new CountDownLatch(1);
    private final CompletableFuture<Integer> replied = new CompletableFuture<>();
    private final List<Integer> lengths = new CopyOnWriteArrayList<>();

    /** Waits where the datagram is empty, and answers then. */
    private final class Waiting implements DatagramHandler {
        @Override
        public void datagram(UdpSocket own, Datagram datagram) throws Exception {
            int length = datagram.data().remaining();
            if (length == 0) {
                waits.countDown();
                awaited.await(Duration.ofNanos(Await.PATIENCE_NS));
                int accepted = DatagramCloseContract.answered(own, datagram, way);
                lengths.add(length);
                replied.complete(accepted);
                return;
            }
            lengths.add(length);
        }

        @Override
        public void closed(UdpSocket own, Throwable cause) {
            closed.countDown();
        }
    }

    private UdpSocket waiting() throws Exception {
        UdpSocket socket = UdpSocket.bind(set, LOOPBACK, ORDERED, new Waiting());
        LeaderFollowersPool pool = serve();
        awaited = pool.newReply();
        return socket;
    }

    private static void await(CountDownLatch latch) throws InterruptedException {
        assertTrue(latch.await(Await.PATIENCE_NS, TimeUnit.NANOSECONDS));
    }

    @ParameterizedTest
    @ValueSource(strings = {"own", "other", "segments", "own segments", "batch", "send"})
    void replyAfterTheSocketWasClosedDoesNotUseItsNumber(String chosen) throws Exception {
        way = chosen;
        UdpSocket socket = waiting();
        try (DatagramClient client = new DatagramClient(socket.localAddress());
                Stranger stranger = new Stranger(kernel)) {
            client.send("");
            await(waits);
            int number = socket.handle().fd();
            socket.close();
            await(closed);
            Await.until("the connection has the number", () -> stranger.takes(number));
            awaited.complete("done");
            assertEquals(0, replied.get(Await.PATIENCE_NS, TimeUnit.NANOSECONDS));
            assertEquals(0, stranger.sentBytes());
            assertEquals(Stranger.BYTES, stranger.unread());
            assertEquals(0, socket.counters().sent());
        }
    }

    @Test
    void datagramsBehindTheOneThatWaitsAreHandledDuringTheWait() throws Exception {
        UdpSocket socket = waiting();
        try (DatagramClient client = new DatagramClient(socket.localAddress())) {
            client.send("");
            client.send("a");
            await(waits);
            client.send("bc");
            Await.until("the later ones are handled", () -> lengths.size() >= 2);
            assertEquals(List.of(1, 2), lengths);
            awaited.complete("done");
            assertEquals(1, replied.get(Await.PATIENCE_NS, TimeUnit.NANOSECONDS));
            client.send("def");
            Await.until("all are handled", () -> lengths.size() == 4);
            assertEquals(List.of(1, 2, 0, 3), lengths);
        }
    }

    /** Datagrams 0, 1, 2 ... have so many bytes more than one. */
    private static void send(DatagramClient client, int from, int end) throws Exception {
        for (int i = from; i < end; i++) {
            client.send(new byte[i + 1]);
        }
    }

    /** The datagrams behind the one that waits are in its batch, in the receive buffer, and arrive during the wait. */
    @ParameterizedTest
    @CsvSource({"true, 1, false", "true, 4, false", "true, 16, false", "true, 16, true", "false, 1, false"})
    void eachDatagramComesOnceInOrder(boolean ordered, int batch, boolean errors) throws Exception {
        WaitingHandler waiting = new WaitingHandler();
        DatagramOptions options = DatagramOptions.DEFAULT
                .withOrdered(ordered)
                .withBatch(batch)
                .withBytesMax(1_500)
                .withErrors(errors)
                .withDetails(DatagramDetail.DESTINATION);
        List<String> changed = new CopyOnWriteArrayList<>();
        UdpSocket socket = UdpSocket.bind(set, LOOPBACK, options, (own, datagram) -> {
            int number = datagram.data().remaining() - 1;
            waiting.seen(number);
            String after = datagram.sentBytes() - 1 + " " + datagram.data().remaining() + " "
                    + datagram.destination().getHostAddress();
            if (!after.equals(number + " " + (number + 1) + " 127.0.0.1")) {
                changed.add(after);
            }
            waiting.returns(number);
        });
        try (DatagramClient client = new DatagramClient(socket.localAddress())) {
            send(client, 0, 20);
            waiting.servedBy(serve());
            if (!ordered) {
                waiting.awaitAll(20);
            } else {
                waiting.awaitEach(20);
                send(client, 20, 40);
                waiting.awaitEach(40);
            }
            waiting.end();
        }
        assertEquals(List.of(), changed);
        assertEquals(0, socket.counters().failed());
    }

    /** Both the errors behind the one that waits and the datagrams are handled during the wait. */
    @ParameterizedTest
    @ValueSource(booleans = {true, false})
    void errorsAreReportedWhileTheHandlerOfAnErrorWaits(boolean ordered) throws Exception {
        WaitingHandler waiting = new WaitingHandler();
        CountDownLatch received = new CountDownLatch(1);
        List<Integer> ports = new CopyOnWriteArrayList<>();
        UdpSocket socket = UdpSocket.bind(
                set, LOOPBACK, DatagramOptions.DEFAULT.withOrdered(ordered).withErrors(true), new DatagramHandler() {
                    @Override
                    public void datagram(UdpSocket own, Datagram datagram) {
                        received.countDown();
                    }

                    @Override
                    public void error(UdpSocket own, DatagramError error) throws Exception {
                        int number = ports.indexOf(error.destination().getPort());
                        waiting.seen(number);
                        waiting.returns(number);
                    }
                });
        List<DatagramSocket> others = new ArrayList<>();
        for (int i = 0; i < 10; i++) { // all at once: a port that is free again may be given out twice
            others.add(new DatagramSocket(LOOPBACK));
            ports.add(others.get(i).getLocalPort());
        }
        others.forEach(DatagramSocket::close);
        for (int port : ports) {
            assertTrue(socket.send(new InetSocketAddress(LOOPBACK.getAddress(), port), ByteBuffer.allocate(1)));
        }
        waiting.servedBy(serve());
        waiting.awaitAll(10);
        try (DatagramClient client = new DatagramClient(socket.localAddress())) {
            client.send("x");
            await(received);
        }
        waiting.end();
        assertEquals(10, socket.counters().reported());
    }
}
