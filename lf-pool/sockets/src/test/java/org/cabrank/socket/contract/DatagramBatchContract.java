package org.cabrank.socket.contract;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.atomic.AtomicReference;
import java.util.stream.IntStream;
import org.cabrank.lf.fixture.Await;
import org.cabrank.socket.Datagram;
import org.cabrank.socket.DatagramBatch;
import org.cabrank.socket.DatagramHandler;
import org.cabrank.socket.DatagramOptions;
import org.cabrank.socket.UdpSocket;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Datagrams that are received in batches. */
public abstract class DatagramBatchContract extends DescriptorContract {
    private static final InetSocketAddress LOOPBACK = new InetSocketAddress(InetAddress.getLoopbackAddress(), 0);
    private static final DatagramHandler NONE = (socket, datagram) -> {};
    private static final int SENT = 7;

    private static DatagramOptions batches(int count) {
        return DatagramOptions.DEFAULT.withOrdered(true).withBatch(count).withBytesMax(1_500);
    }

    /** Sends datagrams of 1, 2, 3 ... bytes. */
    private void send(UdpSocket to, int count) throws IOException {
        UdpSocket sender = UdpSocket.bind(set, LOOPBACK, NONE);
        for (int i = 1; i <= count; i++) {
            assertTrue(sender.send(to.localAddress(), ByteBuffer.allocate(i)));
        }
    }

    private static List<Integer> upTo(int count) {
        return IntStream.rangeClosed(1, count).boxed().toList();
    }

    @Test
    void datagramsThatWaitComeInOneBatch() throws Exception {
        List<Integer> sizes = new CopyOnWriteArrayList<>();
        List<Integer> lengths = new CopyOnWriteArrayList<>();
        UdpSocket socket = UdpSocket.bind(set, LOOPBACK, batches(16), DatagramHandler.ofBatches((own, batch) -> {
            for (int i = 0; i < batch.size(); i++) {
                lengths.add(batch.get(i).data().remaining());
            }
            assertThrows(IndexOutOfBoundsException.class, () -> batch.get(batch.size()));
            sizes.add(batch.size());
        }));
        send(socket, SENT);
        serve();
        Await.until("the batch has come", () -> !sizes.isEmpty());
        assertEquals(List.of(SENT), sizes);
        assertEquals(upTo(SENT), lengths);
        assertEquals(SENT, socket.counters().received());
        assertEquals(0, socket.counters().failed());
    }

    /** Sockets that report errors receive by system calls over every backend. */
    @Test
    void shortBatchIsNotFollowedByAnotherCall() throws Exception {
        List<Integer> calls = new CopyOnWriteArrayList<>();
        DatagramOptions options = batches(SENT + 1).withErrors(true);
        UdpSocket socket = UdpSocket.bind(
                set, LOOPBACK, options, DatagramHandler.ofBatches((own, batch) -> calls.add(kernel.calls("recvmmsg"))));
        send(socket, SENT);
        serve();
        Await.until("the batch has come", () -> calls.size() == 1);
        send(socket, 1);
        Await.until("the next batch has come", () -> calls.size() == 2);
        assertEquals(List.of(1, 2), calls, "a call for each batch, and none between them");
    }

    @ParameterizedTest
    @ValueSource(ints = {1, 2, 3, SENT})
    void batchesCutAnywhereLoseNothing(int batch) throws Exception {
        List<Integer> lengths = new CopyOnWriteArrayList<>();
        UdpSocket socket = UdpSocket.bind(
                set,
                LOOPBACK,
                batches(batch),
                (own, datagram) -> lengths.add(datagram.data().remaining()));
        send(socket, SENT);
        serve();
        Await.until("all have come", () -> lengths.size() == SENT);
        assertEquals(upTo(SENT), lengths);
        send(socket, 1);
        Await.until("the next comes", () -> lengths.size() == SENT + 1);
    }

    @Test
    void handlerThatFailsLosesOneDatagramOfItsBatch() throws Exception {
        List<Integer> lengths = new CopyOnWriteArrayList<>();
        UdpSocket socket = UdpSocket.bind(set, LOOPBACK, batches(16), (own, datagram) -> {
            if (datagram.data().remaining() == 2) {
                throw new IOException("on purpose");
            }
            lengths.add(datagram.data().remaining());
        });
        send(socket, 3);
        try (LogCapture log = new LogCapture(set.getClass())) {
            serve();
            Await.until("the batch is handled", () -> lengths.size() == 2);
            assertEquals(List.of(1, 3), lengths);
            assertEquals(1, log.warnings().size());
        }
        assertEquals(1, socket.counters().failed());
    }

    @Test
    void handlerOfBatchesThatFailsLosesTheBatchOnly() throws Exception {
        AtomicReference<DatagramBatch> kept = new AtomicReference<>();
        AtomicReference<Datagram> keptDatagram = new AtomicReference<>();
        UdpSocket socket = UdpSocket.bind(set, LOOPBACK, batches(16), DatagramHandler.ofBatches((own, batch) -> {
            if (kept.getAndSet(batch) == null) {
                keptDatagram.set(batch.get(0));
                throw new IOException("on purpose");
            }
        }));
        send(socket, 3);
        try (LogCapture log = new LogCapture(set.getClass())) {
            serve();
            Await.until(
                    "the batch has failed",
                    () -> socket.counters().failed() == 3 && log.warnings().size() == 1);
        }
        socket.close();
        Await.until("it is idle", () -> socket.handle().isClosed());
        Await.until("the batch is idle", () -> {
            try {
                kept.get().size();
                return false;
            } catch (IllegalStateException idle) {
                return true;
            }
        });
        assertThrows(IllegalStateException.class, () -> keptDatagram.get().data());
    }

    @Test
    void socketsOfOneSetShareTheirBuffers() throws Exception {
        int sockets = 50;
        int batch = 64;
        List<UdpSocket> bound = new ArrayList<>();
        List<Integer> lengths = new CopyOnWriteArrayList<>();
        for (int i = 0; i < sockets; i++) {
            bound.add(UdpSocket.bind(
                    set,
                    LOOPBACK,
                    batches(batch),
                    (own, datagram) -> lengths.add(datagram.data().remaining())));
        }
        UdpSocket sender = UdpSocket.bind(set, LOOPBACK, batches(batch), NONE);
        assertTrue(sender.send(sender.localAddress(), ByteBuffer.allocate(1)));
        long before = DirectMemory.bytes();
        serve();
        for (UdpSocket each : bound) {
            assertTrue(sender.send(each.localAddress(), ByteBuffer.allocate(1)));
        }
        Await.until("all have come", () -> lengths.size() == sockets);
        long growth = DirectMemory.bytes() - before;
        long batchBytes = batch * 2_000L;
        assertTrue(growth < 10 * batchBytes, () -> sockets + " sockets use " + growth + " bytes");
    }

    @ParameterizedTest
    @ValueSource(ints = {0, -1, DatagramOptions.BATCH_MAX + 1})
    void wrongSizesAreRefused(int wrong) {
        assertThrows(IllegalArgumentException.class, () -> batches(wrong));
        assertThrows(
                IllegalArgumentException.class,
                () -> DatagramOptions.DEFAULT.withBytesMax(wrong > 0 ? UdpSocket.BYTES_MAX + 1 : wrong));
    }
}
