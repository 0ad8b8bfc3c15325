package org.cabrank.descriptor.spi;

import java.io.IOException;
import java.net.InetSocketAddress;
import java.net.SocketAddress;
import java.util.ArrayList;
import java.util.List;
import java.util.function.Supplier;
import org.cabrank.kernel.Kernel;
import org.cabrank.lf.stream.AcceptMode;
import org.cabrank.lf.stream.ConnectionHandler;
import org.cabrank.lf.stream.spi.StreamBackend;
import org.cabrank.lf.stream.spi.StreamShard;

/** Shards over descriptor sets of one kind, and how they share the sockets that listen. */
public abstract class SocketBackend implements StreamBackend {
    private final Kernel kernel;
    private final List<SocketShard> shards;

    /** Makes one shard. */
    @FunctionalInterface
    public interface ShardFactory {
        SocketShard open() throws IOException;
    }

    /** @throws IOException when a shard cannot be had; those that were made are closed then */
    protected SocketBackend(Kernel kernel, int count, ShardFactory factory) throws IOException {
        this.kernel = kernel;
        List<SocketShard> made = new ArrayList<>();
        try {
            for (int i = 0; i < count; i++) {
                made.add(factory.open());
            }
        } catch (IOException | RuntimeException refused) {
            made.forEach(SocketShard::close);
            throw refused;
        }
        this.shards = List.copyOf(made);
    }

    protected final Kernel kernel() {
        return kernel;
    }

    @Override
    public final List<StreamShard> shards() {
        return List.copyOf(shards);
    }

    @Override
    public final SocketAddress listen(
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
        List<SocketListener> listening = new ArrayList<>();
        try {
            for (SocketShard shard : shards) {
                listening.add(shard.listen(socket, shards.size() > 1, handlers));
            }
        } catch (IOException | RuntimeException refused) {
            // The listeners release it as they are closed.
            for (int i = listening.size(); i < shards.size(); i++) {
                socket.release();
            }
            listening.forEach(SocketListener::close);
            throw refused;
        }
        return socket.address();
    }

    private SocketAddress listenSeparately(SocketAddress address, int backlog, Supplier<ConnectionHandler> handlers)
            throws IOException {
        SocketAddress shared = address; // after the first, with the port that the kernel chose
        List<SocketListener> listening = new ArrayList<>();
        try {
            for (SocketShard shard : shards) {
                ListeningSocket socket = ListeningSocket.open(kernel, shard.sockets(), shared, backlog, true, 1);
                shared = socket.address();
                listening.add(listen(shard, socket, handlers));
            }
        } catch (IOException | RuntimeException refused) {
            listening.forEach(SocketListener::close);
            throw refused;
        }
        return shared;
    }

    private static SocketListener listen(
            SocketShard shard, ListeningSocket socket, Supplier<ConnectionHandler> handlers) throws IOException {
        try {
            return shard.listen(socket, false, handlers);
        } catch (IOException | RuntimeException refused) {
            socket.release();
            throw refused;
        }
    }

    @Override
    public final void close() {
        shards.forEach(SocketShard::close);
    }
}
