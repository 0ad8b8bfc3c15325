package org.cabrank.example;

import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.NetworkInterface;
import java.nio.ByteBuffer;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.atomic.AtomicBoolean;
import org.cabrank.socket.DatagramBatch;
import org.cabrank.socket.DatagramHandler;
import org.cabrank.socket.DatagramOptions;
import org.cabrank.socket.DescriptorSet;
import org.cabrank.socket.UdpSocket;
import org.cabrank.stream.Connection;
import org.cabrank.stream.ConnectionHandler;
import org.cabrank.stream.StreamServer;

/** Passes the datagrams of a multicast group on to TCP subscribers, each behind its length (4 bytes, big-endian). */
public final class MarketDataGateway {
    private static final int DATAGRAM_BYTES = 1_500;
    private static final int QUEUED_MAX = 512;

    private final List<Subscriber> subscribers = new CopyOnWriteArrayList<>();

    public static void main(String[] args) throws Exception {
        int port = Integer.parseInt(args[0]); // of the subscribers, and of the group
        new MarketDataGateway()
                .serve(port, InetAddress.getByName("239.1.2.3"), "lo")
                .awaitTermination();
    }

    StreamServer serve(int port, InetAddress group, String interfaceName) throws IOException {
        StreamServer server = StreamServer.builder()
                .listen("127.0.0.1", port)
                .handler(Subscriber::new)
                .start();
        UdpSocket feed = UdpSocket.bind(
                DescriptorSet.of(server.reactor()).get(0), // the threads of the connections also receive the datagrams
                new InetSocketAddress(group, server.port()),
                DatagramOptions.DEFAULT.withOrdered(true).withBatch(32).withBytesMax(DATAGRAM_BYTES),
                DatagramHandler.ofBatches((socket, batch) -> publish(batch)));
        feed.join(group, NetworkInterface.getByName(interfaceName));
        return server;
    }

    int subscribers() {
        return subscribers.size();
    }

    private void publish(DatagramBatch batch) {
        for (Subscriber subscriber : subscribers) {
            for (int i = 0; i < batch.size(); i++) {
                subscriber.offer(batch.get(i).data());
            }
            subscriber.sendSoon();
        }
    }

    /** A bounded queue for each subscriber: a slow one loses its oldest datagrams, and delays no other. */
    final class Subscriber implements ConnectionHandler {
        private final ByteBuffer[] queue = new ByteBuffer[QUEUED_MAX];
        private final ByteBuffer frame = ByteBuffer.allocateDirect(Integer.BYTES + DATAGRAM_BYTES);
        private final AtomicBoolean asked = new AtomicBoolean();
        private long oldest;
        private long newest;
        private Connection connection;

        Subscriber() {
            for (int i = 0; i < QUEUED_MAX; i++) {
                queue[i] = ByteBuffer.allocate(DATAGRAM_BYTES);
            }
        }

        @Override
        public void opened(Connection own) {
            connection = own;
            subscribers.add(this);
        }

        synchronized void offer(ByteBuffer datagram) {
            if (newest - oldest == QUEUED_MAX) {
                oldest++;
            }
            queue[(int) (newest++ % QUEUED_MAX)]
                    .clear()
                    .put(datagram.duplicate())
                    .flip();
        }

        /** One task waits at a time, so that no mailbox is ever full of them. */
        void sendSoon() {
            if (connection.isWritable() && !asked.getAndSet(true)) { // else writable follows, or the task that waits
                try {
                    connection.execute(this::sendAsAsked);
                } catch (RejectedExecutionException ended) {
                    subscribers.remove(this);
                }
            }
        }

        private void sendAsAsked() {
            asked.set(false);
            writable(connection);
        }

        @Override
        public void writable(Connection own) {
            while (own.isWritable() && takeFrame()) {
                own.write(frame);
            }
        }

        private synchronized boolean takeFrame() {
            if (oldest == newest) {
                return false;
            }
            ByteBuffer datagram = queue[(int) (oldest++ % QUEUED_MAX)];
            frame.clear().putInt(datagram.remaining()).put(datagram).flip();
            return true;
        }

        @Override
        public void data(Connection own, ByteBuffer data) {
            data.position(data.limit()); // subscribers have nothing to say
        }

        @Override
        public void closed(Connection own, Throwable cause) {
            subscribers.remove(this);
        }
    }
}
