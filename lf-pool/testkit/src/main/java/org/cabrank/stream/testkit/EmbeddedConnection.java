package org.cabrank.stream.testkit;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.nio.file.OpenOption;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.time.Duration;
import java.util.Objects;
import java.util.Set;
import org.cabrank.lf.LeaderFollowersPool;
import org.cabrank.lf.PoolConfig;
import org.cabrank.lf.Timers;
import org.cabrank.lf.handle.EventHandler;
import org.cabrank.lf.handle.Handle;
import org.cabrank.stream.Connection;
import org.cabrank.stream.ConnectionHandler;
import org.cabrank.stream.ReactorFile;
import org.cabrank.stream.StreamLimits;
import org.cabrank.stream.StreamTimeouts;
import org.cabrank.stream.transport.ChannelFile;
import org.cabrank.stream.transport.ChunkPool;
import org.cabrank.stream.transport.ConnectionQuota;
import org.cabrank.stream.transport.ConnectionTerms;
import org.cabrank.stream.transport.StreamConnection;
import org.cabrank.stream.transport.StreamContext;

/**
 * A connection without a socket. The handler, its {@link Connection} and the order of its callbacks are those of a reactor. The test plays
 * the peer, and moves the clock.
 *
 * <p>Each connection has a pool of its own with one thread, which runs the callbacks. A method that gives the connection something to do
 * returns when this thread has nothing left to do, so assertions may follow at once. It does not wait for offloaded work, unless the
 * executor is {@code Runnable::run}. Any thread except the pool's thread may call the methods.
 */
public final class EmbeddedConnection implements AutoCloseable {
    /** Size of a socket buffer that takes all bytes. It is the default of {@link #peerTakes}. */
    public static final long UNLIMITED = Long.MAX_VALUE;

    private static final int CHUNK_BYTES = 64 << 10;

    private final EmbeddedSet set = new EmbeddedSet();
    private final EmbeddedIo io = new EmbeddedIo();
    private final LeaderFollowersPool pool;
    private final StreamConnection connection;

    private volatile boolean closed;
    private volatile Throwable closeCause;

    private EmbeddedConnection(ConnectionHandler handler, StreamLimits limits, StreamTimeouts timeouts) {
        Objects.requireNonNull(handler, "handler");
        ChunkPool chunks = new ChunkPool(CHUNK_BYTES, io.memory()::addressOf);
        chunks.bound(limits.shardMemory(1));
        StreamContext context = new StreamContext(set, limits, chunks);
        context.waitBy(set.waits());
        connection = new StreamConnection(handler, context, ConnectionTerms.of(timeouts, ConnectionQuota.NONE), io);
        pool = new LeaderFollowersPool(set, PoolConfig.of("embedded", 1));
        Handle handle = set.register(new Events());
        io.bind(connection);
        connection.bind(handle);
        pool.start();
        set.act(() -> handle.post(StreamConnection.OPENED));
    }

    /** Opens a connection with default limits and time-outs. Returns after {@link ConnectionHandler#opened}. */
    public static EmbeddedConnection open(ConnectionHandler handler) {
        return open(handler, StreamLimits.DEFAULT, StreamTimeouts.DEFAULT);
    }

    /** As {@link #open(ConnectionHandler)}, with the limits and time-outs of a reactor. */
    public static EmbeddedConnection open(ConnectionHandler handler, StreamLimits limits, StreamTimeouts timeouts) {
        return new EmbeddedConnection(handler, limits, timeouts);
    }

    /** As {@link org.cabrank.stream.StreamReactor#openFile}, for a handler under test. The thread of the connection reads the file. */
    public static ReactorFile openFile(Path path, OpenOption... options) throws IOException {
        Set<OpenOption> wanted = options.length == 0 ? Set.of(StandardOpenOption.READ) : Set.of(options);
        return ChannelFile.open(path, wanted, Runnable::run);
    }

