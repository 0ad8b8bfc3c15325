package org.cabrank.socket.source;

import java.io.IOException;
import java.lang.ref.Reference;
import java.nio.ByteBuffer;
import java.util.Objects;
import org.cabrank.kernel.Errno;
import org.cabrank.lf.handle.Ready;
import org.cabrank.socket.DescriptorSet;
import org.cabrank.stream.transport.LentBuffers;

/** A POSIX message queue as events of a handle set, highest priority first. Each message goes to one of the receiving processes. */
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
     * Calls {@code handler} for each message from now on. The source owns the queue, to which any thread may still send.
     *
     * @throws IllegalStateException if the queue has a source already
     * @throws IOException if the queue is closed, or if the kernel refuses to watch it, after which the queue is closed
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
