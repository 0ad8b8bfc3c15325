package org.cabrank.socket.contract;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.nio.ByteBuffer;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import org.cabrank.kernel.Errno;
import org.cabrank.lf.fixture.Await;
import org.cabrank.socket.DatagramDetail;
import org.cabrank.socket.DatagramHandler;
import org.cabrank.socket.DatagramOptions;
import org.cabrank.socket.OutgoingBatch;
import org.cabrank.socket.UdpSocket;
import org.cabrank.socket.contract.FaultyKernel.Plan;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Batches of datagrams that one system call sends, and datagrams that the kernel cuts from one buffer. */
public abstract class DatagramSendContract extends DescriptorContract {
    private static final InetSocketAddress LOOPBACK = new InetSocketAddress(InetAddress.getLoopbackAddress(), 0);
    private static final DatagramHandler NONE = (socket, datagram) -> {};
    private static final int SENT = 5;
    private static final int SEGMENT = 100;

    private final List<Integer> lengths = new CopyOnWriteArrayList<>();
    private UdpSocket receiver;
    private UdpSocket sender;

    @BeforeEach
    void bind() throws IOException {
        if (set != null) {
            receiver = UdpSocket.bind(
                    set,
                    LOOPBACK,
                    DatagramOptions.DEFAULT.withOrdered(true),
                    (own, datagram) -> lengths.add(datagram.data().remaining()));
            sender = UdpSocket.bind(set, LOOPBACK, NONE);
        }
    }

    private OutgoingBatch filled() {
        OutgoingBatch batch = sender.newBatch(SENT, SENT);
        for (int i = 0; i < SENT; i++) {
            ByteBuffer bytes = ByteBuffer.allocate(i);
            batch.add(receiver.localAddress(), bytes);
            assertEquals(0, bytes.remaining(), "consumed");
        }
        return batch;
    }

    @Test
    void batchGoesByOneCallAndIsUsedAgain() throws Exception {
        serve();
        OutgoingBatch batch = filled();
        assertTrue(batch.isFull());
        assertThrows(IllegalStateException.class, () -> batch.add(receiver.localAddress(), ByteBuffer.allocate(1)));
        assertEquals(SENT, batch.send());
        assertEquals(1, kernel.calls("sendmmsg"));
        assertEquals(0, batch.size());
        Await.until("all have come", () -> lengths.size() == SENT);
        assertEquals(List.of(0, 1, 2, 3, 4), lengths);
        assertThrows(
                IllegalArgumentException.class,
                () -> batch.add(receiver.localAddress(), ByteBuffer.allocate(SENT + 1)));
        batch.add(receiver.localAddress(), ByteBuffer.allocate(3));
        assertEquals(1, batch.send());
        Await.until("the next has come", () -> lengths.size() == SENT + 1);
        assertEquals(0, batch.send(), "empty");
        assertEquals(SENT + 1, sender.counters().sent());
        assertThrows(IllegalArgumentException.class, () -> sender.newBatch(0, 1));
    }

    @Test
    void datagramThatTheKernelRefusesIsLostAndTheNextOnesGo() throws Exception {
        serve();
        kernel.plan("sendmmsg", Plan.first(-Errno.EPERM));
        try (LogCapture log = new LogCapture(set.getClass())) {
            assertEquals(SENT - 1, filled().send());
            assertEquals(1, log.warnings().size());
        }
        Await.until("the rest has come", () -> lengths.size() == SENT - 1);
        assertEquals(List.of(1, 2, 3, 4), lengths);
        assertEquals(1, sender.counters().unsent());
    }

    @ParameterizedTest
    @ValueSource(ints = {Errno.EAGAIN, Errno.ENOBUFS})
    void lackOfRoomLosesTheRestAndIsCounted(int errno) {
        kernel.plan("sendmmsg", Plan.first(-Errno.EINTR, -Errno.ECONNREFUSED, -errno));
        assertEquals(0, filled().send());
        assertEquals(SENT, sender.counters().unsent());
        assertEquals(1, sender.counters().reported());
        assertEquals(0, set.failures().count());
    }

    @Test
    void repliesOfABatchGoByOneCall() throws Exception {
        OutgoingBatch answers = sender.newBatch(SENT, SENT);
        UdpSocket echo = UdpSocket.bind(
                set,
                LOOPBACK,
                DatagramOptions.DEFAULT.withBatch(SENT).withOrdered(true),
                DatagramHandler.ofBatches((own, batch) -> {
                    for (int i = 0; i < batch.size(); i++) {
                        answers.reply(batch.get(i), batch.get(i).data());
                    }
                    answers.send();
                }));
        for (int i = SENT - 1; i >= 0; i--) { // a datagram without bytes ends a batch of a ring
            assertTrue(receiver.send(echo.localAddress(), ByteBuffer.allocate(i)));
        }
        serve();
        Await.until("all answers have come", () -> lengths.size() == SENT);
        assertEquals(List.of(4, 3, 2, 1, 0), lengths);
        assertEquals(1, kernel.calls("sendmmsg"));
    }

