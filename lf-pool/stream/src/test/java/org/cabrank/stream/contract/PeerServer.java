package org.cabrank.stream.contract;

import java.io.IOException;
import java.net.SocketAddress;
import java.nio.channels.ServerSocketChannel;

/** A listening socket of the JDK that a reactor connects to; connections wait in its backlog. */
final class PeerServer implements AutoCloseable {
    private final ServerSocketChannel channel;

    PeerServer() throws IOException {
        channel = ServerSocketChannel.open().bind(TestReactor.loopback(0));
    }

    SocketAddress address() throws IOException {
        return channel.getLocalAddress();
    }

    @Override
    public void close() throws IOException {
        channel.close();
    }
}
