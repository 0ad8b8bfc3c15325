package org.cabrank.kernel.panama;

import static org.cabrank.kernel.panama.Downcalls.call;
import static org.cabrank.kernel.panama.Downcalls.callForAddress;
import static org.cabrank.kernel.panama.Downcalls.callForError;
import static org.cabrank.kernel.panama.Downcalls.link;
import static org.cabrank.kernel.panama.Downcalls.linkCritical;

import java.lang.foreign.MemorySegment;
import java.lang.invoke.MethodHandle;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import org.cabrank.kernel.Kernel;
import org.cabrank.kernel.panama.generated.LinuxCalls;

/**
 * The kernel through the Foreign Function and Memory API. The handles of each family of calls stand in a class of their
 * own, so that a process links the families that it uses, when it first does.
 */
final class PanamaKernel implements Kernel {

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
    public long mmap(long address, long length, int protection, int flags, int fd, long offset) {
        return callForAddress(MemoryHandles.MMAP, address, length, protection, flags, fd, offset);
    }

    @Override
    public int munmap(long address, long length) {
        return call(MemoryHandles.MUNMAP, address, length, 0, 0, 0, 0);
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
        return call(CriticalHandles.GETTID, 0, 0, 0, 0, 0, 0);
    }

    @Override
    public int getrlimit(int resource, long limit) {
        return call(ResourceHandles.GETRLIMIT, resource, limit, 0, 0, 0, 0);
    }

    @Override
    public int setrlimit(int resource, long limit) {
        return call(ResourceHandles.SETRLIMIT, resource, limit, 0, 0, 0, 0);
    }

    private static final class SocketHandles {
        static final MethodHandle SOCKET = link(LinuxCalls.socket$address(), LinuxCalls.socket$descriptor());
        static final MethodHandle BIND = link(LinuxCalls.bind$address(), LinuxCalls.bind$descriptor());
        static final MethodHandle LISTEN = link(LinuxCalls.listen$address(), LinuxCalls.listen$descriptor());
        static final MethodHandle ACCEPT4 = link(LinuxCalls.accept4$address(), LinuxCalls.accept4$descriptor());
        static final MethodHandle CONNECT = link(LinuxCalls.connect$address(), LinuxCalls.connect$descriptor());
        static final MethodHandle RECV = link(LinuxCalls.recv$address(), LinuxCalls.recv$descriptor());
        static final MethodHandle SEND = link(LinuxCalls.send$address(), LinuxCalls.send$descriptor());
        static final MethodHandle RECVFROM = link(LinuxCalls.recvfrom$address(), LinuxCalls.recvfrom$descriptor());
        static final MethodHandle SENDTO = link(LinuxCalls.sendto$address(), LinuxCalls.sendto$descriptor());
        static final MethodHandle SHUTDOWN = link(LinuxCalls.shutdown$address(), LinuxCalls.shutdown$descriptor());
        static final MethodHandle GETSOCKOPT =
                link(LinuxCalls.getsockopt$address(), LinuxCalls.getsockopt$descriptor());
        static final MethodHandle SETSOCKOPT =
                link(LinuxCalls.setsockopt$address(), LinuxCalls.setsockopt$descriptor());
        static final MethodHandle GETSOCKNAME =
                link(LinuxCalls.getsockname$address(), LinuxCalls.getsockname$descriptor());
        static final MethodHandle GETPEERNAME =
                link(LinuxCalls.getpeername$address(), LinuxCalls.getpeername$descriptor());

        private SocketHandles() {}
    }

    private static final class FileHandles {
        static final MethodHandle READ = link(LinuxCalls.read$address(), LinuxCalls.read$descriptor());
        static final MethodHandle WRITE = link(LinuxCalls.write$address(), LinuxCalls.write$descriptor());
        static final MethodHandle CLOSE = link(LinuxCalls.close$address(), LinuxCalls.close$descriptor());

        private FileHandles() {}
    }

    private static final class EpollHandles {
        static final MethodHandle EPOLL_CREATE1 =
                link(LinuxCalls.epoll_create1$address(), LinuxCalls.epoll_create1$descriptor());
        static final MethodHandle EPOLL_CTL = link(LinuxCalls.epoll_ctl$address(), LinuxCalls.epoll_ctl$descriptor());
        static final MethodHandle EPOLL_WAIT =
                link(LinuxCalls.epoll_wait$address(), LinuxCalls.epoll_wait$descriptor());

        private EpollHandles() {}
    }

    private static final class EventHandles {
        static final MethodHandle EVENTFD = link(LinuxCalls.eventfd$address(), LinuxCalls.eventfd$descriptor());
        static final MethodHandle TIMERFD_CREATE =
                link(LinuxCalls.timerfd_create$address(), LinuxCalls.timerfd_create$descriptor());
        static final MethodHandle TIMERFD_SETTIME =
                link(LinuxCalls.timerfd_settime$address(), LinuxCalls.timerfd_settime$descriptor());
        static final MethodHandle SIGNALFD = link(LinuxCalls.signalfd$address(), LinuxCalls.signalfd$descriptor());
        static final MethodHandle PTHREAD_SIGMASK =
                link(LinuxCalls.pthread_sigmask$address(), LinuxCalls.pthread_sigmask$descriptor());

        private EventHandles() {}
    }

    private static final class MemoryHandles {
        static final MethodHandle MMAP = link(LinuxCalls.mmap$address(), LinuxCalls.mmap$descriptor());
        static final MethodHandle MUNMAP = link(LinuxCalls.munmap$address(), LinuxCalls.munmap$descriptor());

        private MemoryHandles() {}
    }

    private static final class SchedulerHandles {
        static final MethodHandle SCHED_SETAFFINITY =
                link(LinuxCalls.sched_setaffinity$address(), LinuxCalls.sched_setaffinity$descriptor());
        static final MethodHandle SCHED_GETAFFINITY =
                link(LinuxCalls.sched_getaffinity$address(), LinuxCalls.sched_getaffinity$descriptor());

        private SchedulerHandles() {}
    }

    private static final class ResourceHandles {
        static final MethodHandle GETRLIMIT = link(LinuxCalls.getrlimit$address(), LinuxCalls.getrlimit$descriptor());
        static final MethodHandle SETRLIMIT = link(LinuxCalls.setrlimit$address(), LinuxCalls.setrlimit$descriptor());

        private ResourceHandles() {}
    }

    /** Calls that never block: epoll_wait for {@code epollPoll} only, which asks it not to. */
    private static final class CriticalHandles {
        static final MethodHandle EPOLL_WAIT =
                linkCritical(LinuxCalls.epoll_wait$address(), LinuxCalls.epoll_wait$descriptor());
        static final MethodHandle SCHED_GETCPU =
                linkCritical(LinuxCalls.sched_getcpu$address(), LinuxCalls.sched_getcpu$descriptor());
        static final MethodHandle GETTID = linkCritical(LinuxCalls.gettid$address(), LinuxCalls.gettid$descriptor());

        private CriticalHandles() {}
    }
}
