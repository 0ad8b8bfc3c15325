package org.cabrank.socket.contract;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.nio.ByteBuffer;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import org.cabrank.lf.LeaderFollowersPool;
import org.cabrank.lf.Reply;
import org.cabrank.lf.fixture.Await;
import org.cabrank.socket.Datagram;
import org.cabrank.socket.DatagramHandler;
import org.cabrank.socket.DatagramOptions;
import org.cabrank.socket.UdpSocket;
import org.junit.jupiter.api.Test;

/** A handler of an ordered socket that waits for a reply: the socket is another thread's during the wait, and afterwards. */
public abstract class DatagramNestedWaitContract extends DescriptorContract {
    private static final InetSocketAddress LOOPBACK = new InetSocketAddress(InetAddress.getLoopbackAddress(), 0);
    private static final DatagramOptions ORDERED = DatagramOptions.DEFAULT.withOrdered(true);

    private volatile Reply<String> awaited;
    private final CountDownLatch waits = new CountDownLatch(1);
    private final CountDownLatch closed = new CountDownLatch(1);
    private final CompletableFuture<Boolean> replied = new CompletableFuture<>();
    private final List<Integer> lengths = new CopyOnWriteArrayList<>();

    /** Waits where the datagram is empty, and answers then. */
    private final class Waiting implements DatagramHandler {
        @Override
        public void datagram(UdpSocket own, Datagram datagram) throws Exception {
            int length = datagram.data().remaining();
            if (length == 0) {
                waits.countDown();
                awaited.await(Duration.ofNanos(Await.PATIENCE_NS));
                boolean accepted = datagram.reply(ByteBuffer.allocate(1));
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

    @Test
    void replyAfterTheSocketWasClosedDoesNotUseItsNumber() throws Exception {
        UdpSocket socket = waiting();
        try (DatagramClient client = new DatagramClient(socket.localAddress())) {
            client.send("");
            await(waits);
            socket.close();
            await(closed);
            UdpSocket successor = UdpSocket.bind(set, LOOPBACK, ORDERED, (own, datagram) -> {});
            awaited.complete("done");
            assertEquals(false, replied.get(Await.PATIENCE_NS, TimeUnit.NANOSECONDS));
            assertEquals(1, socket.counters().unsent());
            assertEquals(0, successor.counters().received());
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
            assertTrue(replied.get(Await.PATIENCE_NS, TimeUnit.NANOSECONDS));
            client.send("def");
            Await.until("all are handled", () -> lengths.size() == 4);
            assertEquals(List.of(1, 2, 0, 3), lengths);
        }
    }
}
