package org.cabrank.kernel.contract;

import java.nio.ByteBuffer;
import java.util.Objects;
import org.cabrank.kernel.CFunction;
import org.cabrank.kernel.Kernel;
import org.cabrank.kernel.SystemCall;

/**
 * A kernel that passes every call on to another one. Override the calls that shall be traced or shall fail: a test puts
 * a faulty kernel in front of the real one this way.
 */
public class ForwardingKernel implements Kernel {
    private final Kernel next;

    public ForwardingKernel(Kernel next) {
        this.next = Objects.requireNonNull(next);
    }

    /** The kernel that calls are passed on to. */
    protected final Kernel next() {
        return next;
    }

    @Override
    public String name() {
        return next.name();
    }

    @Override
    public long call(CFunction function, long a, long b, long c, long d, long e, long f) {
        return next.call(function, a, b, c, d, e, f);
    }

    @Override
    public long call(SystemCall made, long a, long b, long c, long d, long e, long f) {
        return next.call(made, a, b, c, d, e, f);
    }

    @Override
    public int socket(int domain, int type, int protocol) {
        return next.socket(domain, type, protocol);
    }

    @Override
    public int bind(int fd, long address, int length) {
        return next.bind(fd, address, length);
    }

    @Override
    public int listen(int fd, int backlog) {
        return next.listen(fd, backlog);
    }

    @Override
    public int accept4(int fd, long address, long lengthAddress, int flags) {
        return next.accept4(fd, address, lengthAddress, flags);
    }

    @Override
    public int connect(int fd, long address, int length) {
        return next.connect(fd, address, length);
    }

    @Override
    public int read(int fd, long buffer, int count) {
        return next.read(fd, buffer, count);
    }

    @Override
    public int write(int fd, long buffer, int count) {
        return next.write(fd, buffer, count);
    }

    @Override
    public int recv(int fd, long buffer, int count, int flags) {
        return next.recv(fd, buffer, count, flags);
    }

    @Override
    public int send(int fd, long buffer, int count, int flags) {
        return next.send(fd, buffer, count, flags);
    }

    @Override
    public int sendto(int fd, long buffer, int count, int flags, long address, int length) {
        return next.sendto(fd, buffer, count, flags, address, length);
    }

    @Override
    public int sendmsg(int fd, long header, int flags) {
        return next.sendmsg(fd, header, flags);
    }

    @Override
    public int recvmsg(int fd, long header, int flags) {
        return next.recvmsg(fd, header, flags);
    }

    @Override
    public int sendmmsg(int fd, long headers, int count, int flags) {
        return next.sendmmsg(fd, headers, count, flags);
    }

    @Override
    public int recvmmsg(int fd, long headers, int count, int flags) {
        return next.recvmmsg(fd, headers, count, flags);
    }

    @Override
    public int shutdown(int fd, int how) {
        return next.shutdown(fd, how);
    }

    @Override
    public int close(int fd) {
        return next.close(fd);
    }

    @Override
    public int getsockopt(int fd, int level, int name, long value, long lengthAddress) {
        return next.getsockopt(fd, level, name, value, lengthAddress);
    }

    @Override
    public int setsockopt(int fd, int level, int name, long value, int length) {
        return next.setsockopt(fd, level, name, value, length);
    }

    @Override
    public int getsockname(int fd, long address, long lengthAddress) {
        return next.getsockname(fd, address, lengthAddress);
    }

    @Override
    public int getpeername(int fd, long address, long lengthAddress) {
        return next.getpeername(fd, address, lengthAddress);
    }

    @Override
    public int epollCreate1(int flags) {
        return next.epollCreate1(flags);
    }

    @Override
    public int epollCtl(int epollFd, int operation, int fd, long event) {
        return next.epollCtl(epollFd, operation, fd, event);
    }

    @Override
    public int epollWait(int epollFd, long events, int maxEvents, int timeoutMs) {
        return next.epollWait(epollFd, events, maxEvents, timeoutMs);
    }

    @Override
    public int epollPwait2(int epollFd, long events, int maxEvents, long timeout) {
        return next.epollPwait2(epollFd, events, maxEvents, timeout);
    }

    @Override
    public int epollPoll(int epollFd, long events, int maxEvents) {
        return next.epollPoll(epollFd, events, maxEvents);
    }

    @Override
    public int eventfd(int initialValue, int flags) {
        return next.eventfd(initialValue, flags);
    }

    @Override
    public int timerfdCreate(int clockId, int flags) {
        return next.timerfdCreate(clockId, flags);
    }

    @Override
    public int timerfdSettime(int fd, int flags, long newValue, long oldValue) {
        return next.timerfdSettime(fd, flags, newValue, oldValue);
    }

    @Override
    public int signalfd(int fd, long mask, int flags) {
        return next.signalfd(fd, mask, flags);
    }

    @Override
    public int pthreadSigmask(int how, long set, long oldSet) {
        return next.pthreadSigmask(how, set, oldSet);
    }

    @Override
    public int kill(int pid, int signal) {
        return next.kill(pid, signal);
    }

    @Override
    public long mmap(long address, long length, int protection, int flags, int fd, long offset) {
        return next.mmap(address, length, protection, flags, fd, offset);
    }

