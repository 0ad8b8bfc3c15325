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
 * A connection with blocking calls, for sequential code ({@link BlockingHandlers}, {@link #of}). A call that waits parks its thread.
 *
 * <p><b>Threads.</b> Any thread may call any method, and several threads may call at a time. The bytes of two writes are never mixed.
 * {@link #read} and {@link #write} throw {@link IllegalStateException} in a callback and in any other thread of a pool, because that thread
 * might be the only one that could end the wait.
 *
 * <p><b>Memory.</b> Received bytes wait in a buffer on the heap. When {@link StreamLimits#unreadLimit} bytes are in the buffer, the
 * connection stops receiving until half of them are read. The buffer can exceed the limit by one receive. When more than {@link
 * StreamLimits#highWatermark} bytes are queued for sending, a write waits until the queue has fallen to the low watermark.
 *
 * <p><b>Ends.</b> When the peer ends its output, reads return -1 after the last byte, and writing is still possible. When the connection
 * ends for another reason, each call throws {@link ConnectionEndedException} with the cause, but reads first return the bytes that were
 * received. After {@link #close} or {@link #abort}, calls throw at once. After {@link Connection#close}, waiting threads are notified only
 * when the connection has ended, within {@link StreamTimeouts#closeTotal}.
 *
 * <p><b>Interrupts.</b> If a thread is interrupted before or in a wait, the call throws {@link InterruptedIOException}, whose {@code
 * bytesTransferred} counts the bytes that a write has handed over. The interrupt status stays set, and the connection remains usable.
 *
 * <p><b>Costs.</b> A read allocates nothing. A write copies its bytes to the heap. Collect small writes.
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
     * Returns the view of the connection with blocking calls, for use in other threads. Call this method in a callback, preferably in
     * {@link ConnectionHandler#opened}. Later calls return the same view.
     *
     * <p>The view {@linkplain Connection#replaceHandler replaces} the handler. Of the replaced handler, only {@link
     * ConnectionHandler#deadlinePassed}, {@link ConnectionHandler#beforeNestedWait} and {@link ConnectionHandler#closed} are still called.
     * A drain waits until the user of the view closes the connection.
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
     * Sets the time until a {@link #write} throws {@link SocketTimeoutException}: 1 ms to 366 days; default {@link StreamTimeouts#NEVER}.
     * Bytes that were handed over before the time-out are sent; {@link InterruptedIOException#bytesTransferred} is their number.
     */
    public void writeTimeout(Duration limit) {
        writeTimeoutNs = StreamTimeouts.nanos(limit, "write");
    }

    /** Returns true if the reactor is being closed and therefore waits for this connection to end. */
    public boolean isDraining() {
        return draining;
    }

    /**
     * Waits for the next request. Returns true when a byte can be read. Returns false if the peer has ended its output, or if the reactor
     * drains and all received bytes are read. Bytes in a {@link java.io.BufferedInputStream} do not count.
     *
     * @throws SocketTimeoutException after {@link #readTimeout}
     */
    public boolean awaitInput() throws IOException {
        return reader.awaitInput(readTimeoutNs);
    }

    /** Waits for a byte, and reads as many received bytes as fit. Returns their number, 0 if {@code to} is full, or -1 at the end. */
    @Override
    public int read(ByteBuffer to) throws IOException {
        return reader.read(to, readTimeoutNs);
    }

    /** As {@link #read(ByteBuffer)}, with a time-out for this call, from 1 ms to 366 days, or {@link StreamTimeouts#NEVER}. */
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

    /** Returns a stream that reads this connection. Its {@code close} closes the connection. Several streams share the input. */
    public InputStream inputStream() {
        return new Input();
    }

    /** Hands over all remaining bytes; returns their number. Waits while more than {@link StreamLimits#highWatermark} bytes are queued. */
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

    /** Ends the output (FIN) after all written bytes are sent. Reading continues. A concurrent write throws an exception. */
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
     * Closes the connection ({@link Connection#close}) without a wait: written bytes are sent first, and unread bytes are dropped. Threads
     * that wait in this connection get a {@link ConnectionEndedException}. Callbacks may call this method. Idempotent.
     */
    @Override
    public void close() {
        closeBy("closed");
        connection.close();
    }

    /** As {@link #close}, but closes at once ({@link Connection#abort}): written bytes may be lost. */
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
