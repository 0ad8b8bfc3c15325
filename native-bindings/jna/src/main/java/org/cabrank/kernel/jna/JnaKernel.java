package org.cabrank.kernel.jna;

import com.sun.jna.Native;
import com.sun.jna.Pointer;
import java.nio.ByteBuffer;
import org.cabrank.kernel.Abi;
import org.cabrank.kernel.Kernel;
import org.cabrank.kernel.SystemCall;

/**
 * The kernel through JNA. JNA puts errno aside for each thread, in the same native frame as the call; it is fetched
 * only after a failure, since fetching it is a native call of its own.
 */
final class JnaKernel implements Kernel {
    private static final Abi ABI = Abi.current();

    @Override
    public String name() {
        return JnaKernelProvider.NAME;
    }

    @Override
    public int socket(int domain, int type, int protocol) {
        return result(LibC.socket(domain, type, protocol));
    }

    @Override
    public int bind(int fd, long address, int length) {
        return result(LibC.bind(fd, address, length));
    }

    @Override
    public int listen(int fd, int backlog) {
        return result(LibC.listen(fd, backlog));
    }

    @Override
    public int accept4(int fd, long address, long lengthAddress, int flags) {
        return result(LibC.accept4(fd, address, lengthAddress, flags));
    }

    @Override
    public int connect(int fd, long address, int length) {
        return result(LibC.connect(fd, address, length));
    }

    @Override
    public int read(int fd, long buffer, int count) {
        return result((int) LibC.read(fd, buffer, count));
    }

    @Override
    public int write(int fd, long buffer, int count) {
        return result((int) LibC.write(fd, buffer, count));
    }

    @Override
    public int recv(int fd, long buffer, int count, int flags) {
        return result((int) LibC.recv(fd, buffer, count, flags));
    }

    @Override
    public int send(int fd, long buffer, int count, int flags) {
        return result((int) LibC.send(fd, buffer, count, flags));
    }

    @Override
    public int recvfrom(int fd, long buffer, int count, int flags, long address, long lengthAddress) {
        return result((int) LibC.recvfrom(fd, buffer, count, flags, address, lengthAddress));
    }

    @Override
    public int sendto(int fd, long buffer, int count, int flags, long address, int length) {
        return result((int) LibC.sendto(fd, buffer, count, flags, address, length));
    }

    @Override
    public int sendmsg(int fd, long header, int flags) {
        return syscall(SystemCall.SENDMSG, fd, header, flags, 0, 0);
    }

    @Override
    public int recvmsg(int fd, long header, int flags) {
        return syscall(SystemCall.RECVMSG, fd, header, flags, 0, 0);
    }

    @Override
    public int sendmmsg(int fd, long headers, int count, int flags) {
        return syscall(SystemCall.SENDMMSG, fd, headers, count, flags, 0);
    }

    @Override
    public int recvmmsg(int fd, long headers, int count, int flags) {
        return syscall(SystemCall.RECVMMSG, fd, headers, count, flags, 0); // 0: no timeout
    }

    @Override
    public int shutdown(int fd, int how) {
        return result(LibC.shutdown(fd, how));
    }

    @Override
    public int close(int fd) {
        return result(LibC.close(fd));
    }

    @Override
    public int getsockopt(int fd, int level, int name, long value, long lengthAddress) {
        return result(LibC.getsockopt(fd, level, name, value, lengthAddress));
    }

    @Override
    public int setsockopt(int fd, int level, int name, long value, int length) {
        return result(LibC.setsockopt(fd, level, name, value, length));
    }

    @Override
    public int getsockname(int fd, long address, long lengthAddress) {
        return result(LibC.getsockname(fd, address, lengthAddress));
    }

    @Override
    public int getpeername(int fd, long address, long lengthAddress) {
        return result(LibC.getpeername(fd, address, lengthAddress));
    }

    @Override
    public int epollCreate1(int flags) {
        return result(LibC.epoll_create1(flags));
    }

    @Override
    public int epollCtl(int epollFd, int operation, int fd, long event) {
        return result(LibC.epoll_ctl(epollFd, operation, fd, event));
    }

    @Override
    public int epollWait(int epollFd, long events, int maxEvents, int timeoutMs) {
        return result(LibC.epoll_wait(epollFd, events, maxEvents, timeoutMs));
    }

    @Override
    public int epollPwait2(int epollFd, long events, int maxEvents, long timeout) {
        // glibc has had a function for it since 2.35 only. The size of the mask is not looked at where there is none.
        return syscall(SystemCall.EPOLL_PWAIT2, epollFd, events, maxEvents, timeout, 0);
    }

