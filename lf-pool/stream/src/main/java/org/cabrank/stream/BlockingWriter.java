package org.cabrank.stream;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.util.concurrent.locks.Condition;

final class BlockingWriter {
    private static final int PIECE_MAX = 64 << 10;

    private final BlockingMonitor monitor;
    private final Connection connection;
    private final Condition writable;
    private final Condition writerGone;

    private boolean writing;

    private volatile boolean outputShut;

    /** Number of calls of {@link ConnectionHandler#writable}. Written under the lock. */
    private volatile int timesWritable;

    BlockingWriter(BlockingMonitor monitor) {
        this.monitor = monitor;
        this.connection = monitor.connection();
        this.writable = monitor.newCondition();
        this.writerGone = monitor.newCondition();
    }

    int write(ByteBuffer from, long timeoutNs) throws IOException {
        monitor.requireMayWait("write");
        long startNs = monitor.startNs(timeoutNs);
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

    private void writePiece(ByteBuffer from, int pieceMax) {
        int limit = from.limit();
        from.limit(from.position() + Math.min(pieceMax, from.remaining()));
        try {
            connection.write(from);
        } finally {
            from.limit(limit);
        }
    }

    /** Waits for room if the write may be tried again. Returns the size of the next piece. */
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

    private void beginWrite(long startNs, long timeoutNs) throws IOException {
        monitor.lock();
        try {
            requireOutput();
            while (writing) {
                monitor.await(writerGone, startNs, timeoutNs, "write", 0);
                requireOutput();
            }
            writing = true;
        } finally {
            monitor.unlock();
        }
    }

    private void endWrite() {
        monitor.lock();
        try {
            writing = false;
            writerGone.signal();
        } finally {
            monitor.unlock();
        }
    }

    /** Waits while the queue is above the high watermark. Returns {@link #timesWritable} from before the last check of the queue. */
    private int awaitWritable(long startNs, long timeoutNs, int transferred) throws IOException {
        while (true) {
            int seen = timesWritable;
            if (connection.isWritable()) {
                requireOutput();
                return seen;
            }
            awaitNextWritable(seen, startNs, timeoutNs, transferred);
        }
    }

    private void awaitNextWritable(int seen, long startNs, long timeoutNs, int transferred) throws IOException {
        monitor.lock();
        try {
            requireOutput();
            while (timesWritable == seen) {
                monitor.await(writable, startNs, timeoutNs, "write", transferred);
                requireOutput();
            }
        } finally {
            monitor.unlock();
        }
    }

    private void requireOutput() throws IOException {
        if (monitor.hasEnded() || monitor.isClosed()) {
            throw monitor.endOf("write");
        }
        if (outputShut) {
            throw new IOException(connection + " cannot write: shutdownOutput was called before");
        }
    }

    void shutdownOutput() throws IOException {
        monitor.lock();
        try {
            requireOutput();
            outputShut = true;
            writable.signalAll();
            writerGone.signalAll();
        } finally {
            monitor.unlock();
        }
    }

    void becameWritable() {
        monitor.lock();
        try {
            timesWritable++; // with the lock
            writable.signalAll();
        } finally {
            monitor.unlock();
        }
    }

    int timesWritable() {
        return timesWritable;
    }

    /** Waits until a full mailbox has room. {@code seen} is an earlier {@link #timesWritable}. Returns false if the connection ended. */
    boolean awaitRoomInMailbox(int seen) {
        try {
            connection.write(ByteBuffer.allocate(0)); // if it is refused, writable is called when there is room
        } catch (WriteQueueFullException full) {
            monitor.lock();
            try {
                while (timesWritable == seen && !monitor.hasEnded()) {
                    writable.awaitUninterruptibly();
                }
            } finally {
                monitor.unlock();
            }
        }
        return !monitor.hasEnded();
    }

    void signalAll() {
        writable.signalAll();
        writerGone.signalAll();
    }
}
