package org.cabrank.epoll.example;

import java.io.IOException;
import java.net.SocketAddress;
import java.nio.ByteBuffer;
import java.util.concurrent.CompletableFuture;
import java.util.function.Supplier;
import org.cabrank.kernel.AbstractUnixAddress;
import org.cabrank.stream.ConnectOptions;
import org.cabrank.stream.Connection;
import org.cabrank.stream.ConnectionHandler;
import org.cabrank.stream.ListenOptions;
import org.cabrank.stream.Listener;
import org.cabrank.stream.StreamReactor;

/**
 * A restart without a gap: the next process takes the listening socket over from the former one, over a Unix socket, and serves the
 * connections that have waited in it.
 */
public final class SocketHandoverExample {
    private SocketHandoverExample() {}

    /** The former process: gives its listening socket to each process of this user that connects to {@code address}. */
    static Listener offer(StreamReactor reactor, SocketAddress address, int listeningSocket, long ownUid)
            throws IOException {
        return reactor.listen(address, ListenOptions.DEFAULT.withDescriptorsMax(1), () -> new ConnectionHandler() {
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

    /** The next process: listens with the socket that it is given. */
    static CompletableFuture<Listener> takeOver(
            StreamReactor reactor, SocketAddress address, Supplier<ConnectionHandler> handlers) {
        CompletableFuture<Listener> listening = new CompletableFuture<>();
        reactor.connect(address, ConnectOptions.DEFAULT.withDescriptorsMax(1), new ConnectionHandler() {
                    @Override
                    public void data(Connection connection, ByteBuffer data) throws IOException {
                        data.position(data.limit());
                        int socket = connection.unixSocket().takeDescriptor();
                        listening.complete(reactor.listen(socket, ListenOptions.DEFAULT, handlers));
                        connection.close();
                    }

                    @Override
                    public void closed(Connection connection, Throwable cause) {
                        listening.completeExceptionally(new IOException("no socket was handed over", cause));
                    }
                })
                .exceptionally(refused -> {
                    listening.completeExceptionally(refused);
                    return null;
                });
        return listening;
    }

    /** Serves with the socket that is offered at an abstract name, until the input of this process ends. */
    public static void main(String[] args) throws Exception {
        try (StreamReactor reactor = StreamReactor.builder().start()) {
            Listener listener = takeOver(
                            reactor,
                            new AbstractUnixAddress(args[0]),
                            () -> (connection, data) -> connection.write(data))
                    .get();
            System.out.println("listening on " + listener.address());
            System.in.read();
        }
    }
}
