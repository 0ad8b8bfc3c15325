package org.cabrank.bench.cli;

import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import org.cabrank.kernel.Errno;
import org.cabrank.kernel.Kernel;
import org.cabrank.kernel.KernelException;
import org.cabrank.kernel.NativeArgument;
import org.cabrank.kernel.Resources;
import org.cabrank.kernel.layout.ResourceLimit;

final class Descriptors {

    /** Number of descriptors that are needed for other things than connections: the JVM's files, listeners, epoll sets and pipes. */
    private static final int OTHERS = 256;

    private Descriptors() {}

    /** Checks that one process may have descriptors for {@code connections}. */
    static void check(Kernel kernel, int connections) {
        ByteBuffer limit = ByteBuffer.allocateDirect(ResourceLimit.SIZE_BYTES).order(ByteOrder.nativeOrder());
        try {
            Errno.check(
                    "getrlimit",
                    NativeArgument.pass(kernel, limit, address -> kernel.getrlimit(Resources.RLIMIT_NOFILE, address)));
        } catch (KernelException unknown) {
            throw new Failure(unknown.getMessage(), unknown);
        }
        check(limit.getLong(ResourceLimit.CUR_OFFSET), limit.getLong(ResourceLimit.MAX_OFFSET), connections);
    }

    /** Checks against the soft limit. Only the advice depends on {@code hard}. Both limits are unsigned, as in the kernel. */
    static void check(long soft, long hard, int connections) {
        int needed = connections + OTHERS;
        if (Long.compareUnsigned(soft, needed) < 0) {
            String remedy = Long.compareUnsigned(hard, needed) >= 0
                    ? "ulimit -n " + needed
                    : "the hard limit is " + Long.toUnsignedString(hard) + ": as root ulimit -n " + needed
                            + ", in a container --ulimit nofile=" + needed + ", under systemd LimitNOFILE=" + needed;
            throw new Failure("--connections " + connections + ": each process would need " + needed
                    + " descriptors and may have " + Long.toUnsignedString(soft) + " (" + remedy
                    + "), or ask for fewer connections");
        }
    }
}