    /** The connection that the handler has. The caller may use the connection like any thread that is not in a callback. */
    public Connection connection() {
        return connection;
    }

    /** The peer sends bytes, which the handler receives at once. */
    public void peerSends(ByteBuffer bytes) {
        byte[] copy = new byte[bytes.remaining()];
        bytes.get(copy);
        set.act(() -> io.peerSends(copy));
    }

    public void peerSends(String text) {
        peerSends(StandardCharsets.UTF_8.encode(text));
    }

    /** Ends the peer's output (half-close). The handler gets the peer's earlier bytes before it is notified of the end. */
    public void peerEnds() {
        set.act(io::peerEnds);
    }

    public void peerResets() {
        set.act(io::peerResets);
    }

    /** Sets the number of further bytes that the socket takes, up to {@link #UNLIMITED}. Other bytes are queued until the next call. */
    public void peerTakes(long bytes) {
        if (bytes < 0) {
            throw new IllegalArgumentException("the peer takes 0 bytes or more, not " + bytes);
        }
        set.act(() -> io.peerTakes(bytes));
    }

    /** Sets the number of bytes that the socket has taken but the peer has not, initially 0. A decrease is progress for time limits. */
    public void peerLeaves(long bytes) {
        if (bytes < 0) {
            throw new IllegalArgumentException("the peer leaves 0 bytes or more, not " + bytes);
        }
        set.act(() -> io.peerLeaves(bytes));
    }

    /** Returns the bytes that the handler has sent since the last call. */
    public ByteBuffer peerReceivesBytes() {
        set.awaitIdle();
        return ByteBuffer.wrap(io.takeSent());
    }

    /** Returns the bytes of {@link #peerReceivesBytes} as UTF-8 text. */
    public String peerReceives() {
        return StandardCharsets.UTF_8.decode(peerReceivesBytes()).toString();
    }

    /** Returns true if the handler's side has sent its end (FIN). */
    public boolean isOutputEnded() {
        set.awaitIdle();
        return io.isOutputEnded();
    }

    /** Returns true if the connection was ended by a reset of the handler's side. */
    public boolean isReset() {
        set.awaitIdle();
        return io.isReset();
    }

    /** Moves the clock. Time-outs, deadlines and waits of a {@link org.cabrank.stream.BlockingConnection} that are due then expire. */
    public void advance(Duration time) {
        if (time.isNegative()) {
            throw new IllegalArgumentException("the clock goes forward only, not by " + time);
        }
        set.advance(Timers.delayNs(time));
    }

    /** Drains the connection, as a reactor that is being closed does. */
    public void drain() {
        set.act(connection::drain);
    }

    /** Waits until the connection has nothing left to do. Needed after the test has called methods of {@link #connection}. */
    public void awaitIdle() {
        set.awaitIdle();
    }

    /** Returns true after {@link ConnectionHandler#closed}. */
    public boolean isClosed() {
        set.awaitIdle();
        return closed;
    }

    /** Returns the cause that {@link ConnectionHandler#closed} was given, or null. */
    public Throwable closeCause() {
        set.awaitIdle();
        return closeCause;
    }

    /** Closes the connection, if it is still open, and ends its thread. Idempotent. */
    @Override
    public void close() {
        pool.stopNow();
        pool.close();
        if (!closed) {
            connection.abandon();
        }
        set.close();
    }

    private final class Events implements EventHandler {
        @Override
        public void handleEvent(Handle handle, int ready) throws Exception {
            connection.handleEvent(handle, ready);
        }

        @Override
        public void beforeNestedWait(Handle handle) {
            connection.beforeNestedWait(handle);
        }

        @Override
        public void handleClosed(Handle handle, Throwable thrown) {
            try {
                connection.handleClosed(handle, thrown);
            } finally {
                closeCause = thrown == null ? connection.failure() : thrown;
                closed = true;
            }
        }
    }
}
