package org.cabrank.stream.contract;

import static org.junit.jupiter.api.Assertions.assertEquals;

import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.SocketAddress;
import java.util.function.Supplier;
import org.cabrank.lf.fixture.Await;
import org.cabrank.stream.AcceptMode;
import org.cabrank.stream.Backend;
import org.cabrank.stream.BackendProvider;
import org.cabrank.stream.ConnectionAcceptor;
import org.cabrank.stream.ConnectionHandler;
import org.cabrank.stream.ListenOptions;
import org.cabrank.stream.Listener;
import org.cabrank.stream.StreamReactor;
import org.cabrank.stream.transport.StreamBackend;
import org.cabrank.stream.transport.StreamSettings;
import org.cabrank.stream.transport.StreamShard;

/** A reactor, and a look at what it holds. */
public final class TestReactor implements AutoCloseable {
    private static final int BACKLOG = 128;

    private final Probe probe;
    private final StreamReactor reactor;
    private final AcceptMode accept;
    private final StreamLayer layer;

    private TestReactor(Probe probe, StreamReactor reactor, AcceptMode accept, StreamLayer layer) {
        this.accept = accept;
        this.layer = layer;
        this.probe = probe;
        this.reactor = reactor;
    }

    /** Starts what the builder describes, with the backend, the threads and the policies of the mode. */
    public static TestReactor start(ReactorMode mode, StreamReactor.Builder builder) throws IOException {
        Probe probe = new Probe(mode.provider());
        if (mode.shards() > 1) {
            builder.shards(mode.shards()); // else the test may want several
        }
        if (mode.threads() > 0) {
            builder.threadsPerShard(mode.threads());
        }
        StreamReactor reactor = builder.backend(Backend.of(probe))
                .promotion(mode.promotion())
                .deactivation(mode.deactivation())
                .waiting(mode.waiting())
                .start();
        return new TestReactor(probe, reactor, mode.accept(), mode.layer());
    }

    public StreamReactor reactor() {
        return reactor;
    }

    /** Listens at a port of the loopback interface that the kernel chooses; one handler for all connections. */
    public SocketAddress listen(ConnectionHandler handler) throws IOException {
        return listen(loopback(0), accept, () -> handler);
    }

    /**
     * As {@link #listen}, at a loopback address of this process: when the port is free again no other process listens there, and
     * no connect meets itself.
     */
    public InetSocketAddress listenAlone(ConnectionHandler handler) throws IOException {
        int pid = (int) ProcessHandle.current().pid();
        byte[] own = {127, (byte) (1 + (pid >>> 16 & 0x7f)), (byte) (pid >>> 8), (byte) pid};
        SocketAddress address = new InetSocketAddress(InetAddress.getByAddress(own), 0);
        return (InetSocketAddress) listen(address, accept, () -> handler);
    }

    public SocketAddress listen(Supplier<ConnectionHandler> handlers) throws IOException {
        return listen(loopback(0), accept, handlers);
    }

    public SocketAddress listen(SocketAddress address, AcceptMode mode, Supplier<ConnectionHandler> handlers)
            throws IOException {
        return reactor.listen(
                        address,
                        ListenOptions.DEFAULT.withBacklog(BACKLOG).withAcceptMode(mode),
                        layer.handlers(handlers))
                .address();
    }

    public SocketAddress listen(ListenOptions options, Supplier<ConnectionHandler> handlers) throws IOException {
        return listener(options, handlers).address();
    }

    /** Listens at a port of the loopback interface, in the accept mode of the reactor. */
    public Listener listener(ListenOptions options, Supplier<ConnectionHandler> handlers) throws IOException {
        return reactor.listen(loopback(0), options.withAcceptMode(accept), layer.handlers(handlers));
    }

    /** Listens at {@code address} with an acceptor, in the accept mode of the reactor and without a layer. */
    public Listener listener(SocketAddress address, ConnectionAcceptor acceptor) throws IOException {
        return reactor.listen(address, ListenOptions.DEFAULT.withAcceptMode(accept), acceptor);
    }

    public static InetSocketAddress loopback(int port) {
        return new InetSocketAddress(InetAddress.getLoopbackAddress(), port);
    }

    /** Chunks that outbound queues and unread bytes hold. */
    public int chunksInUse() {
        return probe.backend.shards().stream()
                .mapToInt(shard -> shard.context().chunks().inUse())
                .sum();
    }

    /** Listeners and connections. */
    public int streamCount() {
        return probe.backend.shards().stream()
                .mapToInt(StreamShard::streamCount)
                .sum();
    }

    public int handleCount() {
        return probe.backend.shards().stream()
                .mapToInt(shard -> shard.handleSet().handleCount())
                .sum();
    }

    /** Handlers that threw, and other failures that the shards have logged. */
    public long failureCount() {
        return probe.backend.shards().stream()
                .mapToLong(shard -> shard.handleSet().failures().count())
                .sum();
    }

    /** Writes that were refused because the connection's queue was full. */
    public long queueFullCount() {
        return probe.backend.shards().stream()
                .mapToLong(shard -> shard.handleSet().queueFullCount())
                .sum();
    }

    /** Waits until connections have been closed, this many since the start. */
    public void awaitClosed(long count) {
        Await.until(count + " connections closed", () -> reactor.counters().closed() >= count);
        assertEquals(count, reactor.counters().closed());
    }

    /** Closes the reactor; whatever the test did, nothing is left. */
    @Override
    public void close() {
        reactor.close();
        assertEquals(reactor.counters().opened(), reactor.counters().closed(), "connections opened and closed");
        assertEquals(0, chunksInUse(), "chunks in use");
        assertEquals(0, handleCount(), "handles");
        assertEquals(0, streamCount(), "streams");
    }

    /** Hands the backend on and remembers it. */
    private static final class Probe implements BackendProvider {
        private final BackendProvider next;
        private StreamBackend backend;

        Probe(BackendProvider next) {
            this.next = next;
        }

        @Override
        public String name() {
            return next.name();
        }

        @Override
        public int rank() {
            return next.rank();
        }

        @Override
        public String refusal(StreamSettings settings) {
            return next.refusal(settings);
        }

        @Override
        public StreamBackend open(StreamSettings settings) throws IOException {
            backend = next.open(settings);
            return backend;
        }
    }
}
