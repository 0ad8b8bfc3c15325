package org.cabrank.socket.contract;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.lang.management.ManagementFactory;
import java.net.InetSocketAddress;
import java.util.concurrent.atomic.AtomicInteger;
import javax.management.JMException;
import javax.management.ObjectName;
import org.cabrank.lf.fixture.Await;
import org.cabrank.lf.handle.Ready;
import org.cabrank.socket.Datagram;
import org.cabrank.socket.DatagramDetail;
import org.cabrank.socket.DatagramHandler;
import org.cabrank.socket.DatagramOptions;
import org.cabrank.socket.OutgoingBatch;
import org.cabrank.socket.UdpSocket;
import org.cabrank.socket.contract.FaultyKernel.Plan;
import org.cabrank.stream.transport.LentBuffers;
import org.junit.jupiter.api.Test;

/**
 * Datagrams that are received with details and answered allocate nothing in steady state; for sets of one thread. The test's kernel
 * answers the calls, so that batches have a known size. System calls may allocate until they are compiled, so the test compares as
 * many calls with few datagrams and with many.
 */
public abstract class DatagramAllocationContract extends DescriptorContract {
    private static final int CALLS = 2_000;
    private static final int FEW = 1;
    private static final int MANY = 25;
    private static final int BYTES = 64;

    /** Less than the smallest object has; and the view of a checked buffer, which the build has handlers given. */
    private static final int BYTES_PER_DATAGRAM_MAX = 8 + (LentBuffers.CHECKED ? 72 : 0);

    private final AtomicInteger batches = new AtomicInteger();
    private volatile long thread;
    private long seen;

    @SuppressWarnings("deprecation") // threadId() is newer than JDK 17
    private static long ownId() {
        return Thread.currentThread().getId();
    }

    /** By JMX, because the module of the interface is not read here. */
    private static long allocatedBytes(long ofThread) throws JMException {
        return (Long) ManagementFactory.getPlatformMBeanServer()
                .invoke(
                        new ObjectName(ManagementFactory.THREAD_MXBEAN_NAME),
                        "getThreadAllocatedBytes",
                        new Object[] {ofThread},
                        new String[] {"long"});
    }

    private void touch(Datagram datagram) {
        seen += datagram.dscp() + datagram.receiveTimeNs() + datagram.interfaceIndex() + datagram.sentBytes();
    }

    @Test
    void datagramsAllocateNothing() throws Exception {
        UdpSocket[] own = new UdpSocket[1];
        OutgoingBatch[] replies = new OutgoingBatch[1];
        own[0] = UdpSocket.bind(
                set,
                new InetSocketAddress("127.0.0.1", 0),
                DatagramOptions.DEFAULT
                        .withBatch(MANY)
                        .withBytesMax(BYTES)
                        .withDetails(
                                DatagramDetail.DESTINATION, DatagramDetail.TRAFFIC_CLASS, DatagramDetail.RECEIVE_TIME),
                DatagramHandler.ofBatches((socket, batch) -> {
                    thread = ownId();
                    for (int i = 0; i < batch.size(); i++) {
                        touch(batch.get(i));
                        replies[0].reply(batch.get(i), batch.get(i).data());
                    }
                    replies[0].send();
                    if (batches.incrementAndGet() < CALLS) {
                        socket.handle().post(Ready.READ); // no further call follows a batch with room
                    }
                }));
        replies[0] = own[0].newBatch(MANY, BYTES);
        serve();
        allocated(own[0], MANY); // finds the thread
        long few = allocated(own[0], FEW);
        long many = allocated(own[0], MANY);
        long datagrams = (long) CALLS * (MANY - FEW);
        assertTrue(many - few < datagrams * BYTES_PER_DATAGRAM_MAX, () -> many + " bytes, with few datagrams " + few);
        assertEquals(0, own[0].counters().failed());
        assertEquals((long) CALLS * (MANY + MANY + FEW), own[0].counters().sent());
    }

    /** Returns the number of bytes that the thread allocates while it handles {@link #CALLS} batches. */
    private long allocated(UdpSocket socket, int datagrams) throws JMException {
        long before = thread == 0 ? 0 : allocatedBytes(thread);
        batches.set(0);
        kernel.plan("sendmmsg", call -> datagrams);
        kernel.plan("recvmmsg", call -> call <= CALLS ? datagrams : Plan.ASK);
        socket.handle().post(Ready.READ);
        Await.until("all batches are handled", () -> batches.get() == CALLS);
        return allocatedBytes(thread) - before;
    }
}