    @Override
    public int munmap(long address, long length) {
        return next.munmap(address, length);
    }

    @Override
    public int getpagesize() {
        return next.getpagesize();
    }

    @Override
    public long addressOf(ByteBuffer direct) {
        return next.addressOf(direct);
    }

    @Override
    public ByteBuffer viewOf(long address, int length) {
        return next.viewOf(address, length);
    }

    @Override
    public int setMempolicy(int mode, long nodeMask, int maskBits) {
        return next.setMempolicy(mode, nodeMask, maskBits);
    }

    @Override
    public int getMempolicy(long modeAddress, long nodeMask, int maskBits, long address, int flags) {
        return next.getMempolicy(modeAddress, nodeMask, maskBits, address, flags);
    }

    @Override
    public int movePages(int pid, long count, long pages, long nodes, long status, int flags) {
        return next.movePages(pid, count, pages, nodes, status, flags);
    }

    @Override
    public int schedSetaffinity(int tid, int maskBytes, long mask) {
        return next.schedSetaffinity(tid, maskBytes, mask);
    }

    @Override
    public int schedGetaffinity(int tid, int maskBytes, long mask) {
        return next.schedGetaffinity(tid, maskBytes, mask);
    }

    @Override
    public int gettid() {
        return next.gettid();
    }

    @Override
    public int getrlimit(int resource, long limit) {
        return next.getrlimit(resource, limit);
    }

    @Override
    public int setrlimit(int resource, long limit) {
        return next.setrlimit(resource, limit);
    }

    @Override
    public int schedSetscheduler(int tid, int policy, long parameter) {
        return next.schedSetscheduler(tid, policy, parameter);
    }

    @Override
    public int schedGetscheduler(int tid) {
        return next.schedGetscheduler(tid);
    }

    @Override
    public int schedGetparam(int tid, long parameter) {
        return next.schedGetparam(tid, parameter);
    }

    @Override
    public int setpriority(int which, int who, int nice) {
        return next.setpriority(which, who, nice);
    }

    @Override
    public int getpriority(int which, int who) {
        return next.getpriority(which, who);
    }

    @Override
    public int prctl(int option, long argument) {
        return next.prctl(option, argument);
    }

    @Override
    public int open(long path, int flags, int mode) {
        return next.open(path, flags, mode);
    }

    @Override
    public int mkfifo(long path, int mode) {
        return next.mkfifo(path, mode);
    }

    @Override
    public int pipe2(long descriptors, int flags) {
        return next.pipe2(descriptors, flags);
    }

    @Override
    public int fcntl(int fd, int command, int argument) {
        return next.fcntl(fd, command, argument);
    }

    @Override
    public int pread(int fd, long buffer, int count, long position) {
        return next.pread(fd, buffer, count, position);
    }

    @Override
    public int pwrite(int fd, long buffer, int count, long position) {
        return next.pwrite(fd, buffer, count, position);
    }

    @Override
    public int fsync(int fd) {
        return next.fsync(fd);
    }

    @Override
    public int fdatasync(int fd) {
        return next.fdatasync(fd);
    }

    @Override
    public int preadv2(int fd, long vector, int count, long position, int flags) {
        return next.preadv2(fd, vector, count, position, flags);
    }

    @Override
    public int sendfile(int socketFd, int fileFd, long positionAddress, int count) {
        return next.sendfile(socketFd, fileFd, positionAddress, count);
    }

    @Override
    public int ioctl(int fd, long request, long argument) {
        return next.ioctl(fd, request, argument);
    }

    @Override
    public int inotifyInit1(int flags) {
        return next.inotifyInit1(flags);
    }

    @Override
    public int inotifyAddWatch(int fd, long path, int mask) {
        return next.inotifyAddWatch(fd, path, mask);
    }

    @Override
    public int inotifyRmWatch(int fd, int watch) {
        return next.inotifyRmWatch(fd, watch);
    }

    @Override
    public int mqOpen(long name, int flags, int mode, long attributes) {
        return next.mqOpen(name, flags, mode, attributes);
    }

    @Override
    public int mqUnlink(long name) {
        return next.mqUnlink(name);
    }

    @Override
    public int mqTimedsend(int fd, long message, int length, int priority, long timeout) {
        return next.mqTimedsend(fd, message, length, priority, timeout);
    }

    @Override
    public int mqTimedreceive(int fd, long buffer, int room, long priorityAddress, long timeout) {
        return next.mqTimedreceive(fd, buffer, room, priorityAddress, timeout);
    }

    @Override
    public int mqGetsetattr(int fd, long changed, long present) {
        return next.mqGetsetattr(fd, changed, present);
    }

    @Override
    public int ioUringSetup(int entries, long params) {
        return next.ioUringSetup(entries, params);
    }

    @Override
    public int ioUringEnter(int fd, int toSubmit, int minComplete, int flags, long arg, long argBytes) {
        return next.ioUringEnter(fd, toSubmit, minComplete, flags, arg, argBytes);
    }

    @Override
    public int ioUringRegister(int fd, int opcode, long arg, int count) {
        return next.ioUringRegister(fd, opcode, arg, count);
    }
}
