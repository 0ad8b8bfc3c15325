package org.cabrank.kernel.panama;

import java.lang.invoke.MethodHandle;
import org.cabrank.kernel.Abi;
import org.cabrank.kernel.SystemCall;
import org.cabrank.kernel.panama.generated.LinuxCalls;

/**
 * Calls by number with six arguments beside it, one more than there is room for in the shape that all other calls share:
 * those of io_uring and of the memory policy, and preadv2. They are linked in a shape of their own, when the first is made, so that a
 * process that makes none of them does not pay for it.
 */
final class WideDowncalls {
    static final int IO_URING_SETUP = SystemCall.IO_URING_SETUP.number(Abi.current());
    static final int IO_URING_ENTER = SystemCall.IO_URING_ENTER.number(Abi.current());
    static final int IO_URING_REGISTER = SystemCall.IO_URING_REGISTER.number(Abi.current());
    static final int MBIND = SystemCall.MBIND.number(Abi.current());
    static final int PREADV2 = SystemCall.PREADV2.number(Abi.current());
    static final int MOVE_PAGES = SystemCall.MOVE_PAGES.number(Abi.current());

    static final MethodHandle SYSCALL =
            Downcalls.linkWide(LinuxCalls.syscall$address(), LinuxCalls.syscall$descriptor());

    private WideDowncalls() {}

    /** The result, or {@code -errno}. It nests no deeper than {@link Downcalls#call}, for the same reason. */
    static int call(int number, long a, long b, long c, long d, long e, long f) {
        try {
            int result = (int) (long) SYSCALL.invokeExact(ErrnoCapture.segment(), (long) number, a, b, c, d, e, f);
            return result >= 0 ? result : -ErrnoCapture.errno();
        } catch (Throwable impossible) {
            throw Downcalls.unexpected(impossible);
        }
    }
}
