package org.cabrank.socket.contract;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;

import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicLong;
import java.util.concurrent.atomic.AtomicReference;
import org.cabrank.kernel.Errno;
import org.cabrank.kernel.KernelException;
import org.cabrank.lf.fixture.Await;
import org.cabrank.socket.Datagram;
import org.cabrank.socket.DatagramHandler;
import org.cabrank.socket.DatagramOptions;
import org.cabrank.socket.UdpSocket;
import org.cabrank.socket.contract.FaultyKernel.Plan;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Outcome of each errno of recvmmsg(2), for sets that watch datagram sockets for readiness. */
public abstract class DatagramFaultContract extends DescriptorContract {
    private static final InetSocketAddress LOOPBACK = new InetSocketAddress(InetAddress.getLoopbackAddress(), 0);
    private static final DatagramHandler ECHO = (socket, datagram) -> datagram.reply(datagram.data());

    /** The pause of the receiver. */
    private static final long PAUSE_NS = TimeUnit.MILLISECONDS.toNanos(100);

    private DatagramClient client;

    /** Keeps what fails on purpose out of the build's output. */
    private LogCapture log;

    @BeforeEach
    void captureTheLog() {
        log = new LogCapture(set.getClass());
    }

    @AfterEach
    void closeClient() {
        if (client != null) {
            client.close();
        }
        if (log != null) { // null: the test is skipped
            log.close();
        }
    }

    private UdpSocket serve(DatagramHandler handler) throws IOException {
        UdpSocket socket = UdpSocket.bind(set, LOOPBACK, handler);
        serve();
        return socket;
    }

    private DatagramClient client(UdpSocket of) throws IOException {
        client = new DatagramClient(of.localAddress());
        return client;
    }

    @ParameterizedTest
    @ValueSource(
            ints = {
                Errno.EINTR,
                Errno.ECONNREFUSED,
                Errno.EHOSTUNREACH,
                Errno.ENETUNREACH,
                Errno.ENETDOWN,
                Errno.EACCES, // ICMPv6: prohibited
                Errno.ENONET, // ICMP: host isolated
                Errno.EOPNOTSUPP // ICMP: source route failed
            })
    void errorOfAnotherDatagramEndsNoReceive(int errno) throws Exception {
        UdpSocket socket = serve(ECHO);
        kernel.plan("recvmmsg", Plan.first(-errno, -errno));
        DatagramClient client = client(socket);
        client.send("x");
        assertEquals("x", client.receive());
        assertEquals(errno == Errno.EINTR ? 0 : 2, socket.counters().reported());
        assertEquals(0, set.failures().count());
    }

    @ParameterizedTest
    @ValueSource(ints = {Errno.ENOMEM, Errno.ENOBUFS})
    void withoutMemoryReceivingIsTriedAgain(int errno) throws Exception {
        UdpSocket socket = serve(ECHO);
        kernel.plan("recvmmsg", Plan.first(-errno));
        DatagramClient client = client(socket);
        client.send("x");
        assertEquals("x", client.receive(), "no second edge has told");
    }

    /** A security module may deny each receive. The 65th call is the first after the pause, and the pause is logged. */
    @ParameterizedTest
    @ValueSource(booleans = {false, true})
    void receivingPausesIfEachCallFails(boolean ordered) throws Exception {
        CompletableFuture<Long> logged = new CompletableFuture<>();
        AtomicLong pausesUntilNs = new AtomicLong();
        AtomicBoolean early = new AtomicBoolean();
        UdpSocket socket = UdpSocket.bind(set, LOOPBACK, DatagramOptions.DEFAULT.withOrdered(ordered), ECHO);
        serve();
        kernel.plan("recvmmsg", call -> {
            if (call == 64) {
                pausesUntilNs.set(set.nanoTime() + PAUSE_NS);
            } else if (call == 65) {
                early.set(set.nanoTime() - pausesUntilNs.get() < 0);
                logged.complete(set.failures().count());
            }
            return logged.isDone() ? Plan.ASK : -Errno.EACCES;
        });
        DatagramClient client = client(socket);
        client.send("x");
        assertEquals("x", client.receive());
        assertEquals(1, logged.get());
        assertFalse(early.get(), "the pause has ended early");
        client.send("y");
        assertEquals("y", client.receive());
    }

    @Test
    void unforeseenErrorClosesTheSocketWithItsCause() throws Exception {
        AtomicReference<Throwable> cause = new AtomicReference<>();
        UdpSocket socket = serve(new DatagramHandler() {
            @Override
            public void datagram(UdpSocket own, Datagram datagram) {}

            @Override
            public void closed(UdpSocket own, Throwable why) {
                cause.set(why);
            }
        });
        kernel.plan("recvmmsg", Plan.first(-Errno.EIO));
        client(socket).send("x");
        Await.until("it is closed", () -> cause.get() != null);
        assertEquals(Errno.EIO, ((KernelException) cause.get()).errno());
    }
}
