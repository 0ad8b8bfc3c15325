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
import java.util.concurrent.locks.Condition;
import java.util.concurrent.locks.ReentrantLock;
import org.cabrank.lf.LeaderFollowersPool;

/**
 * A connection with blocking calls, for code that is written straight down ({@link BlockingHandlers}, {@link Connection#blocking}).
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
 * leaves the connection unchanged, too.
 *
 * <p><b>Costs.</b> A read allocates nothing. A write copies its bytes on the heap, as each write outside a callback does; small writes
 * should be collected ({@link java.io.BufferedOutputStream}).
 */
public final class BlockingConnection implements ByteChannel {
    /** Named bound: bytes that are handed over before the queue is looked at. */
    private static final int PIECE_MAX = 64 << 10;

    private final Connection connection;
    private final int pauseAtBytes;

    private final ReentrantLock lock = new ReentrantLock();
    private final Condition readable = lock.newCondition();
    private final Condition writable = lock.newCondition();
    private final Condition writerGone = lock.newCondition();

    // With the lock.

    private final BlockingInput input = new BlockingInput();
    private boolean readingPaused;
    private boolean inputEnded;
    private boolean outputShut;
    /** The reactor drains, and all bytes that have been received are in {@link #input}. */
    private boolean inputDrained;

    /** A thread is in {@link #write}. */
    private boolean writing;

    /** Grows with each {@link ConnectionHandler#writable}. */
    private int timesWritable;

    /** This side has called {@link #close} or {@link #abort}: its name; null: not yet. */
    private String closedBy;

    private boolean ended;
    private Throwable endCause;

    private volatile boolean draining;
    private volatile long readTimeoutNs;
    private volatile long writeTimeoutNs;

    BlockingConnection(Connection connection) {
        this.connection = connection;
        this.pauseAtBytes = connection.limits().unreadLimit();
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
        requireMayWait("wait");
        lock.lock();
        try {
            boolean available = awaitInput(readTimeoutNs, true);
            if (available) {
                readable.signal(); // another thread may wait to read
            }
            return available;
        } finally {
            lock.unlock();
        }
    }

    /**
     * Reads at least one byte, and as many as have been received and fit.
     *
     * @return number of bytes; 0 if {@code to} has no room; -1 at the end of the input
     */
    @Override
    public int read(ByteBuffer to) throws IOException {
        return read(to, readTimeoutNs);
    }

    /**
     * As {@link #read(ByteBuffer)}, with a time-out for this call.
     *
     * @param limit from 1 ms to 366 days; {@link StreamTimeouts#NEVER}: no limit
     */
    public int read(ByteBuffer to, Duration limit) throws IOException {
        return read(to, StreamTimeouts.nanos(limit, "read"));
    }

    private int read(ByteBuffer to, long timeoutNs) throws IOException {
        if (to.isReadOnly()) {
            throw new IllegalArgumentException("a read-only buffer cannot be read into");
        }
        requireMayWait("read");
        if (!to.hasRemaining()) {
            return 0;
        }
        lock.lock();
        int count;
        boolean resume;
        try {
            count = awaitInput(timeoutNs, false) ? input.take(to) : -1;
            resume = afterRead();
        } finally {
            lock.unlock();
        }
        resumeIf(resume);
        return count;
    }

    /** As {@link #read(ByteBuffer)}. */
    public int read(byte[] to, int offset, int length) throws IOException {
        Objects.checkFromIndexSize(offset, length, to.length);
        requireMayWait("read");
        if (length == 0) {
            return 0;
        }
        lock.lock();
        int count;
        boolean resume;
        try {
            count = awaitInput(readTimeoutNs, false) ? input.take(to, offset, length) : -1;
            resume = afterRead();
        } finally {
            lock.unlock();
        }
        resumeIf(resume);
        return count;
    }

    /** Returns a byte as a number from 0, or -1 at the end of the input. */
    private int readByte() throws IOException {
        requireMayWait("read");
        lock.lock();
        int value;
        boolean resume;
        try {
            value = awaitInput(readTimeoutNs, false) ? input.take() & 0xff : -1;
            resume = afterRead();
        } finally {
            lock.unlock();
        }
        resumeIf(resume);
        return value;
    }

    /**
     * With the lock. Returns true if there are bytes, and false at the end of the input.
     *
     * @param drainEnds a drain is an end, too
     */
    private boolean awaitInput(long timeoutNs, boolean drainEnds) throws IOException {
        long startNs = timeoutNs == 0 ? 0 : System.nanoTime();
        while (input.count() == 0 || closedBy != null) {
            if (closedBy != null || ended && !inputEnded) {
                throw end("read");
            }
            if (inputEnded || inputDrained && drainEnds) {
                return false;
            }
            await(readable, startNs, timeoutNs, "read", 0);
        }
        return true;
    }

