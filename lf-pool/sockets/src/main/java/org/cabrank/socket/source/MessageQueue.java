package org.cabrank.socket.source;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.util.concurrent.atomic.AtomicLong;
import org.cabrank.kernel.Errno;
import org.cabrank.kernel.FileFlags;
import org.cabrank.kernel.Kernel;
import org.cabrank.kernel.KernelException;
import org.cabrank.kernel.NativeArgument;
import org.cabrank.kernel.layout.MessageQueueAttributes;

/**
 * A POSIX message queue (mq_overview(7)) between processes. The messages outlive the processes until the queue is {@link #unlink unlinked}
 * or the system goes down. No call blocks. To receive, see {@link MessageQueueSource}. Any thread may call the methods.
 *
 * <p>A name begins with a slash and has no other slash. All processes of an IPC namespace share the names.
 */
public final class MessageQueue implements AutoCloseable {
    public static final int PRIORITY_MAX = 32_767;

    private static final int READ_AND_WRITE = FileFlags.O_RDWR | FileFlags.O_NONBLOCK | FileFlags.O_CLOEXEC;

    private final Kernel kernel;
    private final String name;
    private final int fd;
    private final long messagesMax;
    private final int messageBytesMax;
    private final AtomicLong refused = new AtomicLong();

    /** Memory of the message being sent. Guarded by the monitor, which also keeps the descriptor open during the call. */
    private final ByteBuffer outgoing;

    private boolean closed;

    /** Source that receives from this queue and closes it, or null. */
    private MessageQueueSource receiver;

    private MessageQueue(Kernel kernel, String name, int fd, ByteBuffer attributes) {
        this.kernel = kernel;
        this.name = name;
        this.fd = fd;
        this.messagesMax = attributes.getLong(MessageQueueAttributes.MAXMSG_OFFSET);
        // The value fits into an int, because the kernel limits it to 16 MiB.
        this.messageBytesMax = Math.toIntExact(attributes.getLong(MessageQueueAttributes.MSGSIZE_OFFSET));
        this.outgoing = Endpoint.direct(messageBytesMax);
    }

    /**
     * Opens an existing queue.
     *
     * @throws IllegalArgumentException if the name does not begin with a slash, or has another slash
     * @throws IOException if the queue does not exist, or this user may not read and write it
     */
    public static MessageQueue open(Kernel kernel, String name) throws IOException {
        return opened(kernel, name, opening(kernel, name, READ_AND_WRITE, 0, null));
    }

    /**
     * Opens a queue, or makes it if there is none. An existing queue keeps its limits.
     *
     * @param messagesMax from 1. Without privilege the limit is fs.mqueue.msg_max, which is 10 by default
     * @param messageBytesMax from 1. Without privilege the limit is fs.mqueue.msgsize_max, which is 8192 by default
     * @param permissions permissions of a new queue, like those of a file, for example {@code 0600}
     */
    public static MessageQueue openOrMake(
            Kernel kernel, String name, int messagesMax, int messageBytesMax, int permissions) throws IOException {
        ByteBuffer attributes = Endpoint.direct(MessageQueueAttributes.SIZE_BYTES);
        attributes.putLong(MessageQueueAttributes.MAXMSG_OFFSET, messagesMax);
        attributes.putLong(MessageQueueAttributes.MSGSIZE_OFFSET, messageBytesMax);
        return opened(kernel, name, opening(kernel, name, READ_AND_WRITE | FileFlags.O_CREAT, permissions, attributes));
    }

    private static int opening(Kernel kernel, String name, int flags, int permissions, ByteBuffer attributes) {
        ByteBuffer path = path(name);
        return NativeArgument.pass(
                kernel,
                path,
                start -> attributes == null
                        ? kernel.mqOpen(kernelName(start), flags, permissions, 0)
                        : NativeArgument.pass(
                                kernel,
                                attributes,
                                address -> kernel.mqOpen(kernelName(start), flags, permissions, address)));
    }

    private static MessageQueue opened(Kernel kernel, String name, int result) throws IOException {
        if (result < 0) {
            throw refusal(name, result);
        }
        try {
            ByteBuffer attributes = Endpoint.direct(MessageQueueAttributes.SIZE_BYTES);
            Errno.check(
                    "mq_getattr of " + name,
                    NativeArgument.pass(kernel, attributes, address -> kernel.mqGetsetattr(result, 0, address)));
            return new MessageQueue(kernel, name, result, attributes);
        } catch (Throwable failed) {
            kernel.close(result);
            throw failed;
        }
    }

    /** Removes the name. The queue disappears when its last descriptor is closed. Returns false if no queue has this name. */
    public static boolean unlink(Kernel kernel, String name) throws IOException {
        ByteBuffer path = path(name);
        int result = NativeArgument.pass(kernel, path, start -> kernel.mqUnlink(kernelName(start)));
        if (result < 0 && result != -Errno.ENOENT) {
            throw Errno.exception("mq_unlink of " + name, result);
        }
        return result >= 0;
    }

