package org.cabrank.example;

import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.SocketAddress;
import java.nio.ByteBuffer;
import java.time.Duration;
import java.util.concurrent.ExecutorService;
import java.util.function.Supplier;
import org.cabrank.kernel.AbstractUnixAddress;
import org.cabrank.lf.observe.LatencyHistogram;
import org.cabrank.stream.AcceptRate;
import org.cabrank.stream.AttachmentKey;
import org.cabrank.stream.BlockingHandlers;
import org.cabrank.stream.Connection;
import org.cabrank.stream.ConnectionHandler;
import org.cabrank.stream.ListenOptions;
import org.cabrank.stream.Listener;
import org.cabrank.stream.ReactorFile;
import org.cabrank.stream.ScheduledTask;
import org.cabrank.stream.SocketOption;
import org.cabrank.stream.SocketOptions;
import org.cabrank.stream.StreamReactor;
import org.cabrank.stream.StreamServer;

/** Examples of the page of streams. */
final class StreamRecipes {
    /** Knowledge of a service about a client. */
    static final class Session {
        long requests;
    }

    private StreamRecipes() {}

    static void serve() throws IOException, InterruptedException {
        try (StreamServer server = StreamServer.builder()
                .listen("127.0.0.1", 7000)
                .handler(() -> (connection, data) -> connection.write(data))
                .start()) {
            server.awaitTermination();
        }
    }

    static Listener listenWithOptions(
            StreamReactor reactor, SocketAddress address, Supplier<ConnectionHandler> handlers) throws IOException {
        SocketOptions keepAlive = SocketOptions.NONE
                .with(SocketOption.SO_KEEPALIVE, true)
                .with(SocketOption.TCP_KEEPIDLE, Duration.ofMinutes(1));
        Listener listener = reactor.listen(address, ListenOptions.DEFAULT.withAcceptedOptions(keepAlive), handlers);
        return listener;
    }

    static Listener listenWithLimits(StreamReactor reactor, SocketAddress address, ConnectionHandler handler)
            throws IOException {
        ListenOptions limits = ListenOptions.DEFAULT
                .withConnectionsMax(10_000)
                .withConnectionsPerPeerMax(100)
                .withAcceptRate(AcceptRate.perSecond(1_000));
        return reactor.listen(address, limits, (remote, local) -> isBlocked(remote) ? null : handler);
    }

    private static boolean isBlocked(SocketAddress remote) {
        return remote instanceof InetSocketAddress inet && inet.getAddress().equals(InetAddress.getLoopbackAddress());
    }

    static ConnectionHandler countsRequests() {
        return new ConnectionHandler() {
            private static final AttachmentKey<Session> SESSION = AttachmentKey.named("session");

            @Override
            public void opened(Connection connection) {
                connection.attach(SESSION, new Session());
            }

            @Override
            public void data(Connection connection, ByteBuffer data) {
                connection.attachment(SESSION).requests++;
                connection.write(data);
            }
        };
    }

    static ConnectionHandler sendsHeartbeats() {
        return new ConnectionHandler() {
            private ScheduledTask heartbeat;

            @Override
            public void opened(Connection connection) {
                Duration period = Duration.ofSeconds(10);
                heartbeat =
                        connection.scheduleEvery(period, period, () -> connection.write(ByteBuffer.wrap(new byte[1])));
                connection.deadline(Duration.ofSeconds(5)); // for the first message, however slowly it is sent
            }

            @Override
            public void data(Connection connection, ByteBuffer data) {
                connection.deadline(Duration.ZERO); // removes the deadline
                if (data.get(data.limit() - 1) == 'q') {
                    heartbeat.cancel();
                }
                data.position(data.limit());
            }
        };
    }

    static ConnectionHandler streamsPieces(int pieces) {
        return new ConnectionHandler() {
            private int sent;

            @Override
            public void opened(Connection connection) {
                writable(connection);
            }

            @Override
            public void writable(Connection connection) {
                while (sent < pieces && connection.isWritable()) { // false: writable is called when there is room
                    connection.write(ByteBuffer.wrap(new byte[64 << 10]));
                    sent++;
                }
                if (sent == pieces) {
                    connection.whenWritten((own, failure) -> own.close()); // the kernel has taken all pieces
                }
            }

            @Override
            public void data(Connection connection, ByteBuffer data) {
                data.position(data.limit());
            }
        };
    }

    static void sendFile(Connection connection, ByteBuffer header, ReactorFile file, long length) throws IOException {
        connection.write(header);
        connection.sendFile(file, 0, length);
        connection.whenWritten((own, failure) -> own.close());
    }

    static ConnectionHandler saysGoodbye() {
        return new ConnectionHandler() {
            @Override
            public void data(Connection connection, ByteBuffer data) {
                connection.write(data);
            }

            @Override
            public void draining(Connection connection) {
                connection.write(ByteBuffer.wrap(new byte[] {'b', 'y', 'e'}));
                connection.close();
            }
        };
    }

    static Supplier<ConnectionHandler> blocking(ExecutorService virtualThreads) {
        return BlockingHandlers.of(virtualThreads, connection -> {
            ByteBuffer request = ByteBuffer.allocate(1024);
            while (connection.read(request) >= 0) { // parks the virtual thread, and no thread of the pool
                connection.write(request.flip());
                request.clear();
            }
        });
    }

    static ConnectionHandler measured(StreamReactor reactor) {
        LatencyHistogram queries = reactor.histogram("query"); // shown over JMX beside the pools
        return (connection, data) -> {
            long startNs = System.nanoTime();
            connection.write(data);
            queries.recordSince(startNs);
        };
    }

    static Listener passDescriptor(StreamReactor reactor, long ownUid, int listeningSocket) throws IOException {
        ListenOptions passing = ListenOptions.DEFAULT.withDescriptorsMax(1);
        return reactor.listen(new AbstractUnixAddress("handover"), passing, () -> new ConnectionHandler() {
            @Override
            public void opened(Connection connection) throws IOException {
                if (connection.unixSocket().peerCredentials().uid() == ownUid) {
                    connection.unixSocket().writeDescriptors(ByteBuffer.wrap(new byte[] {'L'}), listeningSocket);
                }
                connection.close();
            }

            @Override
            public void data(Connection connection, ByteBuffer data) {
                data.position(data.limit());
            }
        });
    }
}