    /** With the lock. Returns true if the caller has to have reading continue. */
    private boolean afterRead() {
        if (input.count() > 0) {
            readable.signal(); // another thread may wait
        }
        boolean resume = readingPaused && input.count() <= pauseAtBytes / 2;
        if (resume) {
            readingPaused = false;
        }
        return resume;
    }

    /** Without the lock, which callbacks take. */
    private void resumeIf(boolean resume) {
        if (resume) {
            connection.resumeReading();
        }
    }

    /** Number of bytes that can be read without a wait. */
    public int available() {
        lock.lock();
        try {
            return closedBy == null ? input.count() : 0;
        } finally {
            lock.unlock();
        }
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
        requireMayWait("write");
        long timeoutNs = writeTimeoutNs;
        long startNs = timeoutNs == 0 ? 0 : System.nanoTime();
        int start = from.position();
        beginWrite(startNs, timeoutNs);
        try {
            int pieceMax = PIECE_MAX;
            while (from.hasRemaining()) {
                int seen = awaitWritable(startNs, timeoutNs, from.position() - start);
                try {
                    writePiece(from, pieceMax);
                } catch (WriteQueueFullException full) {
                    pieceMax = afterRefusal(full, pieceMax, seen, startNs, timeoutNs, from.position() - start);
                }
            }
        } finally {
            endWrite();
        }
        return from.position() - start;
    }

    /** As {@link #write(ByteBuffer)}. */
    public void write(byte[] from, int offset, int length) throws IOException {
        write(ByteBuffer.wrap(from, offset, length));
    }

    private void writePiece(ByteBuffer from, int pieceMax) {
        int limit = from.limit();
        from.limit(from.position() + Math.min(pieceMax, from.remaining()));
        try {
            connection.write(from);
        } finally {
            from.limit(limit);
        }
    }

    /** Waits for room if there will be some. Returns the size of the next piece. */
    private int afterRefusal(
            WriteQueueFullException full, int pieceMax, int seen, long startNs, long timeoutNs, int transferred)
            throws IOException {
        if (full.mayRetry()) {
            awaitNextWritable(seen, startNs, timeoutNs, transferred);
            return pieceMax;
        }
        if (pieceMax == 1) {
            throw new IOException(
                    connection + " cannot send a byte: the queue limit of "
                            + connection.limits().queueLimit() + " bytes is too low; raise StreamLimits.queueLimit",
                    full);
        }
        return pieceMax / 2;
    }

    /** Waits until no other thread writes. */
    private void beginWrite(long startNs, long timeoutNs) throws IOException {
        lock.lock();
        try {
            requireOutput();
            while (writing) {
                await(writerGone, startNs, timeoutNs, "write", 0);
                requireOutput();
            }
            writing = true;
        } finally {
            lock.unlock();
        }
    }

    private void endWrite() {
        lock.lock();
        try {
            writing = false;
            writerGone.signal();
        } finally {
            lock.unlock();
        }
    }

    /** Waits while the queue is above the high watermark. Returns the value of {@link #timesWritable} before the last look at the queue. */
    private int awaitWritable(long startNs, long timeoutNs, int transferred) throws IOException {
        while (true) {
            int seen = timesWritable();
            if (connection.isWritable()) {
                lock.lock();
                try {
                    requireOutput();
                } finally {
                    lock.unlock();
                }
                return seen;
            }
            awaitNextWritable(seen, startNs, timeoutNs, transferred);
        }
    }

    /** Waits for a call of {@link ConnectionHandler#writable} after {@link #timesWritable} was {@code seen}. */
    private void awaitNextWritable(int seen, long startNs, long timeoutNs, int transferred) throws IOException {
        lock.lock();
        try {
            requireOutput();
            while (timesWritable == seen) {
                await(writable, startNs, timeoutNs, "write", transferred);
                requireOutput();
            }
        } finally {
            lock.unlock();
        }
    }

    /** With the lock. */
    private void requireOutput() throws IOException {
        if (ended || closedBy != null) {
            throw end("write");
        }
        if (outputShut) {
            throw new IOException(connection + " cannot write: shutdownOutput was called before");
        }
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
        lock.lock();
        try {
            requireOutput();
            outputShut = true;
            writable.signalAll();
            writerGone.signalAll();
        } finally {
            lock.unlock();
        }
        connection.shutdownOutput();
    }

    // ---- the end ----