    @Test
    void oneBufferBecomesManyDatagrams() throws Exception {
        serve();
        ByteBuffer data = ByteBuffer.allocate(3 * SEGMENT + 1);
        assertEquals(4, sender.sendSegments(receiver.localAddress(), data, SEGMENT));
        assertEquals(0, data.remaining());
        assertEquals(1, kernel.calls("sendmsg"));
        assertEquals(0, kernel.calls("sendto"));
        Await.until("all have come", () -> lengths.size() == 4);
        assertEquals(List.of(SEGMENT, SEGMENT, SEGMENT, 1), lengths);
        assertEquals(4, sender.counters().sent());
        assertEquals(1, sender.sendSegments(receiver.localAddress(), ByteBuffer.allocate(5), SEGMENT));
        Await.until("a single one has come", () -> lengths.size() == 5);
        assertThrows(IllegalArgumentException.class, () -> sender.sendSegments(LOOPBACK, data, 0));
    }

    @Test
    void moreSegmentsThanTheKernelTakesGoByMoreCalls() {
        int segments = 150;
        assertEquals(
                segments,
                sender.sendSegments(receiver.localAddress(), ByteBuffer.allocate(segments * SEGMENT), SEGMENT));
        assertEquals(3, kernel.calls("sendmsg"));
    }

    @ParameterizedTest
    @ValueSource(ints = {Errno.EINVAL, Errno.EIO, Errno.EMSGSIZE})
    void segmentsGoOneByOneWhereTheKernelDoesNotCutThem(int errno) throws Exception {
        serve();
        kernel.plan("sendmsg", Plan.first(-errno));
        assertEquals(3, sender.sendSegments(receiver.localAddress(), ByteBuffer.allocate(2 * SEGMENT + 1), SEGMENT));
        Await.until("all have come", () -> lengths.size() == 3);
        assertEquals(List.of(SEGMENT, SEGMENT, 1), lengths);
        assertEquals(3, sender.counters().sent());
        assertEquals(0, sender.counters().unsent());
    }

    @Test
    void joinedDatagramsNameTheirSize() throws Exception {
        List<String> seen = new CopyOnWriteArrayList<>();
        UdpSocket joined = UdpSocket.bind(
                set,
                LOOPBACK,
                DatagramOptions.DEFAULT.withDetails(DatagramDetail.SEGMENTS),
                (own, datagram) -> seen.add(datagram.data().remaining() + " by " + datagram.segmentBytes()));
        serve();
        assertEquals(3, sender.sendSegments(joined.localAddress(), ByteBuffer.allocate(2 * SEGMENT + 1), SEGMENT));
        Await.until("they have come", () -> !seen.isEmpty());
        assertEquals(List.of(2 * SEGMENT + 1 + " by " + SEGMENT), seen);
    }

    /** The receiver sends three segments, which come joined, and come back cut. */
    @Test
    void joinedDatagramsAreAnsweredInSegments() throws Exception {
        UdpSocket joined = UdpSocket.bind(
                set, LOOPBACK, DatagramOptions.DEFAULT.withDetails(DatagramDetail.SEGMENTS), (own, datagram) -> {
                    assertThrows(IllegalArgumentException.class, () -> datagram.replySegments(datagram.data(), 0));
                    assertEquals(3, datagram.replySegments(datagram.data(), datagram.segmentBytes()));
                });
        serve();
        assertEquals(3, receiver.sendSegments(joined.localAddress(), ByteBuffer.allocate(2 * SEGMENT + 1), SEGMENT));
        Await.until("the answers have come", () -> lengths.size() == 3);
        assertEquals(List.of(SEGMENT, SEGMENT, 1), lengths);
        assertEquals(0, joined.counters().failed());
        assertEquals(2, kernel.calls("sendmsg"), "one for the datagrams, one for the answers");
    }

    @Test
    void closedSocketSendsNothing() throws Exception {
        AwaitedClose closing = new AwaitedClose();
        UdpSocket closed = UdpSocket.bind(set, LOOPBACK, closing);
        serve();
        OutgoingBatch batch = closed.newBatch(1, 1);
        batch.add(receiver.localAddress(), ByteBuffer.allocate(1));
        closing.close(closed);
        assertEquals(0, batch.send());
        assertEquals(0, closed.sendSegments(receiver.localAddress(), ByteBuffer.allocate(2), 1));
        assertFalse(closed.send(receiver.localAddress(), ByteBuffer.allocate(1)));
        assertEquals(4, closed.counters().unsent());
    }

    @Test
    void sendThatIsAlwaysInterruptedIsGivenUp() {
        kernel.plan("sendto", call -> -Errno.EINTR);
        try (LogCapture log = new LogCapture(set.getClass())) {
            assertFalse(sender.send(receiver.localAddress(), ByteBuffer.allocate(1)));
            assertEquals(1, log.warnings().size());
        }
        assertEquals(1, sender.counters().unsent());
    }

    /** The kernel returns EMSGSIZE for an earlier datagram after an ICMP message, and has not taken the present one. */
    @Test
    void errorAboutTheLengthOfAnEarlierDatagramLosesNoDatagram() throws Exception {
        serve();
        kernel.plan("sendto", Plan.first(-Errno.EMSGSIZE));
        assertTrue(sender.send(receiver.localAddress(), ByteBuffer.allocate(1)));
        kernel.plan("sendmmsg", Plan.first(-Errno.EMSGSIZE));
        assertEquals(SENT, filled().send());
        Await.until("all have come", () -> lengths.size() == SENT + 1);
        assertEquals(2, sender.counters().reported());
        assertEquals(0, sender.counters().unsent());
    }
}
