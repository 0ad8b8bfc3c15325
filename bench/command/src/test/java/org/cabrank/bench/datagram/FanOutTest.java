package org.cabrank.bench.datagram;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.DataInputStream;
import java.lang.reflect.InvocationTargetException;
import java.lang.reflect.Method;
import java.lang.reflect.Proxy;
import java.net.DatagramPacket;
import java.net.DatagramSocket;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.MulticastSocket;
import java.net.NetworkInterface;
import java.net.Socket;
import java.nio.ByteBuffer;
import java.util.List;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.Supplier;
import org.cabrank.bench.fixture.NewestJdk;
import org.cabrank.socket.DatagramOptions;
import org.cabrank.stream.Connection;
import org.cabrank.stream.ConnectionHandler;
import org.cabrank.stream.StreamServer;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** A fan-out in this process, with one subscriber. */
@NewestJdk
@Timeout(300)
final class FanOutTest {
    private static final int PATIENCE_MS = 120_000;
    private static final int REFUSALS = 3;

    private final FanOut fanOut = new FanOut(SlowPolicy.DROP_OLDEST, 1 << 17);
    private final AtomicInteger asked = new AtomicInteger();
    private MulticastSocket sender;
    private InetSocketAddress group;

    @BeforeEach
    void openSender() throws Exception {
        NetworkInterface loopback = NetworkInterface.getByName("lo");
        sender = new MulticastSocket();
        sender.setNetworkInterface(loopback);
        try (DatagramSocket free = new DatagramSocket(0, InetAddress.getLoopbackAddress())) {
            group = new InetSocketAddress(InetAddress.getByName("239.1.2.14"), free.getLocalPort());
        }
    }

    @AfterEach
    void closeSender() {
        sender.close();
    }

    private StreamServer serve(Supplier<ConnectionHandler> subscribers) throws Exception {
        StreamServer server = StreamServer.builder()
                .listen("127.0.0.1", 0)
                .handler(subscribers::get)
                .start();
        fanOut.join(server.reactor(), List.of(group), NetworkInterface.getByName("lo"), DatagramOptions.DEFAULT);
        return server;
    }

    private DataInputStream subscribe(StreamServer server, Socket socket) throws Exception {
        socket.connect(new InetSocketAddress("127.0.0.1", server.port()));
        socket.setSoTimeout(PATIENCE_MS);
        while (fanOut.counters().subscribers() == 0) {
            Thread.onSpinWait();
        }
        return new DataInputStream(socket.getInputStream());
    }

    private void send(InetAddress to, int content) throws Exception {
        sender.send(new DatagramPacket(new byte[] {(byte) content}, 1, to, group.getPort()));
    }

    private static void expect(DataInputStream in, int content) throws Exception {
        assertEquals(Short.BYTES + 1, in.readInt());
        assertEquals(0, in.readShort());
        assertEquals(content, in.readByte());
    }

    /** The loopback interface delivers in order: a unicast datagram that was passed on would be in the first frame. */
    @Test
    void unicastDatagramsToThePortAreCountedAndNotPassedOn() throws Exception {
        try (StreamServer server = serve(fanOut::newSubscriber);
                Socket socket = new Socket()) {
            DataInputStream in = subscribe(server, socket);
            send(InetAddress.getLoopbackAddress(), 1);
            send(group.getAddress(), 2);
            expect(in, 2);
            while (fanOut.counters().sent() == 0) { // counted after the write
                Thread.onSpinWait();
            }
            FanOutCounters counters = fanOut.counters();
            assertEquals(2, counters.received());
            assertEquals(1, counters.foreign());
            assertEquals(1, counters.sent());
            assertTrue(
                    fanOut.totals().contains("received 2 datagrams, sent to none of the groups 1, "), fanOut::totals);
        }
    }

    @Test
    void theLastFrameBeforeASilenceIsSentAlthoughTheMailboxWasFull() throws Exception {
        deliversOneDatagram(() -> new RejectedExecutionException("on purpose"));
    }

    @Test
    void theLastFrameBeforeASilenceIsSentAlthoughThereWasNoMemoryForATask() throws Exception {
        deliversOneDatagram(() -> new OutOfMemoryError("on purpose"));
    }

    /** The connection refuses the first tasks, and no other datagram follows. */
    private void deliversOneDatagram(Supplier<Throwable> refusal) throws Exception {
        try (StreamServer server = serve(() -> new Wrapping(fanOut.newSubscriber(), refusal));
                Socket socket = new Socket()) {
            DataInputStream in = subscribe(server, socket);
            send(group.getAddress(), 7);
            expect(in, 7);
            assertEquals(REFUSALS + 1, asked.get());
        }
    }

    /** Gives a subscriber a connection that refuses the first tasks. */
    private final class Wrapping implements ConnectionHandler {
        private final ConnectionHandler subscriber;
        private final Supplier<Throwable> refusal;

        Wrapping(ConnectionHandler subscriber, Supplier<Throwable> refusal) {
            this.subscriber = subscriber;
            this.refusal = refusal;
        }

        @Override
        public void opened(Connection own) throws Exception {
            subscriber.opened((Connection) Proxy.newProxyInstance(
                    Connection.class.getClassLoader(),
                    new Class<?>[] {Connection.class},
                    (proxy, method, arguments) -> call(own, method, arguments)));
        }

        private Object call(Connection own, Method method, Object[] arguments) throws Throwable {
            if (method.getName().equals("execute") && asked.incrementAndGet() <= REFUSALS) {
                throw refusal.get();
            }
            try {
                return method.invoke(own, arguments);
            } catch (InvocationTargetException thrown) {
                throw thrown.getCause();
            }
        }

        @Override
        public void data(Connection own, ByteBuffer data) throws Exception {
            subscriber.data(own, data);
        }

        @Override
        public void writable(Connection own) throws Exception {
            subscriber.writable(own);
        }

        @Override
        public void draining(Connection own) throws Exception {
            subscriber.draining(own);
        }

        @Override
        public void closed(Connection own, Throwable cause) {
            subscriber.closed(own, cause);
        }
    }
}