    /** Returns true until {@link #close} or {@link #abort} is called or the connection ends. */
    @Override
    public boolean isOpen() {
        lock.lock();
        try {
            return closedBy == null && !ended;
        } finally {
            lock.unlock();
        }
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

    private void closeBy(String action) {
        lock.lock();
        try {
            if (closedBy == null) {
                closedBy = action;
                input.discard();
            }
            signalAll();
        } finally {
            lock.unlock();
        }
    }

    private void signalAll() {
        readable.signalAll();
        writable.signalAll();
        writerGone.signalAll();
    }

    /** With the lock. */
    private ConnectionEndedException end(String action) {
        String reason;
        if (endCause != null) {
            reason = "the connection has ended: "
                    + Objects.requireNonNullElse(
                            endCause.getMessage(), endCause.getClass().getName());
        } else if (closedBy != null) {
            reason = "this side has " + closedBy + " the connection";
        } else {
            reason = "the connection was closed";
        }
        return new ConnectionEndedException(connection, connection + " cannot " + action + ": " + reason, endCause);
    }

    // ---- waiting ----

    private void requireMayWait(String action) {
        if (LeaderFollowersPool.isPoolThread()) {
            throw new IllegalStateException(connection + " must not " + action + " in "
                    + Thread.currentThread().getName()
                    + ", a thread of a pool: callbacks would wait for themselves; call "
                    + action + " in a thread of an executor, as BlockingHandlers does");
        }
    }

    /** With the lock: waits for a signal, which may be spurious. @param timeoutNs since {@code startNs}; 0: none */
    private void await(Condition condition, long startNs, long timeoutNs, String action, int transferred)
            throws IOException {
        try {
            if (timeoutNs == 0) {
                condition.await();
                return;
            }
            long leftNs = startNs + timeoutNs - System.nanoTime();
            if (leftNs <= 0) {
                SocketTimeoutException late = new SocketTimeoutException(connection + ": the " + action
                        + " has waited for " + Duration.ofNanos(timeoutNs) + ", its time-out");
                late.bytesTransferred = transferred;
                throw late;
            }
            condition.awaitNanos(leftNs);
        } catch (InterruptedException stop) {
            Thread.currentThread().interrupt();
            InterruptedIOException interrupted =
                    new InterruptedIOException(connection + ": the thread was interrupted in its " + action);
            interrupted.bytesTransferred = transferred;
            interrupted.initCause(stop);
            throw interrupted;
        }
    }

    // ---- for the handler ----

    /** In a callback. */
    void received(ByteBuffer data) {
        boolean pause;
        lock.lock();
        try {
            inputDrained = false; // drains is called again after these bytes
            keep(data);
            pause = !readingPaused && closedBy == null && input.count() >= pauseAtBytes;
            readingPaused |= pause;
        } finally {
            lock.unlock();
        }
        if (pause) {
            connection.pauseReading(); // acts in this callback; a reader resumes by mail, which comes after
        }
    }

    private void keep(ByteBuffer data) {
        if (closedBy == null) {
            input.append(data);
            readable.signal();
        } else {
            data.position(data.limit());
        }
    }

    void inputEnded(ByteBuffer rest) {
        lock.lock();
        try {
            keep(rest);
            inputEnded = true;
            readable.signalAll();
        } finally {
            lock.unlock();
        }
    }

    void becameWritable() {
        lock.lock();
        try {
            timesWritable++;
            writable.signalAll();
        } finally {
            lock.unlock();
        }
    }

    void drains() {
        draining = true;
        boolean receiving =
                connection.isReceiving(); // else more may have come, and the event of the resume calls again
        lock.lock();
        try {
            inputDrained = receiving;
            readable.signalAll();
        } finally {
            lock.unlock();
        }
    }

    void ended(Throwable cause) {
        lock.lock();
        try {
            ended = true;
            endCause = cause;
            signalAll();
        } finally {
            lock.unlock();
        }
    }

    int timesWritable() {
        lock.lock();
        try {
            return timesWritable;
        } finally {
            lock.unlock();
        }
    }

    /**
     * Waits after the mailbox of the connection has refused a task.
     *
     * @param seen {@link #timesWritable} before the task was offered
     * @return false: the connection has ended
     */
    boolean awaitRoomInMailbox(int seen) {
        try {
            connection.write(ByteBuffer.allocate(0)); // refused if the mailbox is full still; then writable follows
        } catch (WriteQueueFullException full) {
            lock.lock();
            try {
                while (timesWritable == seen && !ended) {
                    writable.awaitUninterruptibly();
                }
            } finally {
                lock.unlock();
            }
        }
        lock.lock();
        try {
            return !ended;
        } finally {
            lock.unlock();
        }
    }

    @Override
    public String toString() {
        return "blocking " + connection;
    }

    // ---- streams ----

    private final class Input extends InputStream {
        @Override
        public int read() throws IOException {
            return readByte();
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
