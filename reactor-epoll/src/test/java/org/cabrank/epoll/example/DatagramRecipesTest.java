package org.cabrank.epoll.example;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.NetworkInterface;
import java.nio.ByteBuffer;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.TimeUnit;
import org.cabrank.epoll.EpollHandleSet;
import org.cabrank.lf.LeaderFollowersPool;
import org.cabrank.lf.PoolConfig;
import org.cabrank.lf.fixture.Await;
import org.cabrank.lf.handle.Deactivation;
import org.cabrank.lf.observe.LatencyHistogram;
import org.cabrank.socket.DatagramHandler;
import org.cabrank.socket.DatagramOptions;
import org.cabrank.socket.UdpSocket;
import org.cabrank.socket.contract.LogCapture;
import org.cabrank.socket.contract.TestKernel;
import org.cabrank.stream.SocketOption;
import org.cabrank.stream.SocketOptions;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** The recipes of {@link DatagramRecipes} work. */
@Timeout(300)
class DatagramRecipesTest {
    private static final InetSocketAddress LOOPBACK = new InetSocketAddress(InetAddress.getLoopbackAddress(), 0);

    private final BlockingQueue<Object> seen = new LinkedBlockingQueue<>();
    private final DatagramHandler lengths =
            (socket, datagram) -> seen.add(datagram.data().remaining());
    private EpollHandleSet set;
    private LeaderFollowersPool pool;

    @BeforeEach
    void start() throws Exception {
        set = new EpollHandleSet(TestKernel.any(), Deactivation.CLAIM);
        pool = new LeaderFollowersPool(set, PoolConfig.of("recipes", 2));
        pool.start();
    }

    @AfterEach
    void stop() {
        pool.close();
        set.close();
    }

    private void expect(Object value) throws InterruptedException {
        assertEquals(value, seen.poll(Await.PATIENCE_NS, TimeUnit.NANOSECONDS));
    }

    private UdpSocket sender() throws Exception {
        return UdpSocket.bind(set, LOOPBACK, lengths);
    }

    @Test
    void batchesAreAnswered() throws Exception {
        UdpSocket echo = DatagramRecipes.batches(set, LOOPBACK);
        UdpSocket sender = sender();
        for (int i = 0; i < 3; i++) {
            assertTrue(sender.send(echo.localAddress(), ByteBuffer.allocate(i)));
            expect(i);
        }
    }

    @Test
    void segmentsAreCutAndJoinedByTheKernel() throws Exception {
        UdpSocket receiver = DatagramRecipes.joinedByTheKernel(set, LOOPBACK, segment -> seen.add(segment.remaining()));
        assertEquals(3, DatagramRecipes.cutByTheKernel(sender(), receiver.localAddress(), ByteBuffer.allocate(2_500)));
        expect(1_200);
        expect(1_200);
        expect(100);
        assertTrue(sender().send(receiver.localAddress(), ByteBuffer.allocate(0)));
        expect(0);
    }

    @Test
    void queuedDatagramsAreSent() throws Exception {
        UdpSocket socket = DatagramRecipes.queued(
                set, LOOPBACK, (own, datagram) -> seen.add(datagram.data().remaining()));
        assertTrue(socket.send(socket.localAddress(), ByteBuffer.allocate(7)));
        expect(7);
        assertEquals(0, socket.queue().waiting());
    }

    @Test
    void groupOfOneSourceIsReceived() throws Exception {
        NetworkInterface loopback = NetworkInterface.getByInetAddress(InetAddress.getLoopbackAddress());
        InetAddress group = InetAddress.getByName("232.1.2.3");
        UdpSocket feed = DatagramRecipes.oneSource(set, group, loopback, LOOPBACK.getAddress(), lengths);
        UdpSocket source = UdpSocket.bind(
                set, LOOPBACK, DatagramOptions.DEFAULT.withMulticastInterface(loopback), (socket, datagram) -> {});
        assertTrue(source.send(feed.localAddress(), ByteBuffer.allocate(4)));
        expect(4);
    }

