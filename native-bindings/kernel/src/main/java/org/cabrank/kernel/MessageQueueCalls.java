package org.cabrank.kernel;

import org.cabrank.kernel.layout.MessageQueueAttributes;

/**
 * POSIX message queues (mq_overview(7)). Flags are in {@link FileFlags}. These methods make the system calls directly, because before glibc
 * 2.34 the functions are in librt, which a JVM does not load. The calls fail with {@code ENOSYS} if the kernel has no queues.
 *
 * <p>The descriptor of a queue is a file descriptor. epoll(7) can wait for it, and {@link SocketCalls#close} closes it.
 */
public interface MessageQueueCalls extends NativeCalls {

    /**
     * The system call of mq_open(3). Returns the descriptor. The limits fs.mqueue.msg_max and fs.mqueue.msgsize_max make it fail with
     * {@code EINVAL}, RLIMIT_MSGQUEUE with {@code EMFILE}, fs.mqueue.queues_max with {@code ENOSPC}.
     *
     * @param name address of the name as a C string, without the leading slash of mq_open(3)
     * @param mode permissions of a queue that {@link FileFlags#O_CREAT} makes
     * @param attributes address of the {@link MessageQueueAttributes} of a new queue. If it is 0, the queue gets the system's defaults
     */
    default int mqOpen(long name, int flags, int mode, long attributes) {
        return (int) call(SystemCall.MQ_OPEN, name, flags, mode, attributes, 0, 0);
    }

    /** The system call of mq_unlink(3). {@code name} has no leading slash, see {@link #mqOpen}. */
    default int mqUnlink(long name) {
        return (int) call(SystemCall.MQ_UNLINK, name, 0, 0, 0, 0, 0);
    }

    /**
     * mq_timedsend(2). Fails with {@code EAGAIN} if a non-blocking queue is full, and with {@code EMSGSIZE} if the message is too long.
     *
     * @param priority 0 to 32767. 0 is the lowest priority
     * @param timeout address of a {@code struct timespec} with an absolute time of the real-time clock. 0 for no timeout
     */
    default int mqTimedsend(int fd, long message, int length, int priority, long timeout) {
        return (int) call(SystemCall.MQ_TIMEDSEND, fd, message, length, priority, timeout, 0);
    }

    /**
     * mq_timedreceive(2): removes the oldest message of the highest priority. Returns its length in bytes. Fails with {@code EAGAIN} if a
     * non-blocking queue is empty.
     *
     * @param room size of the buffer in bytes. If it is less than the message size of the queue, the call fails with {@code EMSGSIZE}
     * @param priorityAddress address of an unsigned {@code int} for the priority, or 0
     * @param timeout as for {@link #mqTimedsend}
     */
    default int mqTimedreceive(int fd, long buffer, int room, long priorityAddress, long timeout) {
        return (int) call(SystemCall.MQ_TIMEDRECEIVE, fd, buffer, room, priorityAddress, timeout, 0);
    }

    /**
     * mq_getsetattr(2), the system call of mq_getattr(3) and mq_setattr(3). Only the flag {@link FileFlags#O_NONBLOCK} can be changed.
     *
     * @param changed address of the new {@link MessageQueueAttributes}, or 0 for no change
     * @param present address of {@link MessageQueueAttributes} for the present attributes, or 0
     */
    default int mqGetsetattr(int fd, long changed, long present) {
        return (int) call(SystemCall.MQ_GETSETATTR, fd, changed, present, 0, 0, 0);
    }
}
