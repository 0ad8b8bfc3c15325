package org.cabrank.socket.source;

import java.io.IOException;
import java.lang.ref.Reference;
import java.nio.ByteBuffer;
import java.util.Objects;
import org.cabrank.kernel.Errno;
import org.cabrank.lf.handle.Ready;
import org.cabrank.socket.DescriptorSet;
import org.cabrank.stream.transport.LentBuffers;

/**
 * The messages of a POSIX message queue as events of a handle set: the highest priority first, then the oldest. On Linux epoll waits for a
 * queue as for a file (mq_overview(7)). When several processes receive from one queue, each message goes to one of them.
 */
public final class MessageQueueSource extends Source {
    private final MessageQueue queue;
    private final MessageHandler handler;
    private ByteBuffer incoming;
    private long incomingAddress;
    private final ByteBuffer priority = direct(Integer.BYTES);
    private final long priorityAddress;

    private MessageQueueSource(DescriptorSet set, MessageQueue queue, MessageHandler handler) {
        super(set, queue.fd());
        this.queue = queue;
        this.handler = handler;
        makeBuffer();
        this.priorityAddress = set.kernel().addressOf(priority);
    }

    /**
     * Calls {@code handler} for each message from now on. Any thread. The source owns the queue and closes it when the source is closed.
     * Until then any thread may send to the queue.
     *
     * @throws IllegalStateException if the queue has a source already
     * @throws IOException if the queue is closed, or the kernel refuses to watch it; the queue is closed then
     */
    public static MessageQueueSource open(DescriptorSet set, MessageQueue queue, MessageHandler handler)
            throws IOException {
        Objects.requireNonNull(handler, "handler");
        MessageQueueSource source = new MessageQueueSource(set, queue, handler);
        synchronized (queue) { // a thread that closes the queue finds a watched source or none
            queue.receiver(source);
            source.start(Ready.READ);
        }
        return source;
    }

    /** Queue of this source; messages may be sent to it. */
    public MessageQueue queue() {
        return queue;
    }

    private void makeBuffer() {
        ByteBuffer made = direct(queue.messageBytesMax());
        incomingAddress = kernel().addressOf(made);
        incoming = made;
        Reference.reachabilityFence(made); // the field keeps the buffer reachable from now on
    }

    /** Leaves the buffer with its message to the waiting handler. */
    @Override
    void beforeNestedWait() {
        makeBuffer();
        super.beforeNestedWait();
    }

    @Override
    boolean take() throws Exception {
        int result;
        do {
            result = kernel().mqTimedreceive(fd(), incomingAddress, incoming.capacity(), priorityAddress, 0);
        } while (result == -Errno.EINTR);
        if (result == -Errno.EAGAIN) {
            return false;
        }
        incoming.clear().limit(Errno.check("mq_receive from " + queue, result));
        ByteBuffer message = LentBuffers.lend(incoming);
        try {
            handler.handleMessage(this, message, priority.getInt(0));
        } finally {
            if (LentBuffers.CHECKED) {
                LentBuffers.expire(message);
            }
        }
        return true;
    }

    @Override
    void closeDescriptor() {
        queue.release();
    }

    @Override
    void handleClosed(Throwable cause) {
        handler.handleClosed(this, cause);
    }

    @Override
    public String toString() {
        return queue.toString();
    }
}
