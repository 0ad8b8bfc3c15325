package org.cabrank.lf.bound;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.concurrent.locks.ReentrantLock;
import java.util.function.IntFunction;

/**
 * The sending side of a shared connection. It sends whole messages, one after the other. If the socket does not take all bytes, the rest is
 * queued, up to a limit, and sent when there is room. Any thread may call any method.
 *
 * <p>Invariant: while {@link #broken} is null, the bytes that the socket has taken and the queued bytes together are whole messages. So if
 * anything throws after a part of a message was sent, even an OutOfMemoryError, the connection is broken.
 */
final class SharedOutput {
    private final BoundChannel channel;
    private final long queueMaxBytes;
    private final IntFunction<ByteBuffer> allocator;
    private final ReentrantLock lock = new ReentrantLock();
    private final Deque<ByteBuffer> queue = new ArrayDeque<>();
    private long queuedBytes;
    private Throwable broken;

    SharedOutput(BoundChannel channel, long queueMaxBytes) {
        this(channel, queueMaxBytes, ByteBuffer::allocate);
    }

    SharedOutput(BoundChannel channel, long queueMaxBytes, IntFunction<ByteBuffer> allocator) {
        this.channel = channel;
        this.queueMaxBytes = queueMaxBytes;
        this.allocator = allocator;
    }

    /** See {@link BoundThreadPool#send}. If this returns true, the queue has its first bytes, and the caller must notify the leader. */
    boolean send(ByteBuffer message) throws IOException {
        lock.lock();
        try {
            requireWhole();
            boolean first = queue.isEmpty();
            int start = message.position();
            if (first) {
                sendNow(message);
            } else if (queuedBytes + message.remaining() > queueMaxBytes) {
                throw new SendQueueFullException("the peer does not read: the queue of " + queuedBytes
                        + " bytes would grow by " + message.remaining() + " beyond the limit of " + queueMaxBytes);
            }
            if (message.hasRemaining()) { // a partly sent message is queued whatever its size
                enqueue(message, message.position() > start);
            }
            return first && !queue.isEmpty();
        } finally {
            lock.unlock();
        }
    }

    boolean flush() throws IOException {
        lock.lock();
        try {
            while (!queue.isEmpty() && broken == null) {
                ByteBuffer head = queue.peek();
                int before = head.remaining();
                sendNow(head);
                queuedBytes -= before - head.remaining();
                if (head.hasRemaining()) {
                    return false;
                }
                queue.remove();
            }
            return true;
        } finally {
            lock.unlock();
        }
    }

    private void enqueue(ByteBuffer message, boolean partlySent) {
        int count = message.remaining();
        try {
            queue.add(allocator.apply(count).put(message.duplicate()).flip());
        } catch (Throwable failed) {
            if (partlySent) {
                breakOff(failed);
            }
            throw failed;
        }
        queuedBytes += count;
        message.position(message.limit());
    }

    /** Sends {@code message}. If that fails, breaks the output off, because a part of the message may have been sent. */
    private void sendNow(ByteBuffer message) throws IOException {
        try {
            channel.send(message);
        } catch (Throwable failed) {
            breakOff(failed);
            throw failed;
        }
    }

    private void requireWhole() throws IOException {
        if (broken != null) {
            throw new IOException("the connection is broken: " + broken.getMessage(), broken);
        }
    }

    void breakOff(Throwable cause) {
        lock.lock();
        try {
            if (broken == null) {
                broken = cause;
            }
            queue.clear();
            queuedBytes = 0;
        } finally {
            lock.unlock();
        }
    }

    Throwable broken() {
        lock.lock();
        try {
            return broken;
        } finally {
            lock.unlock();
        }
    }

    long queuedBytes() {
        lock.lock();
        try {
            return queuedBytes;
        } finally {
            lock.unlock();
        }
    }
}
