package org.cabrank.socket.contract;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.nio.ByteBuffer;
import java.time.Duration;
import java.util.concurrent.Semaphore;
import java.util.concurrent.atomic.AtomicInteger;
import org.cabrank.lf.fixture.Await;
import org.cabrank.socket.DatagramOptions;
import org.cabrank.socket.UdpSocket;
import org.junit.jupiter.api.Test;

/** Datagram sockets that end in order. */
public abstract class DatagramDrainContract extends DescriptorContract {
    private static final InetSocketAddress LOOPBACK = new InetSocketAddress(InetAddress.getLoopbackAddress(), 0);
    private static final Duration PATIENCE = Duration.ofSeconds(120);
    private static final int SENT = 20;

    @Test
    void datagramsBeforeTheDrainAreHandledAndLaterOnesAreRefused() throws Exception {
        Semaphore turns = new Semaphore(0);
        AtomicInteger handled = new AtomicInteger();
        UdpSocket socket = UdpSocket.bind(set, LOOPBACK, DatagramOptions.DEFAULT.withOrdered(true), (own, datagram) -> {
            turns.acquire();
            handled.incrementAndGet();
        });
        UdpSocket sender = UdpSocket.bind(set, LOOPBACK, (own, datagram) -> {});
        for (int i = 0; i < SENT; i++) {
            assertTrue(sender.send(socket.localAddress(), ByteBuffer.allocate(i)));
        }
        serve();
        AtomicInteger outcome = new AtomicInteger(-1);
        Thread drainer = new Thread(() -> {
            try {
                outcome.set(socket.drain(PATIENCE) ? 1 : 0);
            } catch (InterruptedException hurry) {
                Thread.currentThread().interrupt();
            }
        });
        drainer.start();
        Await.until("the drain has begun", () -> isWaiting(drainer));
        sender.send(socket.localAddress(), ByteBuffer.allocate(1));
        turns.release(SENT + 1);
        drainer.join();
        assertEquals(1, outcome.get());
        assertEquals(SENT, handled.get());
        assertEquals(SENT, socket.counters().received());
        assertEquals(0, socket.counters().dropped());
    }

    /** Returns true if a thread sleeps between two looks at the receive buffer: the kernel has the filter. */
    private static boolean isWaiting(Thread thread) {
        return thread.getState() == Thread.State.TIMED_WAITING;
    }

    @Test
    void aDrainEndsAtItsLimit() throws Exception {
        UdpSocket socket = UdpSocket.bind(set, LOOPBACK, (own, datagram) -> {});
        UdpSocket sender = UdpSocket.bind(set, LOOPBACK, (own, datagram) -> {});
        sender.send(socket.localAddress(), ByteBuffer.allocate(1));
        assertFalse(socket.drain(Duration.ofMillis(5))); // no thread serves
        serve();
    }

    @Test
    void aClosedSocketIsDrained() throws Exception {
        UdpSocket socket = UdpSocket.bind(set, LOOPBACK, (own, datagram) -> {});
        serve();
        socket.close();
        assertTrue(socket.drain(PATIENCE));
    }
}
