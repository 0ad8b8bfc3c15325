package org.cabrank.epoll;

import java.io.IOException;
import java.net.InetSocketAddress;
import java.net.SocketAddress;
import java.util.ArrayList;
import java.util.List;
import java.util.function.Supplier;
import org.cabrank.descriptor.spi.ListeningSocket;
import org.cabrank.descriptor.spi.SocketOps;
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
        boolean separately = mode == AcceptMode.REUSEPORT && shards.size() > 1;
        if (separately && !(address instanceof InetSocketAddress)) {
            throw new IllegalArgumentException(
                    address + " cannot be shared by REUSEPORT, which is for TCP: use EXCLUSIVE");
        }
        return separately ? listenSeparately(address, backlog, handlers) : listenTogether(address, backlog, handlers);
    }

    private SocketAddress listenTogether(SocketAddress address, int backlog, Supplier<ConnectionHandler> handlers)
            throws IOException {
        SocketOps sockets = shards.get(0).sockets();
        ListeningSocket socket = ListeningSocket.open(kernel, sockets, address, backlog, false, shards.size());
        List<EpollListener> listening = new ArrayList<>();
        try {
            for (EpollShard shard : shards) {
                listening.add(shard.listen(socket, shards.size() > 1, handlers));
            }
        } catch (IOException | RuntimeException refused) {
            // The listeners release it as they are closed.
            for (int i = listening.size(); i < shards.size(); i++) {
                socket.release();
            }
            listening.forEach(EpollListener::close);
            throw refused;
        }
        return socket.address();
    }

    private SocketAddress listenSeparately(SocketAddress address, int backlog, Supplier<ConnectionHandler> handlers)
            throws IOException {
        SocketAddress shared = address; // after the first, with the port that the kernel chose
        List<EpollListener> listening = new ArrayList<>();
        try {
            for (EpollShard shard : shards) {
                ListeningSocket socket = ListeningSocket.open(kernel, shard.sockets(), shared, backlog, true, 1);
                shared = socket.address();
                listening.add(listen(shard, socket, handlers));
            }
        } catch (IOException | RuntimeException refused) {
            listening.forEach(EpollListener::close);
            throw refused;
        }
        return shared;
    }

    private static EpollListener listen(EpollShard shard, ListeningSocket socket, Supplier<ConnectionHandler> handlers)
            throws IOException {
        try {
            return shard.listen(socket, false, handlers);
        } catch (IOException | RuntimeException refused) {
            socket.release();
            throw refused;
        }
    }

    @Override
    public void close() {
        shards.forEach(EpollShard::close);
    }
}
