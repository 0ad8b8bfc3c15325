package org.cabrank.kernel;

/**
 * io_uring(7), on the system calls themselves. Constants are in {@link IoUring}; what the calls read and write is laid
 * out in {@link IoUringParams}, {@link IoUringSqe}, {@link IoUringCqe} and the classes beside them. A failure is {@code
 * -errno}.
 *
 * <p>Where io_uring is not to be had, {@link #ioUringSetup} says so: {@code ENOSYS} from a kernel that was built
 * without it or is from before 5.1, {@code EPERM} from a seccomp filter or from the sysctl
 * {@code kernel.io_uring_disabled}.
 */
public interface IoUringCalls {

    /**
     * io_uring_setup(2): a new ring.
     *
     * @param entries how many submissions the ring shall hold, from 1; rounded up to a power of two
     * @param params the address of a {@link IoUringParams}: flags go in, features and offsets come back
     * @return the ring's descriptor, which is close-on-exec; its index among the registered ones with
     *     {@link IoUring#IORING_SETUP_REGISTERED_FD_ONLY}
     */
    int ioUringSetup(int entries, long params);

    /**
     * io_uring_enter(2): submits, waits for completions, or both. Waits with {@link IoUring#IORING_ENTER_GETEVENTS} only,
     * and then may block and may end with {@code EINTR}.
     *
     * @param fd the ring's descriptor, or its index with {@link IoUring#IORING_ENTER_REGISTERED_RING}
     * @param minComplete how many completions to wait for: 0 for those that are due
     * @param arg the address of a {@link IoUringGeteventsArg} with {@link IoUring#IORING_ENTER_EXT_ARG}; else that of a
     *     signal mask, or 0
     * @param argBytes the size of what {@code arg} points to
     * @return how many submissions the kernel has taken; an error that comes after some were taken is told by the next call
     */
    int ioUringEnter(int fd, int toSubmit, int minComplete, int flags, long arg, long argBytes);

    /**
     * io_uring_register(2): files, buffers and the rest that a ring keeps between calls. May block while it waits for
     * requests that use what is taken away.
     *
     * @param fd the ring's descriptor; its index with {@link IoUring#IORING_REGISTER_USE_REGISTERED_RING} or-ed to the
     *     opcode; -1 for the opcodes that need no ring
     * @param opcode one of the {@code IORING_REGISTER_} and {@code IORING_UNREGISTER_} constants
     * @param arg the address of what the opcode wants, or 0
     * @param count of how many, as the opcode wants it
     * @return 0, or a number that the opcode gives a meaning
     */
    int ioUringRegister(int fd, int opcode, long arg, int count);
}
