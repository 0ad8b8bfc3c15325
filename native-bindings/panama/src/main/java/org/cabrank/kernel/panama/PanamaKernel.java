package org.cabrank.kernel.panama;

import static org.cabrank.kernel.panama.Downcalls.call;
import static org.cabrank.kernel.panama.Downcalls.callForAddress;
import static org.cabrank.kernel.panama.Downcalls.callForError;

import java.lang.foreign.MemorySegment;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import org.cabrank.kernel.Abi;
import org.cabrank.kernel.Kernel;
import org.cabrank.kernel.SystemCall;
import org.cabrank.kernel.panama.LinkedCalls.CriticalHandles;
import org.cabrank.kernel.panama.LinkedCalls.EpollHandles;
import org.cabrank.kernel.panama.LinkedCalls.EventHandles;
import org.cabrank.kernel.panama.LinkedCalls.FileHandles;
import org.cabrank.kernel.panama.LinkedCalls.InotifyHandles;
import org.cabrank.kernel.panama.LinkedCalls.MemoryHandles;
import org.cabrank.kernel.panama.LinkedCalls.NumberedHandles;
import org.cabrank.kernel.panama.LinkedCalls.ResourceHandles;
import org.cabrank.kernel.panama.LinkedCalls.SchedulerHandles;
import org.cabrank.kernel.panama.LinkedCalls.SocketHandles;

/** The kernel through the Foreign Function and Memory API. */
final class PanamaKernel implements Kernel {
    private static final Abi ABI = Abi.current();
    private static final int GETTID = SystemCall.GETTID.number(ABI);

    @Override
    public String name() {
        return PanamaKernelProvider.NAME;
    }

    @Override
    public int socket(int domain, int type, int protocol) {
        return call(SocketHandles.SOCKET, domain, type, protocol, 0, 0, 0);
    }

    @Override
    public int bind(int fd, long address, int length) {
        return call(SocketHandles.BIND, fd, address, length, 0, 0, 0);
    }

    @Override
    public int listen(int fd, int backlog) {
        return call(SocketHandles.LISTEN, fd, backlog, 0, 0, 0, 0);
    }

    @Override
    public int accept4(int fd, long address, long lengthAddress, int flags) {
        return call(SocketHandles.ACCEPT4, fd, address, lengthAddress, flags, 0, 0);
    }

    @Override
    public int connect(int fd, long address, int length) {
        return call(SocketHandles.CONNECT, fd, address, length, 0, 0, 0);
    }

    @Override
    public int read(int fd, long buffer, int count) {
        return call(FileHandles.READ, fd, buffer, count, 0, 0, 0);
    }

    @Override
    public int write(int fd, long buffer, int count) {
        return call(FileHandles.WRITE, fd, buffer, count, 0, 0, 0);
    }

    @Override
    public int recv(int fd, long buffer, int count, int flags) {
        return call(SocketHandles.RECV, fd, buffer, count, flags, 0, 0);
    }

    @Override
    public int send(int fd, long buffer, int count, int flags) {
        return call(SocketHandles.SEND, fd, buffer, count, flags, 0, 0);
    }

    @Override
    public int recvfrom(int fd, long buffer, int count, int flags, long address, long lengthAddress) {
        return call(SocketHandles.RECVFROM, fd, buffer, count, flags, address, lengthAddress);
    }

    @Override
    public int sendto(int fd, long buffer, int count, int flags, long address, int length) {
        return call(SocketHandles.SENDTO, fd, buffer, count, flags, address, length);
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
        return call(SocketHandles.SHUTDOWN, fd, how, 0, 0, 0, 0);
    }

    @Override
    public int close(int fd) {
        return call(FileHandles.CLOSE, fd, 0, 0, 0, 0, 0);
    }

    @Override
    public int getsockopt(int fd, int level, int name, long value, long lengthAddress) {
        return call(SocketHandles.GETSOCKOPT, fd, level, name, value, lengthAddress, 0);
    }

    @Override
    public int setsockopt(int fd, int level, int name, long value, int length) {
        return call(SocketHandles.SETSOCKOPT, fd, level, name, value, length, 0);
    }

