package org.cabrank.kernel;

import org.cabrank.kernel.layout.MessageQueueAttributes;

/**
 * POSIX message queues (mq_overview(7)). Made by system calls, because before glibc 2.34 the functions are in librt, which a JVM does not
 * load. Flags are in {@link FileFlags}. A kernel without message queues returns {@code ENOSYS}.
 *
 * <p>The descriptor of a queue is a file descriptor: epoll(7) waits for it, {@link SocketCalls#close} closes it.
 */
public interface MessageQueueCalls extends NativeCalls {

    /**
     * The system call of mq_open(3). Returns the descriptor.
     *
     * @param name address of the bytes of the name, without the leading slash of mq_open(3), with a zero at the end
     * @param mode permissions of a queue that {@link FileFlags#O_CREAT} makes
     * @param attributes address of the {@link MessageQueueAttributes} of a new queue; 0: the system's default
     * @return the descriptor; {@code EINVAL} also for attributes beyond fs.mqueue.msg_max or msgsize_max, {@code EMFILE} also beyond
     *     RLIMIT_MSGQUEUE, {@code ENOSPC} beyond fs.mqueue.queues_max
     */
    default int mqOpen(long name, int flags, int mode, long attributes) {
        return (int) call(SystemCall.MQ_OPEN, name, flags, mode, attributes, 0, 0);
    }

    /** The system call of mq_unlink(3); the name is as in {@link #mqOpen}. */
    default int mqUnlink(long name) {
        return (int) call(SystemCall.MQ_UNLINK, name, 0, 0, 0, 0, 0);
    }

    /**
     * mq_timedsend(2). Returns 0; {@code EAGAIN} if a non-blocking queue is full; {@code EMSGSIZE} if the message is too long.
     *
     * @param priority 0 (low) to 32767
     * @param timeout address of a {@code struct timespec} with an absolute time of the real-time clock; 0: waits indefinitely
     */
    default int mqTimedsend(int fd, long message, int length, int priority, long timeout) {
        return (int) call(SystemCall.MQ_TIMEDSEND, fd, message, length, priority, timeout, 0);
    }

    /**
     * mq_timedreceive(2): removes the oldest message of the highest priority. Returns its length in bytes; {@code EAGAIN} if a non-blocking
     * queue is empty.
     *
     * @param room size of the buffer in bytes; if below the message size of the queue, the call fails with {@code EMSGSIZE}
     * @param priorityAddress address that receives the priority, an unsigned {@code int}; may be 0
     * @param timeout as for {@link #mqTimedsend}
     */
    default int mqTimedreceive(int fd, long buffer, int room, long priorityAddress, long timeout) {
        return (int) call(SystemCall.MQ_TIMEDRECEIVE, fd, buffer, room, priorityAddress, timeout, 0);
    }

    /**
     * mq_getsetattr(2), the system call of mq_getattr(3) and mq_setattr(3). Each address is of {@link MessageQueueAttributes} or 0. Only
     * the flag {@link FileFlags#O_NONBLOCK} can be changed.
     */
    default int mqGetsetattr(int fd, long changed, long present) {
        return (int) call(SystemCall.MQ_GETSETATTR, fd, changed, present, 0, 0, 0);
    }
}
