package org.cabrank.stream;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.util.Objects;
import java.util.concurrent.locks.Condition;
import org.cabrank.stream.transport.AnsweringHandler;

final class BlockingReader {
    private final BlockingMonitor monitor;
    private final Connection connection;
    private final int pauseAtBytes;
    private final Condition readable;

    // All fields are used under the lock of the monitor.

    private final BlockingInput input = new BlockingInput();
    private boolean readingPaused;
    private boolean inputEnded;

    /** True if the reactor drains, and all received bytes are in {@link #input}. */
    private boolean inputDrained;

    private int waiting;

    /** True if {@link #mayAnswer} has delayed the call of {@code inputEnded} until a thread waits for more input. */
    private boolean endHeld;

    BlockingReader(BlockingMonitor monitor) {
        this.monitor = monitor;
        this.connection = monitor.connection();
        this.pauseAtBytes = connection.limits().unreadLimit();
        this.readable = monitor.newCondition();
    }

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

    int readByte(long timeoutNs) throws IOException {
        monitor.requireMayWait("read");
        monitor.lock();
        try {
            return awaitInput(timeoutNs, false) ? input.take() & 0xff : -1;
        } finally {
            endRead();
        }
    }

    /** Waits for input. Returns false if it has ended, or if the reactor drains and {@code drainEnds} is true. Called under the lock. */
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
            connection.resumeReading(); // runs after the writes of this thread
        }
        waiting++;
        try {
            monitor.await(readable, startNs, timeoutNs, "read", 0);
        } finally {
            waiting--;
        }
    }

    /** Releases the lock. Resumes reading when half of the bytes have been read. */
    private void endRead() {
        if (input.count() > 0) {
            readable.signal(); // another thread may wait
        }
        boolean resume = readingPaused && input.count() <= pauseAtBytes / 2;
        readingPaused &= !resume;
        monitor.unlock();
        if (resume) {
            connection.resumeReading(); // called without the lock, because callbacks take the lock
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

    void received(ByteBuffer data) {
        monitor.lock();
        try {
            inputDrained = false; // drains is called again after these bytes
            keep(data);
            if (!readingPaused && !monitor.isClosed() && input.count() >= pauseAtBytes) {
                readingPaused = true;
                connection.pauseReading(); // called under the lock: a reader that sees the pause resumes after it
            }
        } finally {
            monitor.unlock();
        }
    }

    /** Implements {@link AnsweringHandler#mayAnswer}. If a thread waits for input, the task has answered all earlier input. */
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
        boolean receiving = connection.isReceiving(); // if not, this method is called again after the resume
        monitor.lock();
        try {
            inputDrained = receiving;
            readable.signalAll();
        } finally {
            monitor.unlock();
        }
    }

    void discard() {
        input.discard();
    }

    void signalAll() {
        readable.signalAll();
    }
}
