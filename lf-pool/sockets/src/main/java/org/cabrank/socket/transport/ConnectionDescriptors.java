package org.cabrank.socket.transport;

import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import org.cabrank.kernel.Kernel;
import org.cabrank.kernel.NativeArgument;
import org.cabrank.kernel.Resources;
import org.cabrank.kernel.layout.ResourceLimit;
import org.cabrank.stream.StreamLimits;

final class ConnectionDescriptors {
    /** Maximum number of descriptors kept free for files, logs, epoll sets and rings. At most an eighth of all descriptors is kept free. */
    private static final int KEPT_MAX = 256;

    private static final int KEPT_PART = 8;

    private ConnectionDescriptors() {}

    /** Returns the requested maximum number of connections. If none is requested, keeps some descriptors free. 0 means no limit. */
    static int available(Kernel kernel, StreamLimits limits) {
        return limits.connectionsMax() > 0 ? limits.connectionsMax() : of(softLimit(kernel));
    }

    static int of(long descriptors) {
        if (descriptors < 0 || descriptors > Integer.MAX_VALUE) {
            return 0;
        }
        return (int) Math.max(1, descriptors - Math.min(KEPT_MAX, descriptors / KEPT_PART));
    }

    private static long softLimit(Kernel kernel) {
        ByteBuffer limit = ByteBuffer.allocateDirect(ResourceLimit.SIZE_BYTES).order(ByteOrder.nativeOrder());
        int result = NativeArgument.pass(kernel, limit, address -> kernel.getrlimit(Resources.RLIMIT_NOFILE, address));
        return result < 0 ? -1 : limit.getLong(ResourceLimit.CUR_OFFSET);
    }
}