    @Override
    public int epollPoll(int epollFd, long events, int maxEvents) {
        return epollWait(epollFd, events, maxEvents, 0);
    }

    @Override
    public int eventfd(int initialValue, int flags) {
        return result(LibC.eventfd(initialValue, flags));
    }

    @Override
    public int timerfdCreate(int clockId, int flags) {
        return result(LibC.timerfd_create(clockId, flags));
    }

    @Override
    public int timerfdSettime(int fd, int flags, long newValue, long oldValue) {
        return result(LibC.timerfd_settime(fd, flags, newValue, oldValue));
    }

    @Override
    public int signalfd(int fd, long mask, int flags) {
        return result(LibC.signalfd(fd, mask, flags));
    }

    @Override
    public int pthreadSigmask(int how, long set, long oldSet) {
        // Returns the error number itself and leaves errno alone.
        return -LibC.pthread_sigmask(how, set, oldSet);
    }

    @Override
    public int kill(int pid, int signal) {
        return result(LibC.kill(pid, signal));
    }

    @Override
    public long mmap(long address, long length, int protection, int flags, int fd, long offset) {
        long result = LibC.mmap(address, length, protection, flags, fd, offset);
        return result != -1 ? result : -Native.getLastError();
    }

    @Override
    public int munmap(long address, long length) {
        return result(LibC.munmap(address, length));
    }

    @Override
    public int getpagesize() {
        return LibC.getpagesize();
    }

    @Override
    public long addressOf(ByteBuffer direct) {
        if (!direct.isDirect()) {
            throw new IllegalArgumentException("a buffer on the Java heap has no address: " + direct);
        }
        return Pointer.nativeValue(Native.getDirectBufferPointer(direct));
    }

    @Override
    public ByteBuffer viewOf(long address, int length) {
        // In native byte order already.
        return new Pointer(address).getByteBuffer(0, length);
    }

    @Override
    public int setMempolicy(int mode, long nodeMask, int maskBits) {
        return syscall(SystemCall.SET_MEMPOLICY, mode, nodeMask, maskBits, 0, 0);
    }

    @Override
    public int getMempolicy(long modeAddress, long nodeMask, int maskBits, long address, int flags) {
        return syscall(SystemCall.GET_MEMPOLICY, modeAddress, nodeMask, maskBits, address, flags);
    }

    @Override
    public int mbind(long address, long length, int mode, long nodeMask, int maskBits, int flags) {
        return syscall(SystemCall.MBIND, address, length, mode, nodeMask, maskBits, flags);
    }

    @Override
    public int movePages(int pid, long count, long pages, long nodes, long status, int flags) {
        return syscall(SystemCall.MOVE_PAGES, pid, count, pages, nodes, status, flags);
    }

    @Override
    public int perfEventOpen(long attributes, int tid, int cpu, int groupFd, int flags) {
        return syscall(SystemCall.PERF_EVENT_OPEN, attributes, tid, cpu, groupFd, flags);
    }

    @Override
    public int schedSetaffinity(int tid, int maskBytes, long mask) {
        return result(LibC.sched_setaffinity(tid, maskBytes, mask));
    }

    @Override
    public int schedGetaffinity(int tid, int maskBytes, long mask) {
        return result(LibC.sched_getaffinity(tid, maskBytes, mask));
    }

    @Override
    public int schedGetcpu() {
        return result(LibC.sched_getcpu());
    }

    @Override
    public int gettid() {
        return syscall(SystemCall.GETTID, 0, 0, 0, 0, 0);
    }

    @Override
    public int getrlimit(int resource, long limit) {
        return result(LibC.getrlimit(resource, limit));
    }

    @Override
    public int setrlimit(int resource, long limit) {
        return result(LibC.setrlimit(resource, limit));
    }

    @Override
    public int schedSetscheduler(int tid, int policy, long parameter) {
        return syscall(SystemCall.SCHED_SETSCHEDULER, tid, policy, parameter, 0, 0);
    }

    @Override
    public int schedGetscheduler(int tid) {
        return syscall(SystemCall.SCHED_GETSCHEDULER, tid, 0, 0, 0, 0);
    }

    @Override
    public int schedGetparam(int tid, long parameter) {
        return syscall(SystemCall.SCHED_GETPARAM, tid, parameter, 0, 0, 0);
    }

    @Override
    public int schedGetPriorityMin(int policy) {
        return result(LibC.sched_get_priority_min(policy));
    }

    @Override
    public int schedGetPriorityMax(int policy) {
        return result(LibC.sched_get_priority_max(policy));
    }

