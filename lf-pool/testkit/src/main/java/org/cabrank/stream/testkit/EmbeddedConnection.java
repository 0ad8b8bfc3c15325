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
 * A connection without a socket. The handler, its {@link Connection} and the order of its callbacks are those of a reactor; the test
 * replaces the kernel: it sends and receives as the peer, and moves the clock.
 *
 * <p>Callbacks run on the one thread of an own pool. Methods that give the connection something to do return when that thread has nothing
 * left to do, so assertions may follow at once. They do not wait for offloaded work, unless its executor runs it in the calling thread
 * ({@code Runnable::run}). Any thread except the pool's may call every method.
 */
public final class EmbeddedConnection implements AutoCloseable {
    /** Socket buffer that takes everything: the default of {@link #peerTakes}. */
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

    /**
     * Opens a file for a handler under test, which reads and sends it as a file of a reactor ({@link Connection#sendFile}), on the
     * connection's thread. {@code options} are those of {@link org.cabrank.stream.StreamReactor#openFile}; none: READ.
     */
    public static ReactorFile openFile(Path path, OpenOption... options) throws IOException {
        Set<OpenOption> wanted = options.length == 0 ? Set.of(StandardOpenOption.READ) : Set.of(options);
        return ChannelFile.open(path, wanted, Runnable::run);
    }

    /** The connection as the handler has it; the caller uses it as a thread that is not in a callback. */
    public Connection connection() {
        return connection;
    }

    /** The peer sends bytes, which the handler receives at once. */
    public void peerSends(ByteBuffer bytes) {
        byte[] copy = new byte[bytes.remaining()];
        bytes.get(copy);
        set.act(() -> io.peerSends(copy));
    }

    /** The peer sends text in UTF-8. */
    public void peerSends(String text) {
        peerSends(StandardCharsets.UTF_8.encode(text));
    }

    /** Ends the peer's output (half-close). The handler is notified after the bytes that the peer has sent before. */
    public void peerEnds() {
        set.act(io::peerEnds);
    }

    public void peerResets() {
        set.act(io::peerResets);
    }

    /** Sets the number of further bytes, up to {@link #UNLIMITED}, that the socket takes until the next call; other bytes are queued. */
    public void peerTakes(long bytes) {
        if (bytes < 0) {
            throw new IllegalArgumentException("the peer takes 0 bytes or more, not " + bytes);
        }
        set.act(() -> io.peerTakes(bytes));
    }

    /**
     * Sets the number of bytes, from 0, that the socket has taken and the peer has not; default 0. For time limits, bytes that the peer
     * takes are progress.
     */
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

    /** Returns what the handler has sent since the last call, as UTF-8 text. */
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

    /**
     * Moves the clock of time-outs and deadlines; those that are due act. It is the clock of a {@link
     * org.cabrank.stream.BlockingConnection} too: waits that began before this call end if they are due.
     */
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

    /** Waits until the connection has nothing left to do, after calls of the test on {@link #connection}. */
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
