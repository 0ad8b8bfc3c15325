package org.cabrank.socket.contract;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.IOException;
import java.net.InetSocketAddress;
import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.TimeUnit;
import java.util.stream.Collectors;
import org.cabrank.kernel.Errno;
import org.cabrank.lf.fixture.Await;
import org.cabrank.socket.DatagramOptions;
import org.cabrank.socket.DatagramSteering;
import org.cabrank.socket.UdpSocket;
import org.cabrank.socket.contract.FaultyKernel.Plan;
import org.junit.jupiter.api.Test;

/** The choice of a socket of a group by a rule. */
public abstract class DatagramSteeringContract extends DescriptorContract {
    private static final InetSocketAddress LOOPBACK = new InetSocketAddress("127.0.0.1", 0);
    private static final int SOCKETS = 4;

    private final BlockingQueue<Integer> chosen = new LinkedBlockingQueue<>();

    private List<UdpSocket> group(DatagramSteering rule) throws IOException {
        List<UdpSocket> group = new ArrayList<>();
        for (int i = 0; i < SOCKETS; i++) {
            int place = i;
            InetSocketAddress address = i == 0 ? LOOPBACK : group.get(0).localAddress();
            group.add(UdpSocket.bind(
                    set,
                    address,
                    DatagramOptions.DEFAULT.withSharedPort(true).withSteering(rule),
                    (own, datagram) -> chosen.add(place)));
        }
        return group;
    }

    private void expect(UdpSocket sender, UdpSocket group, ByteBuffer data, int place) throws InterruptedException {
        assertTrue(sender.send(group.localAddress(), data));
        assertEquals(place, chosen.poll(Await.PATIENCE_NS, TimeUnit.NANOSECONDS));
    }

    @Test
    void numberInThePayloadChoosesTheSocket() throws Exception {
        UdpSocket group =
                group(DatagramSteering.byPayload(2, Short.BYTES, SOCKETS)).get(0);
        UdpSocket sender = UdpSocket.bind(set, LOOPBACK, (own, datagram) -> {});
        serve();
        for (int number : new int[] {0, 1, 2, 3, 4, 258, 65_535}) {
            expect(sender, group, ByteBuffer.allocate(8).putShort(2, (short) number), number % SOCKETS);
        }
        expect(sender, group, ByteBuffer.allocate(1), 0);
        UdpSocket byByte =
                group(DatagramSteering.byPayload(0, Byte.BYTES, SOCKETS)).get(0);
        expect(sender, byByte, ByteBuffer.wrap(new byte[] {-1}), 255 % SOCKETS);
        UdpSocket byInt =
                group(DatagramSteering.byPayload(0, Integer.BYTES, SOCKETS)).get(0);
        expect(sender, byInt, ByteBuffer.allocate(4).putInt(0, 0x0100_0002), 2);
    }

    /** A thread may move to another CPU at any time, so the test allows any socket that is a CPU's. */
    @Test
    void datagramsOfOneCpuStayWithOneSocket() throws Exception {
        UdpSocket group = group(DatagramSteering.byCpu(SOCKETS)).get(0);
        UdpSocket sender = UdpSocket.bind(set, LOOPBACK, (own, datagram) -> {});
        serve();
        int count = 50;
        for (int i = 0; i < count; i++) {
            assertTrue(sender.send(group.localAddress(), ByteBuffer.allocate(1)));
        }
        Await.until("all have come", () -> chosen.size() == count);
        int cpus = Runtime.getRuntime().availableProcessors();
        assertTrue(
                chosen.stream().distinct().count() <= cpus,
                () -> cpus + " CPUs, sockets "
                        + chosen.stream().distinct().sorted().collect(Collectors.toList()));
    }

    @Test
    void refusedRuleFailsTheBindAndLeavesNothing() throws Exception {
        int before = OpenDescriptors.count();
        DatagramOptions options = DatagramOptions.DEFAULT
                .withSharedPort(true)
                .withSteering(DatagramSteering.byPayload(0, Byte.BYTES, SOCKETS));
        kernel.plan("setsockopt", Plan.first(Plan.ASK, Plan.ASK, -Errno.ENOMEM));
        String refused = assertThrows(
                        IOException.class, () -> UdpSocket.bind(set, LOOPBACK, options, (own, datagram) -> {}))
                .getMessage();
        assertTrue(refused.startsWith("steering by 1 bytes at 0 modulo 4"), refused);
        assertTrue(refused.contains("net.core.optmem_max"), refused);
        assertEquals(before, OpenDescriptors.count());
        assertThrows(IllegalArgumentException.class, () -> options.withSharedPort(false));
        assertThrows(IllegalArgumentException.class, () -> DatagramSteering.byPayload(0, 3, SOCKETS));
        assertThrows(IllegalArgumentException.class, () -> DatagramSteering.byPayload(-1, 1, SOCKETS));
        assertThrows(IllegalArgumentException.class, () -> DatagramSteering.byCpu(0));
    }
}
