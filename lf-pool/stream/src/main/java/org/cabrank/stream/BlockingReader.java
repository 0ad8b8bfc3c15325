package org.cabrank.stream;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.util.Objects;
import java.util.concurrent.locks.Condition;
import org.cabrank.stream.transport.AnsweringHandler;

/** The input of a {@link BlockingConnection}: callbacks bring bytes, any thread reads them. */
final class BlockingReader {
    private final BlockingMonitor monitor;
    private final Connection connection;
    private final int pauseAtBytes;
    private final Condition readable;

    // With the lock of the monitor.

    private final BlockingInput input = new BlockingInput();
    private boolean readingPaused;
    private boolean inputEnded;

    /** The reactor drains, and all bytes that have been received are in {@link #input}. */
    private boolean inputDrained;

    /** Number of threads that wait for input. */
    private int waiting;

    /** The connection holds an end of the peer back until a thread waits for further input. */
    private boolean endHeld;

    BlockingReader(BlockingMonitor monitor) {
        this.monitor = monitor;
        this.connection = monitor.connection();
        this.pauseAtBytes = connection.limits().unreadLimit();
        this.readable = monitor.newCondition();
    }

    // ---- any thread ----

    /** See {@link BlockingConnection#awaitInput}. */
    boolean awaitInput(long timeoutNs) throws IOException {
        monitor.requireMayWait("wait");
        monitor.lock();
        try {
            return awaitInput(timeoutNs, true);
        } finally {
            endRead();
        }
    }

    int read(ByteBuffer to, long timeoutNs) throws IOException {
        if (to.isReadOnly()) {
            throw new IllegalArgumentException("a read-only buffer cannot be read into");
        }
        monitor.requireMayWait("read");
        if (!to.hasRemaining()) {
            return 0;
        }
        monitor.lock();
        try {
            return awaitInput(timeoutNs, false) ? input.take(to) : -1;
        } finally {
            endRead();
        }
    }

    int read(byte[] to, int offset, int length, long timeoutNs) throws IOException {
        Objects.checkFromIndexSize(offset, length, to.length);
        monitor.requireMayWait("read");
        if (length == 0) {
            return 0;
        }
        monitor.lock();
        try {
            return awaitInput(timeoutNs, false) ? input.take(to, offset, length) : -1;
        } finally {
            endRead();
        }
    }

    /** Returns a byte as a number from 0, or -1 at the end of the input. */
    int readByte(long timeoutNs) throws IOException {
        monitor.requireMayWait("read");
        monitor.lock();
        try {
            return awaitInput(timeoutNs, false) ? input.take() & 0xff : -1;
        } finally {
            endRead();
        }
    }

    /**
     * With the lock. Returns true if there are bytes, and false at the end of the input.
     *
     * @param drainEnds a drain is an end, too
     */
    private boolean awaitInput(long timeoutNs, boolean drainEnds) throws IOException {
        long startNs = monitor.startNs(timeoutNs);
        while (input.count() == 0 || monitor.isClosed()) {
            if (monitor.isClosed() || monitor.hasEnded() && !inputEnded) {
                throw monitor.endOf("read");
            }
            if (inputEnded || inputDrained && drainEnds) {
                return false;
            }
            awaitMore(startNs, timeoutNs);
        }
        return true;
    }

    private void awaitMore(long startNs, long timeoutNs) throws IOException {
        if (endHeld) {
            endHeld = false;
            connection.resumeReading(); // behind the writes of this thread
        }
        waiting++;
        try {
            monitor.await(readable, startNs, timeoutNs, "read", 0);
        } finally {
            waiting--;
        }
    }

    /** Releases the lock, and has reading continue if it has paused and half of the bytes are read. */
    private void endRead() {
        if (input.count() > 0) {
            readable.signal(); // another thread may wait
        }
        boolean resume = readingPaused && input.count() <= pauseAtBytes / 2;
        readingPaused &= !resume;
        monitor.unlock();
        if (resume) {
            connection.resumeReading(); // without the lock, which callbacks take
        }
    }

    int available() {
        monitor.lock();
        try {
            return !monitor.isClosed() ? input.count() : 0;
        } finally {
            monitor.unlock();
        }
    }

    // ---- callbacks ----

    void received(ByteBuffer data) {
        monitor.lock();
        try {
            inputDrained = false; // drains is called again after these bytes
            keep(data);
            if (!readingPaused && !monitor.isClosed() && input.count() >= pauseAtBytes) {
                readingPaused = true;
                connection.pauseReading(); // with the lock: a reader that finds the pause resumes behind it
            }
        } finally {
            monitor.unlock();
        }
    }

    /** Returns false if a thread waits for input, which has answered what came before: {@link AnsweringHandler#mayAnswer}. */
    boolean mayAnswer() {
        monitor.lock();
        try {
            endHeld = !monitor.isClosed() && (waiting == 0 || input.count() > 0);
            return endHeld;
        } finally {
            monitor.unlock();
        }
    }

    private void keep(ByteBuffer data) {
        if (!monitor.isClosed()) {
            input.append(data);
            readable.signal();
        } else {
            data.position(data.limit());
        }
    }

    void inputEnded(ByteBuffer rest) {
        monitor.lock();
        try {
            keep(rest);
            inputEnded = true;
            readable.signalAll();
        } finally {
            monitor.unlock();
        }
    }

    void drains() {
        boolean receiving =
                connection.isReceiving(); // else more may have come, and the event of the resume calls again
        monitor.lock();
        try {
            inputDrained = receiving;
            readable.signalAll();
        } finally {
            monitor.unlock();
        }
    }

    // ---- the end; with the lock ----

    void discard() {
        input.discard();
    }

    void signalAll() {
        readable.signalAll();
    }
}
