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
 * A connection with blocking calls, for sequential code ({@link BlockingHandlers}, {@link #of}). Waits park the calling thread, best a
 * virtual thread, and never a thread of a reactor's pool.
 *
 * <p><b>Threads.</b> Any thread may call any method, several at a time. A write is sent as a whole, without bytes of other writes in
 * between. {@link #read} and {@link #write} throw {@link IllegalStateException} in a thread that takes part in a pool, such as in any
 * callback: it might be the only thread that could end the wait.
 *
 * <p><b>Memory.</b> Received bytes wait in a buffer on the heap. At {@link StreamLimits#unreadLimit} bytes reading pauses until half of
 * them are read, so the buffer exceeds the limit by one receive at most. Above {@link StreamLimits#highWatermark} a write waits until the
 * queue of the connection has fallen to the low watermark; a full queue never refuses a write.
 *
 * <p><b>Ends.</b> When the peer ends its output, reads return -1 after the last byte, and writing is still possible. When the connection
 * ends otherwise, bytes that were received before can still be read; then every call, those that wait included, throws {@link
 * ConnectionEndedException} with the cause. After {@link #close} or {@link #abort} calls throw at once. A call of {@link Connection#close}
 * instead notifies waiting threads only when the connection has ended, within {@link StreamTimeouts#closeTotal}.
 *
 * <p><b>Interrupts.</b> A thread that is interrupted while it waits, or before, gets an {@link InterruptedIOException}; its interrupt
 * status stays set. The connection is unchanged and remains usable; {@link InterruptedIOException#bytesTransferred} is the number of bytes
 * that the write has handed over. The {@link SocketTimeoutException} of a time-out is a subclass.
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
     * threads. {@link BlockingHandlers} makes handlers that do this and run a task. Later calls return the same view.
     *
     * <p>The view {@linkplain Connection#replaceHandler replaces} the handler, of which only {@link ConnectionHandler#deadlinePassed},
     * {@link ConnectionHandler#beforeNestedWait} and {@link ConnectionHandler#closed} are still called. A drain waits for the view.
     *
     * @throws IllegalStateException outside a callback of the connection
     */
    public static BlockingConnection of(Connection connection) {
        return BlockingHandler.takeOver(Objects.requireNonNull(connection, "connection"));
    }

    public Connection connection() {
        return connection;
    }

    /** Sets the time until a {@link #read} throws SocketTimeoutException: 1 ms to 366 days; default {@link StreamTimeouts#NEVER}. */
    public void readTimeout(Duration limit) {
        readTimeoutNs = StreamTimeouts.nanos(limit, "read");
    }

    /**
     * Sets the time until a {@link #write} throws {@link SocketTimeoutException}: 1 ms to 366 days, or {@link StreamTimeouts#NEVER}, the
     * default. Bytes that were handed over before, {@link InterruptedIOException#bytesTransferred}, are sent.
     */
    public void writeTimeout(Duration limit) {
        writeTimeoutNs = StreamTimeouts.nanos(limit, "write");
    }

    /** Returns true if the reactor is being closed, and waits for this connection to end. */
    public boolean isDraining() {
        return draining;
    }

    /**
     * Waits for the next request. Returns true when at least one byte can be read without a wait; false if the peer has ended its output,
     * or the reactor drains and all received bytes are read. Bytes that a stream has buffered itself, such as {@link
     * java.io.BufferedInputStream}, do not count.
     *
     * @throws SocketTimeoutException after {@link #readTimeout}
     */
    public boolean awaitInput() throws IOException {
        return reader.awaitInput(readTimeoutNs);
    }

    /** Reads at least one byte, and as many as have been received and fit; returns their number, 0 if {@code to} is full, -1 at the end. */
    @Override
    public int read(ByteBuffer to) throws IOException {
        return reader.read(to, readTimeoutNs);
    }

    /** As {@link #read(ByteBuffer)}, with a time-out for this call: from 1 ms to 366 days; {@link StreamTimeouts#NEVER}: no limit. */
    public int read(ByteBuffer to, Duration limit) throws IOException {
        return reader.read(to, StreamTimeouts.nanos(limit, "read"));
    }

    public int read(byte[] to, int offset, int length) throws IOException {
        return reader.read(to, offset, length, readTimeoutNs);
    }

    /** Number of bytes that can be read without a wait. */
    public int available() {
        return reader.available();
    }

    /** Returns a stream of the read bytes, whose {@code close} closes the connection. Each byte is read once, by the first call for it. */
    public InputStream inputStream() {
        return new Input();
    }

    /**
     * Hands all remaining bytes over to be sent, in order, and returns their number. Waits while more than {@link
     * StreamLimits#highWatermark} bytes are queued. As with any socket, bytes of a write that has returned may never arrive.
     */
    @Override
    public int write(ByteBuffer from) throws IOException {
        return writer.write(from, writeTimeoutNs);
    }

    public void write(byte[] from, int offset, int length) throws IOException {
        write(ByteBuffer.wrap(from, offset, length));
    }

    /** Returns a stream whose writes are sent at once. Its {@code close} closes the connection, and {@code flush} does nothing. */
    public OutputStream outputStream() {
        return new Output();
    }

    /** Sends what was written, then ends the output (FIN). Reading continues; another thread's write under way ends with an exception. */
    public void shutdownOutput() throws IOException {
        writer.shutdownOutput();
        connection.shutdownOutput();
    }

    /** Returns true until {@link #close} or {@link #abort} is called or the connection ends. */
    @Override
    public boolean isOpen() {
        return !monitor.isClosed() && !monitor.hasEnded();
    }

    /**
     * Sends what was written, and closes ({@link Connection#close}), without a wait. Threads that wait in this connection get a {@link
     * ConnectionEndedException}; bytes that are not read are dropped. Any thread, callbacks included. Idempotent.
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
