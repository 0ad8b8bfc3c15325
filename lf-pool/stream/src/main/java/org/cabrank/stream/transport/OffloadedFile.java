package org.cabrank.stream.transport;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.ClosedChannelException;
import java.nio.file.Path;
import java.util.Objects;
import java.util.concurrent.Callable;
import java.util.concurrent.atomic.AtomicInteger;
import org.cabrank.stream.Connection;
import org.cabrank.stream.ConnectionContinuation;
import org.cabrank.stream.ReactorFile;

/** A file whose requests are offloaded work of a connection. A backend carries out the requests. */
public abstract class OffloadedFile implements ReactorFile {
    private static final System.Logger LOGGER = System.getLogger(OffloadedFile.class.getName());

    private static final int CLOSED = 1 << 30;

    private final Path path;

    private final AtomicInteger state = new AtomicInteger();

    protected OffloadedFile(Path path) {
        this.path = path;
    }

    /** Begins the request. {@link FileOperation#end} is called at its end, but not if this method throws. Called by the claim holder. */
    protected abstract void start(Connection connection, FileOperation operation);

    /** Reads as many bytes as fit and are available. Returns their number, or 0 or less at the end of the file. Blocks. */
    protected abstract int readAt(ByteBuffer into, long position) throws IOException;

    /** Called once, when no request is under way and no more can begin. */
    protected abstract void closeDescriptor() throws IOException;

    @Override
    public final void read(
            Connection connection, ByteBuffer into, long position, ConnectionContinuation<? super Integer> continuation)
            throws IOException {
        if (into.isReadOnly()) {
            throw new IllegalArgumentException("a file is read into a writable buffer, but this one is read-only");
        }
        requireFit(into, position);
        FileOperation operation = new FileOperation(this, FileOperation.Kind.READ, into, position);
        offload(connection, operation, operation::outcome, continuation);
    }

    @Override
    public final void write(
            Connection connection, ByteBuffer data, long position, ConnectionContinuation<? super Integer> continuation)
            throws IOException {
        requireFit(data, position);
        FileOperation operation = new FileOperation(this, FileOperation.Kind.WRITE, data, position);
        offload(connection, operation, operation::outcome, continuation);
    }

    @Override
    public final void sync(Connection connection, boolean dataOnly, ConnectionContinuation<? super Void> continuation)
            throws IOException {
        FileOperation.Kind kind = dataOnly ? FileOperation.Kind.SYNC_DATA : FileOperation.Kind.SYNC;
        FileOperation operation = new FileOperation(this, kind, null, 0);
        Callable<Void> outcome = () -> {
            operation.outcome();
            return null;
        };
        offload(connection, operation, outcome, continuation);
    }

    private static void requireFit(ByteBuffer buffer, long position) {
        if (!buffer.isDirect()) {
            throw new IllegalArgumentException(
                    "a file is read and written in direct buffers, but this one is not direct");
        }
        if (position < 0) {
            throw new IllegalArgumentException("the position in a file must be from 0, but is " + position);
        }
    }

    private <T> void offload(
            Connection connection,
            FileOperation operation,
            Callable<T> outcome,
            ConnectionContinuation<? super T> continuation)
            throws IOException {
        Objects.requireNonNull(continuation, "continuation");
        begin();
        boolean begun = false;
        try {
            connection.offload(work -> start(connection, operation.resumedBy(work)), outcome, continuation);
            begun = true;
        } finally {
            if (!begun) {
                release();
            }
        }
    }

    final void begin() throws ClosedChannelException {
        int before;
        do {
            before = state.get();
            if ((before & CLOSED) != 0) {
                throw new ClosedChannelException();
            }
        } while (!state.compareAndSet(before, before + 1));
    }

    final void release() {
        if (state.decrementAndGet() == CLOSED) {
            try {
                closeDescriptor();
            } catch (IOException failed) {
                LOGGER.log(System.Logger.Level.WARNING, "closing " + path + " failed", failed);
            }
        }
    }

    @Override
    public final Path path() {
        return path;
    }

    @Override
    public final void close() throws IOException {
        if (state.getAndUpdate(before -> before | CLOSED) == 0) {
            closeDescriptor();
        }
    }

    public final int underWay() {
        return state.get() & ~CLOSED;
    }

    @Override
    public final String toString() {
        return "file " + path;
    }
}
