package org.cabrank.socket.contract;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.nio.ByteBuffer;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import org.cabrank.kernel.Errno;
import org.cabrank.lf.fixture.Await;
import org.cabrank.socket.Datagram;
import org.cabrank.socket.DatagramHandler;
import org.cabrank.socket.DatagramOptions;
import org.cabrank.socket.DatagramQueueLimits;
import org.cabrank.socket.DatagramQueueState;
import org.cabrank.socket.OutgoingBatch;
import org.cabrank.socket.UdpSocket;
import org.cabrank.socket.contract.FaultyKernel.Plan;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Datagrams that wait for room in the socket or the device. */
public abstract class DatagramQueueContract extends DescriptorContract {
    private static final InetSocketAddress LOOPBACK = new InetSocketAddress(InetAddress.getLoopbackAddress(), 0);
    private static final int DATAGRAMS_MAX = 4;
    private static final Duration LONG = Duration.ofMinutes(1);

    private final List<Integer> lengths = new CopyOnWriteArrayList<>();
    private final Recording recording = new Recording();
    private UdpSocket receiver;
    private volatile boolean blocked = true;

    /** Counts notifications. */
    private static final class Recording implements DatagramHandler {
        private final AtomicInteger writable = new AtomicInteger();
        private final CountDownLatch closed = new CountDownLatch(1);

        @Override
        public void datagram(UdpSocket socket, Datagram datagram) {}

        @Override
        public void writable(UdpSocket socket) {
            writable.incrementAndGet();
        }

        @Override
        public void closed(UdpSocket socket, Throwable cause) {
            closed.countDown();
        }

        void await() throws InterruptedException {
            assertTrue(closed.await(Await.PATIENCE_NS, TimeUnit.NANOSECONDS), "not closed");
        }
    }

    @BeforeEach
    void bindReceiver() throws IOException {
        if (set != null) {
            receiver = UdpSocket.bind(
                    set,
                    LOOPBACK,
                    DatagramOptions.DEFAULT.withOrdered(true),
                    (own, datagram) -> lengths.add(datagram.data().remaining()));
        }
    }

    private UdpSocket bind(Duration closeTimeout) throws IOException {
        DatagramQueueLimits limits = new DatagramQueueLimits(DATAGRAMS_MAX, 4_096, closeTimeout);
        return UdpSocket.bind(set, LOOPBACK, DatagramOptions.DEFAULT.withQueue(limits), recording);
    }

    /** The device has no room until the test ends that. */
    private void block() {
        kernel.plan("sendto", call -> blocked ? -Errno.ENOBUFS : Plan.ASK);
    }

    private boolean send(UdpSocket from, int length) {
        return from.send(receiver.localAddress(), ByteBuffer.allocate(length));
    }

    private void awaitLengths(Integer... expected) {
        Await.until("all have come", () -> lengths.size() >= expected.length);
        assertEquals(List.of(expected), lengths);
    }

    @ParameterizedTest
    @ValueSource(ints = {Errno.EAGAIN, Errno.ENOBUFS, Errno.ENOMEM})
    void datagramsThatFindNoRoomAreSentLaterInOrder(int errno) throws Exception {
        UdpSocket socket = bind(Duration.ZERO);
        kernel.plan("sendto", Plan.first(-errno));
        for (int i = 1; i <= DATAGRAMS_MAX; i++) {
            assertTrue(send(socket, i)); // nobody serves the set yet, so that each waits behind the first
        }
        assertEquals(new DatagramQueueState(DATAGRAMS_MAX, DATAGRAMS_MAX, 0, 0), socket.queue());
        serve();
        awaitLengths(1, 2, 3, 4);
        Await.until("the queue is empty", () -> socket.queue().waiting() == 0);
        assertTrue(send(socket, 5));
        awaitLengths(1, 2, 3, 4, 5);
        assertEquals(5, socket.counters().sent());
        assertEquals(0, socket.counters().unsent());
        assertEquals(DATAGRAMS_MAX, socket.queue().queued());
    }

    @Test
    void fullQueueRefusesAndNotifiesWhenThereIsRoom() throws Exception {
        UdpSocket socket = bind(Duration.ZERO);
        block();
        serve();
        for (int i = 1; i <= DATAGRAMS_MAX; i++) {
            assertTrue(send(socket, i));
        }
        assertFalse(send(socket, 9));
        assertFalse(send(socket, 9));
        assertEquals(new DatagramQueueState(DATAGRAMS_MAX, DATAGRAMS_MAX, 2, 0), socket.queue());
        assertEquals(2, socket.counters().unsent());
        assertEquals(0, recording.writable.get());
        blocked = false;
        awaitLengths(1, 2, 3, 4);
        Await.until("the handler is notified", () -> recording.writable.get() == 1);
        assertTrue(send(socket, 5));
        awaitLengths(1, 2, 3, 4, 5);
        assertEquals(1, recording.writable.get());
    }

    @Test
    void bytesAreLimitedAsWell() throws Exception {
        UdpSocket socket = bind(Duration.ZERO);
        block();
        assertFalse(send(socket, 5_000));
        assertTrue(send(socket, 3_000));
        assertFalse(send(socket, 1_100));
        assertTrue(send(socket, 900));
        assertEquals(new DatagramQueueState(2, 2, 2, 0), socket.queue());
    }

