package org.cabrank.lf;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.concurrent.locks.ReentrantLock;

/**
 * The sending side of a connection that several threads share: messages go out whole, one after the other. What the socket
 * does not take is queued, up to a limit, and sent when there is room. Any thread.
 */
final class SharedOutput {
    private final BoundChannel channel;
    private final long queueMaxBytes;
    private final ReentrantLock lock = new ReentrantLock();
    private final Deque<ByteBuffer> queue = new ArrayDeque<>();
    private long queuedBytes;
    private Throwable broken;

    SharedOutput(BoundChannel channel, long queueMaxBytes) {
        this.channel = channel;
        this.queueMaxBytes = queueMaxBytes;
    }

    /**
     * Sends the rest of {@code message}, or queues what the socket does not take; consumes it.
     *
     * @return true: the queue was empty and is not any more, so whoever watches the socket must be told
     * @throws SendQueueFullException when it would have to be queued beyond the limit; nothing was consumed
     * @throws IOException when the connection is broken, or breaks now
     */
    boolean send(ByteBuffer message) throws IOException {
        lock.lock();
        try {
            requireWhole();
            boolean first = queue.isEmpty();
            if (first) {
                sendNow(message);
            } else if (queuedBytes + message.remaining() > queueMaxBytes) {
                throw new SendQueueFullException("the peer does not read: the queue of " + queuedBytes
                        + " bytes would grow by " + message.remaining() + " beyond the limit of " + queueMaxBytes);
            }
            if (message.hasRemaining()) { // of a message that is partly sent, whatever its size
                queuedBytes += message.remaining();
                queue.add(ByteBuffer.allocate(message.remaining()).put(message).flip());
            }
            return first && !queue.isEmpty();
        } finally {
            lock.unlock();
        }
    }

    /** There may be room: sends what is queued; true: nothing is queued any more. */
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

    private void sendNow(ByteBuffer message) throws IOException {
        try {
            channel.send(message);
        } catch (IOException refused) {
            breakOff(refused);
            throw refused;
        }
    }

    private void requireWhole() throws IOException {
        if (broken != null) {
            throw new IOException("the connection is broken: " + broken.getMessage(), broken);
        }
    }

    /** Nothing is sent from now on; the first cause counts. */
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

    /** Why nothing can be sent any more, or null. */
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
