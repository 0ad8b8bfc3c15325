package org.cabrank.socket.contract;

import java.nio.ByteBuffer;
import java.util.List;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ConcurrentMap;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.IntSupplier;
import org.cabrank.kernel.Epoll;
import org.cabrank.kernel.FileFlags;
import org.cabrank.kernel.Kernel;
import org.cabrank.kernel.contract.ForwardingKernel;

/**
 * A kernel whose calls fail by plan: of each call, by its name, the plan says what the n-th answers. It counts the calls,
 * and it keeps account of descriptors: one that is closed twice is noted.
 */
public final class FaultyKernel extends ForwardingKernel {
    /** Results of a call that replace the kernel's results. */
    public interface Plan {
        /** The kernel is asked. */
        int ASK = Integer.MIN_VALUE;
        /** The kernel is asked, but for one byte only. */
        int SHORT = Integer.MIN_VALUE + 1;

        /** @param call from 1 */
        int answer(int call);

        /** A plan of these answers in order, followed by the kernel's answers. */
        static Plan first(int... answers) {
            return call -> call <= answers.length ? answers[call - 1] : ASK;
        }

        /** This answer from the n-th call on, so many times. */
        static Plan from(int nth, int times, int answer) {
            return call -> call >= nth && call - nth < times ? answer : ASK;
        }

        /** This answer at every second call: what was interrupted is asked for again. */
        static Plan everySecond(int answer) {
            return call -> call % 2 == 1 ? answer : ASK;
        }
    }

    private final ConcurrentMap<String, Plan> plans = new ConcurrentHashMap<>();
    private final ConcurrentMap<String, AtomicInteger> counts = new ConcurrentHashMap<>();
    private final List<Integer> sentCounts = new CopyOnWriteArrayList<>();
    private final ConcurrentMap<Integer, Boolean> closed = new ConcurrentHashMap<>();
    private final AtomicInteger closedTwice = new AtomicInteger();

    public FaultyKernel(Kernel next) {
        super(next);
    }

    public FaultyKernel plan(String call, Plan plan) {
        plans.put(call, plan);
        counts.remove(call); // in this order: a call of another thread at this moment is not the first of the new plan
        return this;
    }

    /** From now on the kernel answers by itself. */
    public void forget() {
        plans.clear();
    }

    /** Number of calls since the plan was set. */
    public int calls(String call) {
        AtomicInteger count = counts.get(call);
        return count == null ? 0 : count.get();
    }

    /** Number of times that a descriptor was closed although it was closed already. */
    public int closedTwice() {
        return closedTwice.get();
    }

    /** Number of bytes in each send call. */
    public List<Integer> sentCounts() {
        return sentCounts;
    }

    private int planned(String call, IntSupplier asked) {
        return planned(call, asked, asked);
    }

    private int planned(String call, IntSupplier asked, IntSupplier askedForOne) {
        int nth = counts.computeIfAbsent(call, name -> new AtomicInteger()).incrementAndGet();
        Plan plan = plans.get(call);
        int answer = plan == null ? Plan.ASK : plan.answer(nth);
        return switch (answer) {
            case Plan.ASK -> asked.getAsInt();
            case Plan.SHORT -> askedForOne.getAsInt();
            default -> answer;
        };
    }

    private int given(int fd) {
        if (fd >= 0) {
            closed.remove(fd);
        }
        return fd;
    }

    @Override
    public int socket(int domain, int type, int protocol) {
        return planned("socket", () -> given(next().socket(domain, type, protocol)));
    }

    @Override
    public int bind(int fd, long address, int length) {
        return planned("bind", () -> next().bind(fd, address, length));
    }

    @Override
    public int fcntl(int fd, int command, int argument) {
        return planned("fcntl", () -> {
            int result = next().fcntl(fd, command, argument);
            return command == FileFlags.F_DUPFD_CLOEXEC ? given(result) : result;
        });
    }

    @Override
    public int listen(int fd, int backlog) {
        return planned("listen", () -> next().listen(fd, backlog));
    }

    @Override
    public int accept4(int fd, long address, long lengthAddress, int flags) {
        return planned("accept4", () -> given(next().accept4(fd, address, lengthAddress, flags)));
    }

    /** Calls the kernel in any case: an interrupted connect continues in the kernel. */
    @Override
    public int connect(int fd, long address, int length) {
        int result = next().connect(fd, address, length);
        return planned("connect", () -> result);
    }

    @Override
    public int recv(int fd, long buffer, int count, int flags) {
        return planned("recv", () -> next().recv(fd, buffer, count, flags), () -> next().recv(fd, buffer, 1, flags));
    }

    @Override
    public int send(int fd, long buffer, int count, int flags) {
        sentCounts.add(count);
        return planned("send", () -> next().send(fd, buffer, count, flags), () -> next().send(fd, buffer, 1, flags));
    }

