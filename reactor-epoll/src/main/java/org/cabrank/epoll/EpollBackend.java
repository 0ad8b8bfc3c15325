package org.cabrank.epoll;

import java.io.IOException;
import java.net.SocketAddress;
import java.util.ArrayList;
import java.util.List;
import java.util.function.Supplier;
import org.cabrank.kernel.Kernel;
import org.cabrank.lf.stream.AcceptMode;
import org.cabrank.lf.stream.ConnectionHandler;
import org.cabrank.lf.stream.StreamSettings;
import org.cabrank.lf.stream.spi.StreamBackend;
import org.cabrank.lf.stream.spi.StreamShard;

/** Shards over epoll. */
public final class EpollBackend implements StreamBackend {
    private final Kernel kernel;
    private final List<EpollShard> shards = new ArrayList<>();

    /** @throws IOException when the process may have no more descriptors */
    public EpollBackend(Kernel kernel, StreamSettings settings) throws IOException {
        this.kernel = kernel;
        try {
            for (int i = 0; i < settings.shards(); i++) {
                shards.add(new EpollShard(kernel, settings));
            }
        } catch (IOException refused) {
            close();
            throw refused;
        }
    }

    @Override
    public String name() {
        return EpollBackendProvider.NAME;
    }

    @Override
    public String description() {
        return EpollBackendProvider.NAME + ", " + kernel.name();
    }

    @Override
    public List<StreamShard> shards() {
        return List.copyOf(shards);
    }

    @Override
    public SocketAddress listen(
            SocketAddress address, int backlog, AcceptMode mode, Supplier<ConnectionHandler> handlers)
            throws IOException {
        return mode == AcceptMode.REUSEPORT
                ? listenSeparately(address, backlog, handlers)
                : listenTogether(address, backlog, handlers);
    }

    private SocketAddress listenTogether(SocketAddress address, int backlog, Supplier<ConnectionHandler> handlers)
            throws IOException {
        SocketOps sockets = shards.get(0).sockets();
        ListeningSocket socket = ListeningSocket.open(kernel, sockets, address, backlog, false, shards.size());
        int listening = 0;
        try {
            for (EpollShard shard : shards) {
                shard.listen(socket, shards.size() > 1, handlers);
                listening++;
            }
        } finally {
            // The shards that listen release it themselves when they are closed.
            for (int i = listening; i < shards.size(); i++) {
                socket.release();
            }
        }
        return socket.address();
    }

    private SocketAddress listenSeparately(SocketAddress address, int backlog, Supplier<ConnectionHandler> handlers)
            throws IOException {
        SocketAddress shared = address; // after the first, with the port that the kernel chose
        for (EpollShard shard : shards) {
            ListeningSocket socket = ListeningSocket.open(kernel, shard.sockets(), shared, backlog, true, 1);
            shared = socket.address();
            try {
                shard.listen(socket, false, handlers);
            } catch (IOException | RuntimeException refused) {
                socket.release();
                throw refused;
            }
        }
        return shared;
    }

    @Override
    public void close() {
        shards.forEach(shard -> shard.handleSet().close());
    }
}