    @Test
    void closeDropsWhatWaits() throws Exception {
        UdpSocket socket = bind(Duration.ZERO);
        block();
        serve();
        assertTrue(send(socket, 1) && send(socket, 2));
        socket.close();
        recording.await();
        assertEquals(new DatagramQueueState(0, 2, 0, 2), socket.queue());
        assertEquals(2, socket.counters().unsent());
        assertFalse(send(socket, 3));
        assertEquals(3, socket.counters().unsent());
    }

    @Test
    void closeSendsWhatWaitsIfItHasTime() throws Exception {
        UdpSocket socket = bind(LONG);
        block();
        serve();
        assertTrue(send(socket, 1) && send(socket, 2));
        socket.close();
        socket.close();
        assertFalse(send(socket, 3), "it is being closed");
        blocked = false;
        awaitLengths(1, 2);
        recording.await();
        assertEquals(new DatagramQueueState(0, 2, 1, 0), socket.queue());
        assertEquals(0, recording.writable.get());
    }

    @Test
    void closeDropsWhatIsLeftAfterItsTime() throws Exception {
        UdpSocket socket = bind(Duration.ofMillis(5));
        block();
        serve();
        assertTrue(send(socket, 1));
        socket.close();
        recording.await();
        assertEquals(new DatagramQueueState(0, 1, 0, 1), socket.queue());
        assertEquals(1, socket.counters().unsent());
    }

    @Test
    void restOfABatchWaits() throws Exception {
        UdpSocket socket = bind(Duration.ZERO);
        kernel.plan("sendmmsg", Plan.first(-Errno.EAGAIN));
        kernel.plan("sendto", Plan.first(-Errno.EAGAIN));
        OutgoingBatch batch = socket.newBatch(3, 100);
        for (int i = 1; i <= 3; i++) {
            batch.add(receiver.localAddress(), ByteBuffer.allocate(i));
        }
        assertEquals(3, batch.send());
        assertEquals(3, socket.queue().waiting());
        assertEquals(1, socket.sendSegments(receiver.localAddress(), ByteBuffer.allocate(8), 4), "one finds no room");
        serve();
        awaitLengths(1, 2, 3, 4);
    }

    @Test
    void withoutADescriptorToWatchRoomIsLookedForAfterAWhile() throws Exception {
        UdpSocket socket = bind(Duration.ZERO);
        kernel.plan("fcntl", Plan.first(-Errno.EMFILE));
        kernel.plan("sendto", Plan.first(-Errno.EAGAIN));
        try (LogCapture log = new LogCapture(set.getClass())) {
            assertTrue(send(socket, 1));
            assertEquals(1, log.warnings().size());
        }
        serve();
        awaitLengths(1);
    }

    /** The duplicate of the descriptor is closed, which is checked after the test. */
    @ParameterizedTest
    @ValueSource(strings = {"fcntl", "epoll_ctl add"})
    void withoutMemoryToWatchRoomIsLookedForAfterAWhile(String call) throws Exception {
        UdpSocket socket = bind(Duration.ZERO);
        kernel.plan(call, nth -> {
            if (nth == 1) {
                throw new OutOfMemoryError("on purpose");
            }
            return Plan.ASK;
        });
        kernel.plan("sendto", Plan.first(-Errno.EAGAIN));
        try (LogCapture log = new LogCapture(set.getClass())) {
            assertTrue(send(socket, 1));
            assertEquals(1, log.warnings().size());
        }
        assertEquals(1, kernel.calls(call));
        serve();
        awaitLengths(1);
    }

    @Test
    void withoutADescriptorToWatchCloseSendsWhatWaitsIfItHasTime() throws Exception {
        UdpSocket socket = bind(LONG);
        kernel.plan("fcntl", Plan.first(-Errno.EMFILE));
        block();
        try (LogCapture log = new LogCapture(set.getClass())) {
            assertTrue(send(socket, 1));
            serve();
            socket.close();
            socket.close();
            assertEquals(1, log.warnings().size());
        }
        blocked = false;
        awaitLengths(1);
        recording.await();
        assertEquals(new DatagramQueueState(0, 1, 0, 0), socket.queue());
    }

    @Test
    void datagramLargerThanTheQueueIsLogged() throws Exception {
        UdpSocket socket = bind(Duration.ZERO);
        block();
        try (LogCapture log = new LogCapture(set.getClass())) {
            assertFalse(send(socket, 5_000));
            assertEquals(1, log.warnings().size());
        }
        assertEquals(new DatagramQueueState(0, 0, 1, 0), socket.queue());
    }

    @Test
    void refusedDatagramIsLostAndTheNextOnesGo() throws Exception {
        UdpSocket socket = bind(Duration.ZERO);
        kernel.plan("sendto", Plan.first(-Errno.EAGAIN, -Errno.EPERM));
        try (LogCapture log = new LogCapture(set.getClass())) {
            assertTrue(send(socket, 1) && send(socket, 2));
            serve();
            awaitLengths(2);
            assertEquals(1, log.warnings().size());
        }
        assertEquals(1, socket.counters().unsent());
    }
}
