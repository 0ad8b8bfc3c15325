package org.cabrank.socket.contract;

import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import org.cabrank.lf.fixture.Await;
import org.cabrank.socket.Datagram;
import org.cabrank.socket.DatagramHandler;
import org.cabrank.socket.UdpSocket;

/** A handler that answers, and whose socket a test closes and waits for. */
final class AwaitedClose implements DatagramHandler {
    private final CountDownLatch closed = new CountDownLatch(1);

    @Override
    public void datagram(UdpSocket socket, Datagram datagram) {
        datagram.reply(datagram.data());
    }

    @Override
    public void closed(UdpSocket socket, Throwable cause) {
        closed.countDown();
    }

    /** Closes the socket and waits until the descriptor is closed. */
    void close(UdpSocket socket) throws InterruptedException {
        socket.close();
        assertTrue(closed.await(Await.PATIENCE_NS, TimeUnit.NANOSECONDS), "not closed");
    }
}
