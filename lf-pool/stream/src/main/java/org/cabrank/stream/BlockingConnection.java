package org.cabrank.stream;

import java.io.IOException;
import java.io.InputStream;
import java.io.InterruptedIOException;
import java.io.OutputStream;
import java.net.SocketTimeoutException;
import java.nio.ByteBuffer;
import java.nio.channels.ByteChannel;
import java.time.Duration;
import java.util.Objects;

/**
 * A connection with blocking calls, for code that is written straight down ({@link BlockingHandlers}, {@link #of}).
 * Waits park the calling thread, best a virtual thread, and never a thread of a reactor's pool.
 *
 * <p><b>Threads.</b> Any thread may call any method, several at a time. A write is sent as a whole, without bytes of other writes in
 * between. {@link #read} and {@link #write} throw {@link IllegalStateException} in a thread that takes part in a pool, such as in a
 * callback of any connection: the thread that waits might be the only one that could end the wait.
 *
 * <p><b>Memory.</b> Received bytes wait in a buffer on the heap. When the buffer has {@link StreamLimits#unreadLimit} bytes, reading
 * pauses; it goes on when the task has read half of them. So the buffer holds one receive more than the limit at most. Above
 * {@link StreamLimits#highWatermark} a write waits until the queue of the connection has fallen to the low watermark; a write is never
 * refused because the queue is full.
 *
 * <p><b>Ends.</b> When the peer ends its output, reads return -1 behind the last byte, and writing is still possible. When the connection
 * ends otherwise, bytes that were received before can still be read; then every call, those that wait included, throws
 * {@link ConnectionEndedException} with the cause. After {@link #close} or {@link #abort} calls throw at once. A call of
 * {@link Connection#close} instead of {@link #close} notifies waiting threads only when the connection has ended, which takes
 * {@link StreamTimeouts#closeTotal} at most.
 *
 * <p><b>Interrupts.</b> A thread that waits, or is about to wait, when it is interrupted gets an {@link InterruptedIOException}. Its
 * interrupt status stays set. The connection is unchanged and can be used on; {@link InterruptedIOException#bytesTransferred} is the
 * number of bytes that an interrupted write has handed over. A time-out is a {@link SocketTimeoutException}, which is one of these and
 * leaves the connection unchanged as well.
 *
 * <p><b>Costs.</b> A read allocates nothing. A write copies its bytes on the heap, as each write outside a callback does; small writes
 * should be collected ({@link java.io.BufferedOutputStream}).
 */
public final class BlockingConnection implements ByteChannel {
    private final Connection connection;
    private final BlockingMonitor monitor;
    final BlockingReader reader;
    final BlockingWriter writer;
    private volatile boolean draining;
    private volatile long readTimeoutNs;
    private volatile long writeTimeoutNs;

    BlockingConnection(Connection connection) {
        this.connection = connection;
        this.monitor = new BlockingMonitor(connection);
        this.reader = new BlockingReader(monitor);
        this.writer = new BlockingWriter(monitor);
    }

    /**
     * In a callback, best in {@link ConnectionHandler#opened}: returns the view of the connection with blocking calls, for use in other
     * threads. {@link BlockingHandlers} makes handlers that do this and run a task.
     *
     * <p>The view {@linkplain Connection#replaceHandler replaces} the handler, of which only {@link ConnectionHandler#deadlinePassed},
     * {@link ConnectionHandler#beforeNestedWait} and {@link ConnectionHandler#closed} are still called. A drain waits until the view or
     * the connection is closed. Later calls return the same view.
     *
     * @throws IllegalStateException outside a callback of the connection
     */
    public static BlockingConnection of(Connection connection) {
        return BlockingHandler.takeOver(Objects.requireNonNull(connection, "connection"));
    }

    /** The connection itself: addresses, options, deadline, attachments. */
    public Connection connection() {
        return connection;
    }

    // ---- settings ----

    /**
     * Longest wait of a {@link #read}, after which the read throws a {@link SocketTimeoutException}.
     *
     * @param limit from 1 ms to 366 days; {@link StreamTimeouts#NEVER}: no limit, the default
     */
    public void readTimeout(Duration limit) {
        readTimeoutNs = StreamTimeouts.nanos(limit, "read");
    }

    /**
     * Longest time of a {@link #write} as a whole, after which the write throws a {@link SocketTimeoutException}. Bytes that were handed
     * over before, {@link InterruptedIOException#bytesTransferred}, are sent.
     *
     * @param limit from 1 ms to 366 days; {@link StreamTimeouts#NEVER}: no limit, the default
     */
    public void writeTimeout(Duration limit) {
        writeTimeoutNs = StreamTimeouts.nanos(limit, "write");
    }

    /** Returns true if the reactor is being closed, and waits for this connection to end. */
    public boolean isDraining() {
        return draining;
    }

    // ---- reading ----

