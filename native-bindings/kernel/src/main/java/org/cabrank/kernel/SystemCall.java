package org.cabrank.kernel;

/**
 * System calls that are made by number (syscall(2)), because the C library has no function for the call, has it only in some versions, or
 * changes the result. The numbers depend on the ABI.
 *
 * <p>Every other call is made through a function of the C library. The function must be in glibc 2.17 and in musl, where it must make the
 * call: the tests of both bindings check this. glibc has gettid since 2.30 and epoll_pwait2 since 2.35; musl's sched_setscheduler,
 * sched_getscheduler and sched_getparam return ENOSYS without a system call. fcntl and ioctl are variadic in C, and an ABI may pass
 * variadic arguments in another way. The functions for files of more than 2 GiB have other names in some versions (pread64, sendfile64).
 * musl's sendmsg copies the control data, and refuses more than 1 KiB of it; its sendmmsg calls sendmsg for each message.
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
