package org.cabrank.kernel;

import org.cabrank.kernel.layout.IoUring;
import org.cabrank.kernel.layout.IoUringCqe;
import org.cabrank.kernel.layout.IoUringGeteventsArg;
import org.cabrank.kernel.layout.IoUringParams;
import org.cabrank.kernel.layout.IoUringSqe;

/**
 * The system calls of io_uring(7). Constants are in {@link IoUring}. The structs are {@link IoUringParams}, {@link IoUringSqe}, {@link
 * IoUringCqe} and the other {@code IoUring} classes of their package.
 *
 * <p>{@link #ioUringSetup} fails with {@code ENOSYS} before Linux 5.1, or if the kernel was built without io_uring. It fails with {@code
 * EPERM} if a seccomp filter or the sysctl {@code kernel.io_uring_disabled} forbids io_uring.
 */
public interface IoUringCalls extends NativeCalls {

    /**
     * io_uring_setup(2): creates a ring. Returns its descriptor, which is close-on-exec.
     *
     * @param entries minimum number of submission entries, at least 1. The kernel rounds the number up to a power of two
     * @param params address of an {@link IoUringParams}. The kernel reads the flags, and writes the features and offsets
     */
    default int ioUringSetup(int entries, long params) {
        return (int) call(SystemCall.IO_URING_SETUP, entries, params, 0, 0, 0, 0);
    }

    /**
     * io_uring_enter(2): submits requests, waits for completions, or both. The call waits only with {@link IoUring#IORING_ENTER_GETEVENTS}.
     * A call that waits may fail with {@code EINTR}.
     *
     * @param fd the ring's descriptor. With {@link IoUring#IORING_ENTER_REGISTERED_RING}, the ring's index
     * @param minComplete number of completions to wait for. If 0, the call does not wait
     * @param arg 0, or address of a signal mask. With {@link IoUring#IORING_ENTER_EXT_ARG}, address of an {@link IoUringGeteventsArg}
     * @param argBytes size in bytes of the struct at {@code arg}
     * @return number of submissions that the kernel has taken. The next call returns an error that occurs after the first submission
     */
    default int ioUringEnter(int fd, int toSubmit, int minComplete, int flags, long arg, long argBytes) {
        return (int) call(SystemCall.IO_URING_ENTER, fd, toSubmit, minComplete, flags, arg, argBytes);
    }

    /**
     * io_uring_register(2): adds or removes objects that a ring keeps between calls. May block until no request uses a removed object.
     *
     * @param fd the ring's descriptor; -1 for opcodes that need no ring
     * @param opcode one of the {@code IORING_REGISTER_} and {@code IORING_UNREGISTER_} constants
     * @param arg address of the opcode's argument, or 0
     * @param count number of arguments that the opcode requires
     * @return 0, or a result of the opcode
     */
    default int ioUringRegister(int fd, int opcode, long arg, int count) {
        return (int) call(SystemCall.IO_URING_REGISTER, fd, opcode, arg, count, 0, 0);
    }
}
