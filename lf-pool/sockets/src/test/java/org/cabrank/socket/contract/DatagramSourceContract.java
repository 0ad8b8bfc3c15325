package org.cabrank.socket.contract;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.net.DatagramPacket;
import java.net.DatagramSocket;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.NetworkInterface;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import org.cabrank.kernel.Errno;
import org.cabrank.lf.fixture.Await;
import org.cabrank.socket.DatagramOptions;
import org.cabrank.socket.DatagramQueueLimits;
import org.cabrank.socket.OutgoingBatch;
import org.cabrank.socket.UdpSocket;
import org.cabrank.socket.contract.FaultyKernel.Plan;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** A socket at the wildcard address answers from the address that was asked. */
public abstract class DatagramSourceContract extends DescriptorContract {
    private static final DatagramOptions QUEUED =
            DatagramOptions.DEFAULT.withQueue(new DatagramQueueLimits(10, 10_000, Duration.ZERO));

    private static DatagramSocket connected(String host, UdpSocket server) throws Exception {
        DatagramSocket client = new DatagramSocket(new InetSocketAddress(host.contains(":") ? "::1" : "127.0.0.1", 0));
        client.connect(InetAddress.getByName(host), server.localAddress().getPort());
        client.setSoTimeout((int) (Await.PATIENCE_NS / 1_000_000));
        return client;
    }

    private static void assertAnswered(DatagramSocket client) throws Exception {
        client.send(new DatagramPacket(new byte[6], 6));
        client.receive(new DatagramPacket(new byte[6], 6)); // of a connected socket: from the address that was asked
    }

    @ParameterizedTest
    @CsvSource({
        "0.0.0.0, 127.0.0.2, other",
        "0.0.0.0, 127.0.0.2, own",
        "0.0.0.0, 127.0.0.2, segments",
        "0.0.0.0, 127.0.0.2, own segments",
        "0.0.0.0, 127.0.0.2, batch",
        "0.0.0.0, 127.0.0.1, other",
        "::, 127.0.0.2, other",
        "::, 127.0.0.2, segments",
        "::, 127.0.0.2, batch",
        "::, ::1, own",
        "::, ::1, segments",
        "::, ::1, batch"
    })
    void replyLeavesFromTheDestinationOfTheRequest(String wildcard, String host, String way) throws Exception {
        CompletableFuture<InetAddress> destination = new CompletableFuture<>();
        UdpSocket socket = UdpSocket.bind(set, new InetSocketAddress(wildcard, 0), (own, datagram) -> {
            destination.complete(datagram.destination());
            assertTrue(DatagramCloseContract.answered(own, datagram, way) > 0);
        });
        serve();
        try (DatagramSocket client = connected(host, socket)) {
            assertAnswered(client);
        }
        assertNull(destination.get(), "the detail was not asked for");
        assertEquals(0, socket.counters().failed());
    }

    /** The answer finds no room, and is sent from the queue. */
    @ParameterizedTest
    @CsvSource({"0.0.0.0, other, sendmsg", "::, own, sendmsg", "0.0.0.0, batch, sendmmsg", "0.0.0.0, segments, sendmsg"
    })
    void queuedReplyLeavesFromTheDestinationOfTheRequest(String wildcard, String way, String call) throws Exception {
        UdpSocket socket = UdpSocket.bind(
                set,
                new InetSocketAddress(wildcard, 0),
                QUEUED,
                (own, datagram) -> DatagramCloseContract.answered(own, datagram, way));
        kernel.plan(call, Plan.first(-Errno.ENOBUFS, -Errno.ENOBUFS));
        serve();
        try (DatagramSocket client = connected("127.0.0.2", socket)) {
            assertAnswered(client);
        }
        assertTrue(socket.queue().queued() > 0 || call.equals("sendmmsg"));
    }

    /** The address may have been removed, or is the broadcast address of a network. */
    @ParameterizedTest
    @CsvSource({"other, sendmsg", "batch, sendmmsg"})
    void replyIsSentFromTheDefaultAddressIfTheKernelRefusesTheSource(String way, String call) throws Exception {
        CompletableFuture<Integer> accepted = new CompletableFuture<>();
        UdpSocket socket = UdpSocket.bind(
                set,
                new InetSocketAddress("0.0.0.0", 0),
                (own, datagram) -> accepted.complete(DatagramCloseContract.answered(own, datagram, way)));
        kernel.plan(call, Plan.first(-Errno.EINVAL));
        serve();
        try (DatagramSocket client = connected("127.0.0.2", socket)) {
            client.send(new DatagramPacket(new byte[6], 6));
            assertEquals(1, accepted.get(Await.PATIENCE_NS, TimeUnit.NANOSECONDS));
        }
        assertEquals(1, socket.counters().sent());
    }

    /** Sends "answer" from an address, by the loopback interface; returns the number of accepted datagrams. */
    private static int sendFrom(UdpSocket socket, InetSocketAddress to, InetAddress source, String way)
            throws Exception {
        NetworkInterface loopback = NetworkInterface.getByInetAddress(InetAddress.getLoopbackAddress());
        ByteBuffer data = ByteBuffer.wrap("answer".getBytes(StandardCharsets.ISO_8859_1));
        switch (way) {
            case "segments":
                return socket.sendSegments(to, data, 2, source, loopback);
            case "batch":
                OutgoingBatch batch = socket.newBatch(1, 6);
                batch.add(to, data, source, loopback);
                return batch.send();
            case "no interface":
                return socket.send(to, data, source, null) ? 1 : 0;
            default:
                return socket.send(to, data, source, loopback) ? 1 : 0;
        }
    }

