package org.cabrank.epoll;

import java.io.IOException;
import java.net.InetSocketAddress;
import java.net.SocketAddress;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.Supplier;
import org.cabrank.descriptor.spi.ListeningSocket;
import org.cabrank.descriptor.spi.SocketOps;
import org.cabrank.kernel.Errno;
import org.cabrank.kernel.Kernel;
import org.cabrank.kernel.Sockets;
import org.cabrank.lf.Deactivation;
import org.cabrank.lf.Handle;
import org.cabrank.lf.stream.Connection;
import org.cabrank.lf.stream.ConnectionHandler;
import org.cabrank.lf.stream.StreamSettings;
import org.cabrank.lf.stream.spi.ChunkPool;
import org.cabrank.lf.stream.spi.StreamConnection;
import org.cabrank.lf.stream.spi.StreamContext;
import org.cabrank.lf.stream.spi.StreamShard;

/** One epoll handle set with its listeners and connections. */
final class EpollShard implements StreamShard {
    private static final int CHUNK_BYTES = 16 << 10;

    private final Kernel kernel;
    private final SocketOps sockets;
    private final EpollHandleSet set;
    private final StreamContext context;
    private final List<EpollListener> listeners = new CopyOnWriteArrayList<>();
    private final AtomicInteger streams = new AtomicInteger();

    /** Set before {@link #drain} looks at what there is: what comes later looks here. */
    private volatile boolean draining;

    EpollShard(Kernel kernel, StreamSettings settings) throws IOException {
        this.kernel = kernel;
        this.sockets = new SocketOps(kernel);
        this.set = new EpollHandleSet(kernel, settings.deactivation());
        this.context = new StreamContext(
                set, settings.limits(), settings.timeouts(), new ChunkPool(CHUNK_BYTES, kernel::addressOf));
    }

    Kernel kernel() {
        return kernel;
    }

    SocketOps sockets() {
        return sockets;
    }

    @Override
    public EpollHandleSet handleSet() {
        return set;
    }

    @Override
    public StreamContext context() {
        return context;
    }

    boolean armsOneByOne() {
        return set.deactivation() == Deactivation.ONESHOT;
    }

    EpollListener listen(ListeningSocket socket, boolean exclusive, Supplier<ConnectionHandler> handlers)
            throws IOException {
        EpollListener listener = new EpollListener(this, socket, exclusive, handlers);
        streams.incrementAndGet();
        listeners.add(listener);
        try {
            listener.start();
        } catch (IOException | RuntimeException refused) {
            listenerClosed(listener);
            throw refused;
        }
        if (draining) {
            listener.drain();
        }
        return listener;
    }

    void listenerClosed(EpollListener listener) {
        listeners.remove(listener);
        streams.decrementAndGet();
    }

    /** A connection that a listener has accepted. */
    void admit(int fd, SocketAddress remote, SocketAddress local, ConnectionHandler handler) throws IOException {
        start(new EpollConnection(this, fd, remote, local, handler, null), StreamConnection.OPENED, Handle.NO_DEADLINE);
    }

    private void start(EpollConnection connection, int posted, long deadlineNs) throws IOException {
        streams.incrementAndGet();
        try {
            set.admit(connection.epollHandle(), posted, deadlineNs);
        } catch (IOException | RuntimeException refused) {
            streams.decrementAndGet();
            throw refused;
        }
        if (draining) {
            connection.drain();
        }
    }

    void streamClosed() {
        streams.decrementAndGet();
        for (EpollListener listener : listeners) {
            listener.descriptorFreed();
        }
    }

    @Override
    public CompletableFuture<Connection> connect(SocketAddress address, ConnectionHandler handler) {
        CompletableFuture<Connection> connecting = new CompletableFuture<>();
        int fd = sockets.streamSocket(address);
        if (fd < 0) {
            connecting.completeExceptionally(Errno.exception("connect to " + address + ": socket", fd));
            return connecting;
        }
        try {
            connect(fd, address, handler, connecting);
        } catch (IOException | RuntimeException refused) {
            set.closeQuietly(fd);
            connecting.completeExceptionally(refused);
        }
        return connecting;
    }

    private void connect(
            int fd, SocketAddress address, ConnectionHandler handler, CompletableFuture<Connection> connecting)
            throws IOException {
        if (address instanceof InetSocketAddress) {
            Errno.check("setsockopt TCP_NODELAY", sockets.option(fd, Sockets.IPPROTO_TCP, Sockets.TCP_NODELAY, 1));
        }
        int result = sockets.connect(fd, address);
        // Interrupted, it goes on by itself (connect(2)), and asking again would only be told EALREADY.
        if (result < 0 && result != -Errno.EINPROGRESS && result != -Errno.EINTR) {
            throw Errno.exception("connect to " + address, result);
        }
        EpollConnection connection = new EpollConnection(this, fd, address, null, handler, connecting);
        // With the registration, not after it: the connection might stand by then, and have a timer of its own.
        long timeoutNs = context.connectTimeoutNs();
        start(connection, 0, timeoutNs == 0 ? Handle.NO_DEADLINE : set.nanoTime() + timeoutNs);
    }

    @Override
    public void drain() {
        draining = true;
        listeners.forEach(EpollListener::drain);
        for (Handle handle : set.handles()) {
            if (handle.handler() instanceof EpollConnection connection) {
                connection.drain();
            }
        }
    }

    /** The pool has come to its end: what still stands is reset, so that nobody takes half an answer for a whole one. */
    void close() {
        for (Handle handle : set.handles()) {
            if (handle.handler() instanceof EpollConnection connection) {
                connection.abandon();
            }
        }
        set.close();
    }

    @Override
    public int streamCount() {
        return streams.get();
    }
}