    private static ByteBuffer path(String name) {
        if (!name.startsWith("/") || name.length() == 1 || name.indexOf('/', 1) >= 0 || name.indexOf('\0') >= 0) {
            throw new IllegalArgumentException(
                    "the name of a message queue begins with a slash and has no other: not '" + name + "'");
        }
        byte[] bytes = name.getBytes(StandardCharsets.UTF_8);
        return Endpoint.direct(bytes.length + 1).put(0, bytes);
    }

    /** Names in the kernel have no slash (mq_open(3)). The slash stays in memory, because qemu's emulation of Linux reads it. */
    private static long kernelName(long path) {
        return path + 1;
    }

    private static KernelException refusal(String name, int result) {
        String remedy = switch (-result) {
            case Errno.ENOENT -> " (there is none of this name)";
            case Errno.EACCES -> " (this user may not read and write it)";
            case Errno.EINVAL ->
                " (a message has at least one byte and a queue room for at least one message; without privilege"
                        + " fs.mqueue.msg_max and fs.mqueue.msgsize_max are the most: raise them by sysctl)";
            case Errno.EMFILE ->
                " (raise the bytes that this user's queues may take, ulimit -q, or the limit of open files,"
                        + " ulimit -n)";
            case Errno.ENOSPC -> " (the system has too many queues: raise fs.mqueue.queues_max by sysctl)";
            case Errno.ENAMETOOLONG -> " (255 bytes are the most)";
            case Errno.ENOSYS -> " (the kernel was built without CONFIG_POSIX_MQUEUE)";
            default -> "";
        };
        return Errno.exception("mq_open of " + name + remedy, result);
    }

    /**
     * Puts the rest of {@code message}, which may be empty, into the queue.
     *
     * @param priority 0 (low) to {@link #PRIORITY_MAX}; messages of one priority stay in order
     * @return false if the queue is full. Then no byte is consumed, and the refusal is counted
     * @throws IllegalArgumentException if the message is too long for this queue, or the priority is out of range
     * @throws IOException if the queue is closed, or the kernel refuses
     */
    public boolean send(ByteBuffer message, int priority) throws IOException {
        int length = message.remaining();
        if (length > messageBytesMax) {
            throw new IllegalArgumentException("a message of " + length + " bytes for " + this
                    + ", whose messages have at most " + messageBytesMax);
        }
        if (priority < 0 || priority > PRIORITY_MAX) {
            throw new IllegalArgumentException("priorities are from 0 to " + PRIORITY_MAX + ", not " + priority);
        }
        int result = send(message, length, priority);
        if (result == -Errno.EAGAIN) {
            refused.incrementAndGet();
            return false;
        }
        Errno.check("mq_send to " + name, result);
        message.position(message.limit());
        return true;
    }

    private synchronized int send(ByteBuffer message, int length, int priority) throws IOException {
        requireOpen();
        outgoing.put(0, message, message.position(), length);
        return NativeArgument.pass(kernel, outgoing, address -> {
            int result;
            do {
                result = kernel.mqTimedsend(fd, address, length, priority, 0);
            } while (result == -Errno.EINTR);
            return result;
        });
    }

    /** Number of messages in the queue. */
    public synchronized int messages() throws IOException {
        requireOpen();
        ByteBuffer attributes = Endpoint.direct(MessageQueueAttributes.SIZE_BYTES);
        Errno.check(
                "mq_getattr of " + name,
                NativeArgument.pass(kernel, attributes, address -> kernel.mqGetsetattr(fd, 0, address)));
        return (int) attributes.getLong(MessageQueueAttributes.CURMSGS_OFFSET);
    }

    private void requireOpen() throws IOException {
        if (closed) {
            throw new IOException(this + " is closed");
        }
    }

    public long messagesMax() {
        return messagesMax;
    }

    public int messageBytesMax() {
        return messageBytesMax;
    }

    /** Number of times that {@link #send} found the queue full. */
    public long refused() {
        return refused.get();
    }

    int fd() {
        return fd;
    }

    synchronized void receiver(MessageQueueSource source) throws IOException {
        requireOpen();
        if (receiver != null) {
            throw new IllegalStateException(this + " has a source already");
        }
        receiver = source;
    }

    /** Closes the descriptor; the queue stays, with its messages. Also closes the {@link MessageQueueSource} of the queue. */
    @Override
    public void close() {
        MessageQueueSource closing;
        synchronized (this) {
            closing = closed ? null : receiver; // closed if its source could not be watched
        }
        if (closing != null) {
            closing.close();
        } else {
            release();
        }
    }

    synchronized void release() {
        if (!closed) {
            closed = true;
            kernel.close(fd); // a queue has nothing to write back that could fail
        }
    }

    @Override
    public String toString() {
        return "message queue " + name;
    }
}
