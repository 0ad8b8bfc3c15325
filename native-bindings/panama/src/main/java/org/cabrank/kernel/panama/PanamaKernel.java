package org.cabrank.kernel.panama;

import java.lang.foreign.MemorySegment;
import java.lang.invoke.MethodHandle;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import org.cabrank.kernel.Abi;
import org.cabrank.kernel.CFunction;
import org.cabrank.kernel.Kernel;
import org.cabrank.kernel.SystemCall;
import org.cabrank.kernel.panama.generated.LinuxCalls;

/**
 * Calls the kernel through the Foreign Function and Memory API.
 *
 * <p>A downcall that the JIT does not inline allocates. The JIT inlines 15 levels of calls, counted from the caller's loop, and the FFM API
 * uses about ten of them. Therefore the methods make downcalls directly, without helper methods.
 */
final class PanamaKernel implements Kernel {
    private static final Abi ABI = Abi.current();
    private static final long GETTID = SystemCall.GETTID.number(ABI);
    private static final long IO_URING_ENTER = SystemCall.IO_URING_ENTER.number(ABI);

    private static final MethodHandle SYSCALL = Downcalls.link(LinuxCalls.syscall$address());

    @Override
    public String name() {
        return PanamaKernelProvider.NAME;
    }

    @Override
    public long call(CFunction function, long a, long b, long c, long d, long e, long f) {
        try {
            // The JIT treats the element as a constant, because the list is immutable and callers pass a constant
            // function.
            long result = (long) LinkedFunctions.HANDLES
                    .get(function.ordinal())
                    .invokeExact(ErrnoCapture.segment(), a, b, c, d, e, f, 0L);
            return (int) result != -1 ? result : -ErrnoCapture.errno();
        } catch (Throwable impossible) {
            throw Downcalls.unexpected(impossible);
        }
    }

    @Override
    public long call(SystemCall made, long a, long b, long c, long d, long e, long f) {
        try {
            long result = (long) SYSCALL.invokeExact(ErrnoCapture.segment(), (long) made.number(ABI), a, b, c, d, e, f);
            return result != -1 ? result : -ErrnoCapture.errno();
        } catch (Throwable impossible) {
            throw Downcalls.unexpected(impossible);
        }
    }

    /** Has one call level less than the default method. The innermost loop of a reactor makes this call. */
    @Override
    public int ioUringEnter(int fd, int toSubmit, int minComplete, int flags, long arg, long argBytes) {
        try {
            long result = (long) SYSCALL.invokeExact(
                    ErrnoCapture.segment(),
                    IO_URING_ENTER,
                    (long) fd,
                    (long) toSubmit,
                    (long) minComplete,
                    (long) flags,
                    arg,
                    argBytes);
            return result != -1 ? (int) result : -ErrnoCapture.errno();
        } catch (Throwable impossible) {
            throw Downcalls.unexpected(impossible);
        }
    }

    /** Has one call level less than the default method. A connection makes this call for each event. */
    @Override
    public int recv(int fd, long buffer, int count, int flags) {
        try {
            long result = (long) LinkedFunctions.HANDLES
                    .get(CFunction.RECV.ordinal())
                    .invokeExact(ErrnoCapture.segment(), (long) fd, buffer, (long) count, (long) flags, 0L, 0L, 0L);
            return (int) result != -1 ? (int) result : -ErrnoCapture.errno();
        } catch (Throwable impossible) {
            throw Downcalls.unexpected(impossible);
        }
    }

    /** See {@link #recv}. */
    @Override
    public int send(int fd, long buffer, int count, int flags) {
        try {
            long result = (long) LinkedFunctions.HANDLES
                    .get(CFunction.SEND.ordinal())
                    .invokeExact(ErrnoCapture.segment(), (long) fd, buffer, (long) count, (long) flags, 0L, 0L, 0L);
            return (int) result != -1 ? (int) result : -ErrnoCapture.errno();
        } catch (Throwable impossible) {
            throw Downcalls.unexpected(impossible);
        }
    }

    @Override
    public int epollPoll(int epollFd, long events, int maxEvents) {
        return critical(CriticalHandles.EPOLL_WAIT, epollFd, events, maxEvents);
    }

    @Override
    public int gettid() {
        return critical(CriticalHandles.SYSCALL, GETTID, 0, 0);
    }

    private static int critical(MethodHandle handle, long a, long b, long c) {
        try {
            int result = (int) (long) handle.invokeExact(ErrnoCapture.segment(), a, b, c, 0L, 0L, 0L, 0L);
            return result != -1 ? result : -ErrnoCapture.errno();
        } catch (Throwable impossible) {
            throw Downcalls.unexpected(impossible);
        }
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

    /** Functions for calls that do not block: epoll_wait with timeout 0, and syscall for gettid. */
    private static final class CriticalHandles {
        static final MethodHandle EPOLL_WAIT = Downcalls.linkCritical(LinuxCalls.epoll_wait$address());
        static final MethodHandle SYSCALL = Downcalls.linkCritical(LinuxCalls.syscall$address());

        private CriticalHandles() {}
    }
}