    @Override
    public int recvmmsg(int fd, long headers, int count, int flags) {
        return planned("recvmmsg", () -> next().recvmmsg(fd, headers, count, flags));
    }

    @Override
    public int sendmmsg(int fd, long headers, int count, int flags) {
        return planned("sendmmsg", () -> next().sendmmsg(fd, headers, count, flags));
    }

    @Override
    public int sendmsg(int fd, long header, int flags) {
        return planned("sendmsg", () -> next().sendmsg(fd, header, flags));
    }

    @Override
    public int recvmsg(int fd, long header, int flags) {
        return planned("recvmsg", () -> next().recvmsg(fd, header, flags));
    }

    @Override
    public int sendto(int fd, long buffer, int count, int flags, long address, int length) {
        return planned("sendto", () -> next().sendto(fd, buffer, count, flags, address, length));
    }

    @Override
    public int write(int fd, long buffer, int count) {
        return planned("write", () -> next().write(fd, buffer, count));
    }

    @Override
    public int shutdown(int fd, int how) {
        return planned("shutdown", () -> next().shutdown(fd, how));
    }

    /** Whatever the answer, the descriptor is gone (close(2)). */
    @Override
    public int close(int fd) {
        if (closed.putIfAbsent(fd, true) != null) {
            closedTwice.incrementAndGet();
        }
        int result = next().close(fd);
        return planned("close", () -> result);
    }

    @Override
    public int setsockopt(int fd, int level, int name, long value, int length) {
        return planned("setsockopt", () -> next().setsockopt(fd, level, name, value, length));
    }

    @Override
    public int getsockname(int fd, long address, long lengthAddress) {
        return planned("getsockname", () -> next().getsockname(fd, address, lengthAddress));
    }

    @Override
    public int getpeername(int fd, long address, long lengthAddress) {
        return planned("getpeername", () -> next().getpeername(fd, address, lengthAddress));
    }

    @Override
    public int epollCreate1(int flags) {
        return planned("epoll_create1", () -> given(next().epollCreate1(flags)));
    }

    @Override
    public int epollCtl(int epollFd, int operation, int fd, long event) {
        return planned(
                operation == Epoll.EPOLL_CTL_ADD ? "epoll_ctl add" : "epoll_ctl",
                () -> next().epollCtl(epollFd, operation, fd, event));
    }

    @Override
    public int epollWait(int epollFd, long events, int maxEvents, int timeoutMs) {
        return planned("epoll_wait", () -> next().epollWait(epollFd, events, maxEvents, timeoutMs));
    }

    @Override
    public int epollPwait2(int epollFd, long events, int maxEvents, long timeout) {
        return planned("epoll_pwait2", () -> next().epollPwait2(epollFd, events, maxEvents, timeout));
    }

    @Override
    public int eventfd(int initialValue, int flags) {
        return planned("eventfd", () -> given(next().eventfd(initialValue, flags)));
    }

    @Override
    public int ioUringSetup(int entries, long params) {
        return planned("io_uring_setup", () -> given(next().ioUringSetup(entries, params)));
    }

    @Override
    public int ioUringEnter(int fd, int toSubmit, int minComplete, int flags, long arg, long argBytes) {
        return planned("io_uring_enter", () -> next().ioUringEnter(fd, toSubmit, minComplete, flags, arg, argBytes));
    }

    @Override
    public int ioUringRegister(int fd, int opcode, long arg, int count) {
        return planned("io_uring_register", () -> next().ioUringRegister(fd, opcode, arg, count));
    }

    @Override
    public int ioctl(int fd, long request, long argument) {
        return planned("ioctl", () -> next().ioctl(fd, request, argument));
    }

    @Override
    public int open(long path, int flags, int mode) {
        return planned("open", () -> given(next().open(path, flags, mode)));
    }

    @Override
    public int pread(int fd, long buffer, int count, long position) {
        return planned(
                "pread", () -> next().pread(fd, buffer, count, position), () -> next().pread(fd, buffer, 1, position));
    }

    @Override
    public int preadv2(int fd, long vector, int count, long position, int flags) {
        return planned("preadv2", () -> next().preadv2(fd, vector, count, position, flags));
    }

    @Override
    public int sendfile(int socketFd, int fileFd, long positionAddress, int count) {
        return planned(
                "sendfile",
                () -> next().sendfile(socketFd, fileFd, positionAddress, count),
                () -> next().sendfile(socketFd, fileFd, positionAddress, 1));
    }

    @Override
    public int timerfdCreate(int clockId, int flags) {
        return given(next().timerfdCreate(clockId, flags));
    }

    @Override
    public int pipe2(long descriptors, int flags) {
        int result = next().pipe2(descriptors, flags);
        if (result == 0) {
            ByteBuffer ends = next().viewOf(descriptors, 2 * Integer.BYTES);
            given(ends.getInt(0));
            given(ends.getInt(Integer.BYTES));
        }
        return result;
    }
}
