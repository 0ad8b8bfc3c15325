package org.cabrank.socket.contract;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.net.DatagramPacket;
import java.net.DatagramSocket;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.time.Duration;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import org.cabrank.kernel.Errno;
import org.cabrank.lf.fixture.Await;
import org.cabrank.socket.DatagramOptions;
import org.cabrank.socket.DatagramQueueLimits;
import org.cabrank.socket.UdpSocket;
import org.cabrank.socket.contract.FaultyKernel.Plan;
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
    void answerComesFromTheAddressThatWasAsked(String wildcard, String host, String way) throws Exception {
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
    void answerThatHasWaitedComesFromTheAddressThatWasAsked(String wildcard, String way, String call) throws Exception {
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
    void answerIsSentAllTheSameIfTheKernelRefusesTheSource(String way, String call) throws Exception {
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
}
