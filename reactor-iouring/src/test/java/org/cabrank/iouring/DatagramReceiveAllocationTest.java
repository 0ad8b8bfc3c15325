package org.cabrank.iouring;

import com.sun.management.ThreadMXBean;
import java.io.IOException;
import java.lang.management.ManagementFactory;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.nio.ByteBuffer;
import java.util.concurrent.atomic.AtomicInteger;
import org.cabrank.iouring.config.RingOptions;
import org.cabrank.kernel.Kernel;
import org.cabrank.lf.LeaderFollowersPool;
import org.cabrank.lf.PoolConfig;
import org.cabrank.lf.handle.Deactivation;
import org.cabrank.socket.DatagramDetail;
import org.cabrank.socket.DatagramHandler;
import org.cabrank.socket.DatagramOptions;
import org.cabrank.socket.OutgoingBatch;
import org.cabrank.socket.UdpSocket;
import org.cabrank.socket.contract.ChildJvm;
import org.cabrank.socket.contract.TestKernel;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/** Datagrams that a ring receives, once compiled, allocate nothing. In a JVM of its own, as {@link RingAllocationTest}. */
@Tag("newest")
class DatagramReceiveAllocationTest {
    private static final InetSocketAddress LOOPBACK = new InetSocketAddress(InetAddress.getLoopbackAddress(), 0);
    private static final int BATCH = 32;
    private static final int BATCHES = 100;
    private static final int BYTES = 10;

    /** Named bound: measurements, until all was compiled. */
    private static final int WINDOWS_MAX = 300;

    private static final AtomicInteger RECEIVED = new AtomicInteger();
    private static volatile long receiver;

    @Test
    void datagramsAllocateNothing() throws Exception {
        ChildJvm.assertOneSays("0 bytes a datagram", DatagramReceiveAllocationTest.class);
    }

    /** @param arguments none */
    public static void main(String[] arguments) throws IOException {
        Kernel kernel = TestKernel.any();
        try (RingHandleSet set = new RingHandleSet(kernel, Deactivation.CLAIM, RingOptions.DEFAULT);
                LeaderFollowersPool pool = new LeaderFollowersPool(set, PoolConfig.of("datagrams", 1))) {
            DatagramOptions options = DatagramOptions.DEFAULT
                    .withBatch(BATCH)
                    .withBytesMax(BYTES)
                    .withDetails(DatagramDetail.DESTINATION, DatagramDetail.TRAFFIC_CLASS);
            UdpSocket socket = UdpSocket.bind(set, LOOPBACK, options, DatagramHandler.ofBatches((own, batch) -> {
                receiver = Thread.currentThread().getId();
                RECEIVED.addAndGet(batch.size());
            }));
            pool.start();
            OutgoingBatch batch = socket.newBatch(BATCH, BYTES);
            ThreadMXBean threads = (ThreadMXBean) ManagementFactory.getThreadMXBean();
            send(socket, batch);
            long perDatagram = Long.MAX_VALUE;
            for (int i = 0; i < WINDOWS_MAX && perDatagram != 0; i++) {
                long before = threads.getThreadAllocatedBytes(receiver);
                send(socket, batch);
                perDatagram = (threads.getThreadAllocatedBytes(receiver) - before) / (BATCH * BATCHES);
            }
            System.out.println(perDatagram + " bytes a datagram");
        }
    }

    private static void send(UdpSocket socket, OutgoingBatch batch) {
        ByteBuffer data = ByteBuffer.allocate(BYTES);
        for (int n = 0; n < BATCHES; n++) {
            int expected = RECEIVED.get() + BATCH;
            while (!batch.isFull()) {
                batch.add(socket.localAddress(), data.clear());
            }
            batch.send();
            while (RECEIVED.get() < expected) {
                Thread.yield();
            }
        }
    }
}
