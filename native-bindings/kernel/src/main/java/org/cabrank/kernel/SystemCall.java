package org.cabrank.kernel;

/**
 * System calls that are made by number (syscall(2)). The C library has no function for them, has it only in some versions, or has a
 * function that differs from the system call. The numbers depend on the ABI.
 *
 * <p>All other calls use a function of the C library. It exists in glibc 2.17 and in musl, and makes the system call. The tests of both
 * bindings check this.
 *
 * <p>Some reasons: glibc has gettid only since 2.30, and epoll_pwait2 only since 2.35. In musl, sched_setscheduler, sched_getscheduler and
 * sched_getparam only return ENOSYS. fcntl and ioctl are variadic in C. pread64 and sendfile64 have other names in some versions. In musl,
 * sendmsg refuses more than 1 KiB of control data, and sendmmsg calls sendmsg for each message.
 */
public enum SystemCall {
    IOCTL(16, 29),
    PREAD64(17, 67),
    PWRITE64(18, 68),
    SENDFILE(40, 71),
    SENDMSG(46, 211),
    RECVMSG(47, 212),
    FCNTL(72, 25),
    FSYNC(74, 82),
    FDATASYNC(75, 83),
    GETPRIORITY(140, 141),
    SCHED_GETPARAM(143, 121),
    SCHED_SETSCHEDULER(144, 119),
    SCHED_GETSCHEDULER(145, 120),
    PRCTL(157, 167),
    GETTID(186, 178),
    SET_MEMPOLICY(238, 237),
    GET_MEMPOLICY(239, 236),
    MQ_OPEN(240, 180),
    MQ_UNLINK(241, 181),
    MQ_TIMEDSEND(242, 182),
    MQ_TIMEDRECEIVE(243, 183),
    MQ_GETSETATTR(245, 185),
    MOVE_PAGES(279, 239),
    RECVMMSG(299, 243),
    SENDMMSG(307, 269),
    PREADV2(327, 286),
    IO_URING_SETUP(425, 425),
    IO_URING_ENTER(426, 426),
    IO_URING_REGISTER(427, 427),
    EPOLL_PWAIT2(441, 441);

    private final int x86Number;
    private final int aarch64Number;

    SystemCall(int x86Number, int aarch64Number) {
        this.x86Number = x86Number;
        this.aarch64Number = aarch64Number;
    }

    public int number(Abi abi) {
        return abi == Abi.X86_64 ? x86Number : aarch64Number;
    }
}