    @Override
    public int setpriority(int which, int who, int nice) {
        return result(LibC.setpriority(which, who, nice));
    }

    @Override
    public int getpriority(int which, int who) {
        return syscall(SystemCall.GETPRIORITY, which, who, 0, 0, 0);
    }

    @Override
    public int prctl(int option, long argument) {
        return syscall(SystemCall.PRCTL, option, argument, 0, 0, 0);
    }

    @Override
    public int open(long path, int flags, int mode) {
        return result(LibC.open(path, flags, mode));
    }

    @Override
    public int mkfifo(long path, int mode) {
        return result(LibC.mkfifo(path, mode));
    }

    @Override
    public int pipe2(long descriptors, int flags) {
        return result(LibC.pipe2(descriptors, flags));
    }

    @Override
    public int fcntl(int fd, int command, int argument) {
        return syscall(SystemCall.FCNTL, fd, command, argument, 0, 0);
    }

    @Override
    public int pread(int fd, long buffer, int count, long position) {
        return syscall(SystemCall.PREAD64, fd, buffer, count, position, 0);
    }

    @Override
    public int preadv2(int fd, long vector, int count, long position, int flags) {
        return syscall(SystemCall.PREADV2, fd, vector, count, position, 0, flags); // 0: of 32 bits only
    }

    @Override
    public int pwrite(int fd, long buffer, int count, long position) {
        return syscall(SystemCall.PWRITE64, fd, buffer, count, position, 0);
    }

    @Override
    public int fsync(int fd) {
        return syscall(SystemCall.FSYNC, fd, 0, 0, 0, 0);
    }

    @Override
    public int fdatasync(int fd) {
        return syscall(SystemCall.FDATASYNC, fd, 0, 0, 0, 0);
    }

    @Override
    public int sendfile(int socketFd, int fileFd, long positionAddress, int count) {
        return syscall(SystemCall.SENDFILE, socketFd, fileFd, positionAddress, count, 0);
    }

    @Override
    public int ioctl(int fd, long request, long argument) {
        return syscall(SystemCall.IOCTL, fd, request, argument, 0, 0);
    }

    @Override
    public int inotifyInit1(int flags) {
        return result(LibC.inotify_init1(flags));
    }

    @Override
    public int inotifyAddWatch(int fd, long path, int mask) {
        return result(LibC.inotify_add_watch(fd, path, mask));
    }

    @Override
    public int inotifyRmWatch(int fd, int watch) {
        return result(LibC.inotify_rm_watch(fd, watch));
    }

    @Override
    public int mqOpen(long name, int flags, int mode, long attributes) {
        return syscall(SystemCall.MQ_OPEN, name, flags, mode, attributes, 0);
    }

    @Override
    public int mqUnlink(long name) {
        return syscall(SystemCall.MQ_UNLINK, name, 0, 0, 0, 0);
    }

    @Override
    public int mqTimedsend(int fd, long message, int length, int priority, long timeout) {
        return syscall(SystemCall.MQ_TIMEDSEND, fd, message, length, priority, timeout);
    }

    @Override
    public int mqTimedreceive(int fd, long buffer, int room, long priorityAddress, long timeout) {
        return syscall(SystemCall.MQ_TIMEDRECEIVE, fd, buffer, room, priorityAddress, timeout);
    }

    @Override
    public int mqGetsetattr(int fd, long changed, long present) {
        return syscall(SystemCall.MQ_GETSETATTR, fd, changed, present, 0, 0);
    }

    @Override
    public int ioUringSetup(int entries, long params) {
        return syscall(SystemCall.IO_URING_SETUP, entries, params, 0, 0, 0);
    }

    @Override
    public int ioUringEnter(int fd, int toSubmit, int minComplete, int flags, long arg, long argBytes) {
        return syscall(SystemCall.IO_URING_ENTER, fd, toSubmit, minComplete, flags, arg, argBytes);
    }

    @Override
    public int ioUringRegister(int fd, int opcode, long arg, int count) {
        return syscall(SystemCall.IO_URING_REGISTER, fd, opcode, arg, count, 0);
    }

    private static int syscall(SystemCall made, long a, long b, long c, long d, long e) {
        return syscall(made, a, b, c, d, e, 0);
    }

    private static int syscall(SystemCall made, long a, long b, long c, long d, long e, long f) {
        return result((int) LibC.syscall(made.number(ABI), a, b, c, d, e, f));
    }

    private static int result(int result) {
        return result >= 0 ? result : -Native.getLastError();
    }
}
