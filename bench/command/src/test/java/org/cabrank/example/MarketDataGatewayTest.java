package org.cabrank.example;

import static org.junit.jupiter.api.Assertions.assertEquals;

import java.io.DataInputStream;
import java.net.DatagramPacket;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.MulticastSocket;
import java.net.NetworkInterface;
import java.net.Socket;
import java.nio.ByteBuffer;
import java.util.concurrent.CountDownLatch;
import org.cabrank.stream.StreamLimits;
import org.cabrank.stream.StreamServer;
import org.cabrank.stream.StreamTimeouts;
import org.cabrank.stream.testkit.EmbeddedConnection;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** The gateway of the README, with a fast subscriber and one that reads nothing. */
@Timeout(300)
final class MarketDataGatewayTest {
    private static final int DATAGRAMS = 20_000;
    private static final int BYTES = 1_000;

    private static final int MAILBOX_MIN = 16;

    /** Datagrams that are sent ahead of the fast subscriber: fewer than its queue has. */
    private static final int AHEAD = 50;

    @Test
    void aStalledSubscriberTakesNothingFromAFastOne() throws Exception {
        InetAddress group = InetAddress.getByName("239.1.2.77");
        MarketDataGateway gateway = new MarketDataGateway();
        try (StreamServer server = gateway.serve(0, group, "lo");
                MulticastSocket sender = new MulticastSocket();
                Socket stalled = new Socket()) {
            stalled.setReceiveBufferSize(1_024);
            InetSocketAddress subscribers = new InetSocketAddress("127.0.0.1", server.port());
            stalled.connect(subscribers);
            try (Socket fast = new Socket("127.0.0.1", server.port())) {
                fast.setSoTimeout(120_000);
                while (gateway.subscribers() < 2) {
                    Thread.onSpinWait();
                }
                sender.setNetworkInterface(NetworkInterface.getByName("lo"));
                DataInputStream in = new DataInputStream(fast.getInputStream());
                InetSocketAddress to = new InetSocketAddress(group, server.port());
                byte[] datagram = new byte[BYTES];
                int sent = 0;
                for (int read = 0; read < DATAGRAMS; read++) {
                    for (; sent < DATAGRAMS && sent < read + AHEAD; sent++) {
                        datagram[0] = (byte) sent;
                        datagram[1] = (byte) (sent >> 8);
                        sender.send(new DatagramPacket(datagram, BYTES, to));
                    }
                    assertEquals(BYTES, in.readInt());
                    assertEquals((byte) read, in.readByte());
                    assertEquals((byte) (read >> 8), in.readByte());
                    in.skipNBytes(BYTES - 2);
                }
            }
        }
    }

    /** More batches come than a mailbox of the smallest size holds, while a callback of the subscriber runs. */
    @Test
    void aBusySubscriberGetsTheLastDatagramsBeforeASilence() {
        MarketDataGateway gateway = new MarketDataGateway();
        MarketDataGateway.Subscriber subscriber = gateway.new Subscriber();
        StreamLimits limits = StreamLimits.DEFAULT.withMailboxMax(MAILBOX_MIN);
        CountDownLatch busy = new CountDownLatch(1);
        try (EmbeddedConnection connection = EmbeddedConnection.open(subscriber, limits, StreamTimeouts.DEFAULT)) {
            connection.connection().execute(() -> await(busy));
            try {
                for (int i = 0; i < 2 * MAILBOX_MIN; i++) {
                    subscriber.offer(ByteBuffer.wrap(new byte[BYTES]));
                    subscriber.sendSoon();
                }
            } finally {
                busy.countDown(); // before the connection is closed, which waits for the callback
            }
            assertEquals(1, gateway.subscribers());
            assertEquals(
                    2 * MAILBOX_MIN * (Integer.BYTES + BYTES),
                    connection.peerReceivesBytes().remaining());
        }
    }

    private static void await(CountDownLatch latch) {
        try {
            latch.await();
        } catch (InterruptedException timedOut) {
            Thread.currentThread().interrupt();
        }
    }
}