    @Override
    public int getsockname(int fd, long address, long lengthAddress) {
        return call(SocketHandles.GETSOCKNAME, fd, address, lengthAddress, 0, 0, 0);
    }

    @Override
    public int getpeername(int fd, long address, long lengthAddress) {
        return call(SocketHandles.GETPEERNAME, fd, address, lengthAddress, 0, 0, 0);
    }

    @Override
    public int epollCreate1(int flags) {
        return call(EpollHandles.EPOLL_CREATE1, flags, 0, 0, 0, 0, 0);
    }

    @Override
    public int epollCtl(int epollFd, int operation, int fd, long event) {
        return call(EpollHandles.EPOLL_CTL, epollFd, operation, fd, event, 0, 0);
    }

    @Override
    public int epollWait(int epollFd, long events, int maxEvents, int timeoutMs) {
        return call(EpollHandles.EPOLL_WAIT, epollFd, events, maxEvents, timeoutMs, 0, 0);
    }

    @Override
    public int epollPwait2(int epollFd, long events, int maxEvents, long timeout) {
        // glibc has had a function for it since 2.35 only. The size of the mask is not looked at where there is none.
        return syscall(SystemCall.EPOLL_PWAIT2, epollFd, events, maxEvents, timeout, 0);
    }

    @Override
    public int epollPoll(int epollFd, long events, int maxEvents) {
        return call(CriticalHandles.EPOLL_WAIT, epollFd, events, maxEvents, 0, 0, 0);
    }

    @Override
    public int eventfd(int initialValue, int flags) {
        return call(EventHandles.EVENTFD, initialValue, flags, 0, 0, 0, 0);
    }

    @Override
    public int timerfdCreate(int clockId, int flags) {
        return call(EventHandles.TIMERFD_CREATE, clockId, flags, 0, 0, 0, 0);
    }

    @Override
    public int timerfdSettime(int fd, int flags, long newValue, long oldValue) {
        return call(EventHandles.TIMERFD_SETTIME, fd, flags, newValue, oldValue, 0, 0);
    }

    @Override
    public int signalfd(int fd, long mask, int flags) {
        return call(EventHandles.SIGNALFD, fd, mask, flags, 0, 0, 0);
    }

    @Override
    public int pthreadSigmask(int how, long set, long oldSet) {
        return callForError(EventHandles.PTHREAD_SIGMASK, how, set, oldSet, 0, 0, 0);
    }

    @Override
    public int kill(int pid, int signal) {
        return call(EventHandles.KILL, pid, signal, 0, 0, 0, 0);
    }

    @Override
    public long mmap(long address, long length, int protection, int flags, int fd, long offset) {
        return callForAddress(MemoryHandles.MMAP, address, length, protection, flags, fd, offset);
    }

    @Override
    public int munmap(long address, long length) {
        return call(MemoryHandles.MUNMAP, address, length, 0, 0, 0, 0);
    }

    @Override
    public int getpagesize() {
        return call(MemoryHandles.GETPAGESIZE, 0, 0, 0, 0, 0, 0);
    }

    @Override
    public long addressOf(ByteBuffer direct) {
        if (!direct.isDirect()) {
            throw new IllegalArgumentException("a buffer on the Java heap has no address: " + direct);
        }
        // The segment of a buffer begins at its position.
        return MemorySegment.ofBuffer(direct.duplicate().clear()).address();
    }

    @Override
    public ByteBuffer viewOf(long address, int length) {
        return MemorySegment.ofAddress(address)
                .reinterpret(length)
                .asByteBuffer()
                .order(ByteOrder.nativeOrder());
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
        return WideDowncalls.call(WideDowncalls.MBIND, address, length, mode, nodeMask, maskBits, flags);
    }

    @Override
    public int movePages(int pid, long count, long pages, long nodes, long status, int flags) {
        return WideDowncalls.call(WideDowncalls.MOVE_PAGES, pid, count, pages, nodes, status, flags);
    }