    /**
     * Waits for the next request: until at least one byte can be read without a wait. For a task between two requests, because a
     * drain ends the wait. A stream with a buffer of its own, such as {@link java.io.BufferedInputStream}, may have bytes that this
     * method does not know of.
     *
     * @return true: there are bytes; false: the peer has ended its output, or the reactor drains and all bytes that have come are read
     * @throws SocketTimeoutException after {@link #readTimeout}
     */
    public boolean awaitInput() throws IOException {
        return reader.awaitInput(readTimeoutNs);
    }

    /**
     * Reads at least one byte, and as many as have been received and fit.
     *
     * @return number of bytes; 0 if {@code to} has no room; -1 at the end of the input
     */
    @Override
    public int read(ByteBuffer to) throws IOException {
        return reader.read(to, readTimeoutNs);
    }

    /**
     * As {@link #read(ByteBuffer)}, with a time-out for this call.
     *
     * @param limit from 1 ms to 366 days; {@link StreamTimeouts#NEVER}: no limit
     */
    public int read(ByteBuffer to, Duration limit) throws IOException {
        return reader.read(to, StreamTimeouts.nanos(limit, "read"));
    }

    /** As {@link #read(ByteBuffer)}. */
    public int read(byte[] to, int offset, int length) throws IOException {
        return reader.read(to, offset, length, readTimeoutNs);
    }

    /** Number of bytes that can be read without a wait. */
    public int available() {
        return reader.available();
    }

    /**
     * Returns a stream of the bytes that are read. Its {@code close} closes the connection. As with {@link #read}, a byte is read once,
     * by whichever stream or call comes first.
     */
    public InputStream inputStream() {
        return new Input();
    }

    // ---- writing ----

    /**
     * Hands all remaining bytes over to be sent, in order. Waits while more than {@link StreamLimits#highWatermark} bytes are queued. As
     * with any socket, a write that returns may still not arrive.
     *
     * @return number of bytes
     */
    @Override
    public int write(ByteBuffer from) throws IOException {
        return writer.write(from, writeTimeoutNs);
    }

    /** As {@link #write(ByteBuffer)}. */
    public void write(byte[] from, int offset, int length) throws IOException {
        write(ByteBuffer.wrap(from, offset, length));
    }

    /** Returns a stream whose writes are sent at once. Its {@code close} closes the connection, and {@code flush} does nothing. */
    public OutputStream outputStream() {
        return new Output();
    }

    /**
     * Sends what was written, and then tells the peer that no more will come (FIN). Reading goes on. A write of another thread that is
     * under way ends with an exception.
     */
    public void shutdownOutput() throws IOException {
        writer.shutdownOutput();
        connection.shutdownOutput();
    }

    // ---- the end ----

    /** Returns true until {@link #close} or {@link #abort} is called or the connection ends. */
    @Override
    public boolean isOpen() {
        return !monitor.isClosed() && !monitor.hasEnded();
    }

    /**
     * Sends what was written, and closes ({@link Connection#close}). Does not wait for that. Threads that wait in this connection get a
     * {@link ConnectionEndedException}; bytes that are not read are dropped. Any thread, callbacks included. Idempotent.
     */
    @Override
    public void close() {
        closeBy("closed");
        connection.close();
    }

    /** Closes at once ({@link Connection#abort}); otherwise as {@link #close}. */
    public void abort() {
        closeBy("aborted");
        connection.abort();
    }

    private void closeBy(String participle) {
        monitor.lock();
        try {
            if (monitor.close(participle)) {
                reader.discard();
            }
            signalAll();
        } finally {
            monitor.unlock();
        }
    }

    /** Called under the lock. */
    private void signalAll() {
        reader.signalAll();
        writer.signalAll();
    }

    void drains() {
        draining = true;
        reader.drains();
    }

    void ended(Throwable cause) {
        monitor.lock();
        try {
            monitor.end(cause);
            signalAll();
        } finally {
            monitor.unlock();
        }
    }

    @Override
    public String toString() {
        return "blocking " + connection;
    }

    private final class Input extends InputStream {
        @Override
        public int read() throws IOException {
            return reader.readByte(readTimeoutNs);
        }

        @Override
        public int read(byte[] to, int offset, int length) throws IOException {
            return BlockingConnection.this.read(to, offset, length);
        }

        @Override
        public int available() {
            return BlockingConnection.this.available();
        }

        @Override
        public void close() {
            BlockingConnection.this.close();
        }
    }

    private final class Output extends OutputStream {
        @Override
        public void write(int value) throws IOException {
            write(new byte[] {(byte) value}, 0, 1);
        }

        @Override
        public void write(byte[] from, int offset, int length) throws IOException {
            BlockingConnection.this.write(from, offset, length);
        }

        @Override
        public void close() {
            BlockingConnection.this.close();
        }
    }
}