    @Test
    void agesAndLossesAreSeen() throws Exception {
        LatencyHistogram ages = new LatencyHistogram("recipe");
        UdpSocket receiver = DatagramRecipes.aged(set, LOOPBACK, ages, seen::add);
        receiver.option(SocketOption.SO_RCVBUF, 1);
        UdpSocket sender = sender();
        Await.until("datagrams are lost", () -> {
            for (int i = 0; i < 100; i++) {
                sender.send(receiver.localAddress(), ByteBuffer.allocate(1_000));
            }
            return receiver.counters().dropped() > 0;
        });
        Await.until("the next datagram tells of the loss", () -> {
            sender.send(receiver.localAddress(), ByteBuffer.allocate(1));
            return !seen.isEmpty();
        });
        assertTrue(seen.take().toString().matches("[1-9][0-9]* lost before [0-9]+"));
        // The kernel begins to stamp datagrams some time after it was asked to, so the first ones may have no age.
        Await.until("an age is counted, after the handler was called", () -> {
            sender.send(receiver.localAddress(), ByteBuffer.allocate(1));
            return ages.read().events() > 0;
        });
    }

    @Test
    void timesOfSentDatagramsAreReported() throws Exception {
        UdpSocket sender = DatagramRecipes.timedSender(set, LOOPBACK, seen::add);
        long before = TimeUnit.MILLISECONDS.toNanos(System.currentTimeMillis());
        assertTrue(sender.send(sender.localAddress(), ByteBuffer.allocate(1)));
        long time = (Long) seen.poll(Await.PATIENCE_NS, TimeUnit.NANOSECONDS);
        assertTrue(time >= before, before + " " + time);
    }

    @Test
    void congestionIsSeen() throws Exception {
        UdpSocket receiver = DatagramRecipes.congestionAware(set, LOOPBACK, () -> seen.add("slower"));
        UdpSocket sender = UdpSocket.bind(
                set,
                LOOPBACK,
                DatagramOptions.DEFAULT.withSocketOptions(SocketOptions.NONE.with(SocketOption.IP_TOS, 3)),
                lengths);
        assertEquals(46 << 2 | 2, receiver.option(SocketOption.IP_TOS));
        assertTrue(sender.send(receiver.localAddress(), ByteBuffer.allocate(1)));
        expect("slower");
    }

    @Test
    void connectedClientIsAnswered() throws Exception {
        UdpSocket server = UdpSocket.bind(set, LOOPBACK, (socket, datagram) -> datagram.reply(ByteBuffer.allocate(5)));
        DatagramRecipes.client(set, server.localAddress(), lengths);
        expect(5);
    }

    @Test
    void troublesOfTheNetworkAreReported() throws Exception {
        UdpSocket sender = DatagramRecipes.reporting(set, new InetSocketAddress("127.0.0.1", 0), seen::add);
        UdpSocket gone = sender();
        gone.close();
        Await.until("it is closed", () -> gone.handle().isClosed());
        Await.until("the closed port is reported", () -> {
            sender.send(gone.localAddress(), ByteBuffer.allocate(1));
            return !seen.isEmpty();
        });
        expect("ECONNREFUSED from " + gone.localAddress());
    }

    /** Without the capability the kernel refuses one option or both, and the socket works nevertheless. */
    @Test
    void busyPollingIsAskedFor() throws Exception {
        try (LogCapture log = new LogCapture(UdpSocket.class)) {
            UdpSocket receiver = DatagramRecipes.busyPolling(set, LOOPBACK, lengths);
            boolean granted = log.warnings().stream().noneMatch(each -> each.contains("without SO_BUSY_POLL"));
            assertEquals(
                    granted ? 50_000 : 0,
                    receiver.option(SocketOption.SO_BUSY_POLL).toNanos());
            assertTrue(sender().send(receiver.localAddress(), ByteBuffer.allocate(6)));
            expect(6);
        }
    }
}