    @Override
    public int perfEventOpen(long attributes, int tid, int cpu, int groupFd, int flags) {
        return syscall(SystemCall.PERF_EVENT_OPEN, attributes, tid, cpu, groupFd, flags);
    }

    @Override
    public int schedSetaffinity(int tid, int maskBytes, long mask) {
        return call(SchedulerHandles.SCHED_SETAFFINITY, tid, maskBytes, mask, 0, 0, 0);
    }

    @Override
    public int schedGetaffinity(int tid, int maskBytes, long mask) {
        return call(SchedulerHandles.SCHED_GETAFFINITY, tid, maskBytes, mask, 0, 0, 0);
    }

    @Override
    public int schedGetcpu() {
        return call(CriticalHandles.SCHED_GETCPU, 0, 0, 0, 0, 0, 0);
    }

    @Override
    public int gettid() {
        return call(CriticalHandles.SYSCALL, GETTID, 0, 0, 0, 0, 0);
    }

    @Override
    public int getrlimit(int resource, long limit) {
        return call(ResourceHandles.GETRLIMIT, resource, limit, 0, 0, 0, 0);
    }

    @Override
    public int setrlimit(int resource, long limit) {
        return call(ResourceHandles.SETRLIMIT, resource, limit, 0, 0, 0, 0);
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
        return call(SchedulerHandles.SCHED_GET_PRIORITY_MIN, policy, 0, 0, 0, 0, 0);
    }

    @Override
    public int schedGetPriorityMax(int policy) {
        return call(SchedulerHandles.SCHED_GET_PRIORITY_MAX, policy, 0, 0, 0, 0, 0);
    }

    @Override
    public int setpriority(int which, int who, int nice) {
        return call(SchedulerHandles.SETPRIORITY, which, who, nice, 0, 0, 0);
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
        return call(FileHandles.OPEN, path, flags, mode, 0, 0, 0);
    }

    @Override
    public int mkfifo(long path, int mode) {
        return call(FileHandles.MKFIFO, path, mode, 0, 0, 0, 0);
    }

    @Override
    public int pipe2(long descriptors, int flags) {
        return call(FileHandles.PIPE2, descriptors, flags, 0, 0, 0, 0);
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
        return WideDowncalls.call(WideDowncalls.PREADV2, fd, vector, count, position, 0, flags); // 0: of 32 bits only
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
        return call(InotifyHandles.INOTIFY_INIT1, flags, 0, 0, 0, 0, 0);
    }

    @Override
    public int inotifyAddWatch(int fd, long path, int mask) {
        return call(InotifyHandles.INOTIFY_ADD_WATCH, fd, path, mask, 0, 0, 0);
    }

    @Override
    public int inotifyRmWatch(int fd, int watch) {
        return call(InotifyHandles.INOTIFY_RM_WATCH, fd, watch, 0, 0, 0, 0);
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
        return WideDowncalls.call(WideDowncalls.IO_URING_SETUP, entries, params, 0, 0, 0, 0);
    }

    @Override
    public int ioUringEnter(int fd, int toSubmit, int minComplete, int flags, long arg, long argBytes) {
        // Not by way of WideDowncalls.call: this call is made in the innermost loop, and where the JIT does not inline
        // the whole
        // downcall into it, each allocates a view of the capture segment.
        try {
            int result = (int) (long) WideDowncalls.SYSCALL.invokeExact(
                    ErrnoCapture.segment(),
                    (long) WideDowncalls.IO_URING_ENTER,
                    (long) fd,
                    (long) toSubmit,
                    (long) minComplete,
                    (long) flags,
                    arg,
                    argBytes);
            return result >= 0 ? result : -ErrnoCapture.errno();
        } catch (Throwable impossible) {
            throw Downcalls.unexpected(impossible);
        }
    }

    @Override
    public int ioUringRegister(int fd, int opcode, long arg, int count) {
        return WideDowncalls.call(WideDowncalls.IO_URING_REGISTER, fd, opcode, arg, count, 0, 0);
    }

    private static int syscall(SystemCall made, long a, long b, long c, long d, long e) {
        return call(NumberedHandles.SYSCALL, made.number(ABI), a, b, c, d, e);
    }
}
