package org.cabrank.kernel;

import org.cabrank.kernel.layout.MessageQueueAttributes;

/**
 * POSIX message queues (mq_overview(7)) by system calls, because before glibc 2.34 the functions are in librt, which a JVM does not load.
 * Flags are in {@link FileFlags}. {@code ENOSYS}: a kernel without queues.
 *
 * <p>The descriptor of a queue is a file descriptor: epoll(7) waits for it, {@link SocketCalls#close} closes it.
 */
public interface MessageQueueCalls extends NativeCalls {

    /**
     * The system call of mq_open(3): the descriptor.
     *
     * @param name address of the name's bytes, without the first slash of mq_open(3), and with a zero at the end
     * @param mode permissions of a queue that {@link FileFlags#O_CREAT} makes
     * @param attributes the {@link MessageQueueAttributes} of a queue that is made; 0: the system's default
     * @return {@code EINVAL} also for attributes beyond fs.mqueue.msg_max and msgsize_max, {@code EMFILE} also beyond RLIMIT_MSGQUEUE,
     *     {@code ENOSPC} beyond fs.mqueue.queues_max
     */
    default int mqOpen(long name, int flags, int mode, long attributes) {
        return (int) call(SystemCall.MQ_OPEN, name, flags, mode, attributes, 0, 0);
    }

    /** The system call of mq_unlink(3); the name is as in {@link #mqOpen}. */
    default int mqUnlink(long name) {
        return (int) call(SystemCall.MQ_UNLINK, name, 0, 0, 0, 0, 0);
    }

    /**
     * mq_timedsend(2): 0; {@code EAGAIN} if a non-blocking queue is full; {@code EMSGSIZE} if the message is too long for the queue.
     *
     * @param priority 0 (low) to 32767
     * @param timeout address of a {@code struct timespec} with an absolute time of the real-time clock; 0: wait indefinitely
     */
    default int mqTimedsend(int fd, long message, int length, int priority, long timeout) {
        return (int) call(SystemCall.MQ_TIMEDSEND, fd, message, length, priority, timeout, 0);
    }

    /**
     * mq_timedreceive(2): removes the oldest message of the highest priority, and returns its length in bytes; {@code EAGAIN} if a
     * non-blocking queue is empty.
     *
     * @param room size of the buffer in bytes, at least the queue's message size; otherwise {@code EMSGSIZE}
     * @param priorityAddress address that receives the priority, an unsigned {@code int}; 0: not wanted
     * @param timeout as for {@link #mqTimedsend}
     */
    default int mqTimedreceive(int fd, long buffer, int room, long priorityAddress, long timeout) {
        return (int) call(SystemCall.MQ_TIMEDRECEIVE, fd, buffer, room, priorityAddress, timeout, 0);
    }

    /**
     * mq_getsetattr(2), as mq_getattr(3) and mq_setattr(3): both addresses are of {@link MessageQueueAttributes} or 0. Of the flags only
     * {@link FileFlags#O_NONBLOCK} can be set.
     */
    default int mqGetsetattr(int fd, long changed, long present) {
        return (int) call(SystemCall.MQ_GETSETATTR, fd, changed, present, 0, 0, 0);
    }
}