    private static DatagramSocket receiver(String host) throws Exception {
        DatagramSocket receiver = new DatagramSocket(new InetSocketAddress(host, 0));
        receiver.setSoTimeout((int) (Await.PATIENCE_NS / 1_000_000));
        return receiver;
    }

    @ParameterizedTest
    @CsvSource({
        "0.0.0.0, 127.0.0.1, 127.0.0.2, alone",
        "0.0.0.0, 127.0.0.1, 127.0.0.2, no interface",
        "0.0.0.0, 127.0.0.1, 127.0.0.2, segments",
        "0.0.0.0, 127.0.0.1, 127.0.0.2, batch",
        "0.0.0.0, 127.0.0.1, , alone",
        "0.0.0.0, 127.0.0.1, , batch",
        "::, 127.0.0.1, 127.0.0.2, alone",
        "::, 127.0.0.1, 127.0.0.2, segments",
        "::, 127.0.0.1, 127.0.0.2, batch",
        "::, 127.0.0.1, , alone",
        "::, ::1, ::1, alone",
        "::, ::1, ::1, segments",
        "::, ::1, ::1, batch",
        "::, ::1, , alone"
    })
    void datagramLeavesFromTheNamedAddress(String wildcard, String host, String source, String way) throws Exception {
        UdpSocket socket = UdpSocket.bind(set, new InetSocketAddress(wildcard, 0), (own, datagram) -> {});
        serve();
        InetAddress named = source == null ? null : InetAddress.getByName(source);
        try (DatagramSocket receiver = receiver(host)) {
            InetSocketAddress to = (InetSocketAddress) receiver.getLocalSocketAddress();
            assertEquals(way.equals("segments") ? 3 : 1, sendFrom(socket, to, named, way));
            DatagramPacket packet = new DatagramPacket(new byte[6], 6);
            receiver.receive(packet);
            assertEquals(named == null ? InetAddress.getByName(host) : named, packet.getAddress());
        }
        assertEquals(0, socket.counters().unsent());
    }

    /** The datagram finds no room, and is sent from the queue. */
    @ParameterizedTest
    @CsvSource({
        "0.0.0.0, alone, sendmsg",
        "::, alone, sendmsg",
        "0.0.0.0, segments, sendmsg",
        "0.0.0.0, batch, sendmmsg"
    })
    void datagramThatHasWaitedLeavesFromTheNamedAddress(String wildcard, String way, String call) throws Exception {
        UdpSocket socket = UdpSocket.bind(set, new InetSocketAddress(wildcard, 0), QUEUED, (own, datagram) -> {});
        serve();
        InetAddress named = InetAddress.getByName("127.0.0.2");
        try (DatagramSocket receiver = receiver("127.0.0.1")) {
            kernel.plan(call, Plan.first(-Errno.ENOBUFS, -Errno.ENOBUFS));
            assertTrue(sendFrom(socket, (InetSocketAddress) receiver.getLocalSocketAddress(), named, way) > 0);
            DatagramPacket packet = new DatagramPacket(new byte[6], 6);
            receiver.receive(packet);
            assertEquals(named, packet.getAddress());
        }
    }

    /** 192.0.2.1 and 2001:db8::1 are addresses of documentation, and of no host. */
    @ParameterizedTest
    @CsvSource({
        "0.0.0.0, 127.0.0.1, 192.0.2.1, alone",
        "0.0.0.0, 127.0.0.1, 192.0.2.1, segments",
        "0.0.0.0, 127.0.0.1, 192.0.2.1, batch",
        "::, ::1, 2001:db8::1, alone",
        "::, ::1, 2001:db8::1, batch"
    })
    void datagramWithASourceOfAnotherHostIsNotSent(String wildcard, String host, String source, String way)
            throws Exception {
        UdpSocket socket = UdpSocket.bind(set, new InetSocketAddress(wildcard, 0), (own, datagram) -> {});
        serve();
        try (DatagramSocket receiver = receiver(host)) {
            InetSocketAddress to = (InetSocketAddress) receiver.getLocalSocketAddress();
            assertEquals(0, sendFrom(socket, to, InetAddress.getByName(source), way));
        }
        assertEquals(way.equals("segments") ? 3 : 1, socket.counters().unsent());
        assertEquals(0, socket.counters().sent());
    }

    @Test
    void sourceOfAnotherFamilyIsRefused() throws Exception {
        UdpSocket socket = UdpSocket.bind(set, new InetSocketAddress("::", 0), (own, datagram) -> {});
        InetSocketAddress to = new InetSocketAddress("127.0.0.1", 9);
        InetAddress source = InetAddress.getByName("::1");
        for (String way : List.of("alone", "segments", "batch")) {
            assertThrows(IllegalArgumentException.class, () -> sendFrom(socket, to, source, way));
            assertThrows(IllegalStateException.class, () -> sendFrom(socket, null, source, way));
        }
    }

    @Test
    void datagramWithoutADestinationIsRefusedUnlessTheSocketIsConnected() throws Exception {
        UdpSocket socket = UdpSocket.bind(set, new InetSocketAddress("::", 0), (own, datagram) -> {});
        OutgoingBatch batch = socket.newBatch(1, 6);
        ByteBuffer data = ByteBuffer.allocate(6);
        assertThrows(IllegalStateException.class, () -> socket.send(data));
        assertThrows(IllegalStateException.class, () -> socket.send(null, data, null, null));
        assertThrows(IllegalStateException.class, () -> socket.sendSegments(null, data, 2));
        assertThrows(IllegalStateException.class, () -> batch.add(null, data));
        assertEquals(6, data.remaining());
        assertEquals(0, batch.size());
        assertEquals(0, socket.counters().unsent());
    }
}
