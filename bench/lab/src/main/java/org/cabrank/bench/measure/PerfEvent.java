package org.cabrank.bench.measure;

import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import org.cabrank.kernel.Kernel;
import org.cabrank.kernel.NativeArgument;
import org.cabrank.kernel.PerfEventAttr;
import org.cabrank.kernel.PerfEvents;

/**
 * An event in the terms of perf_event_open(2).
 *
 * @param type one of {@code PERF_TYPE_*}
 * @param config number of the event within the type
 */
public record PerfEvent(int type, long config) {

    private static final int TIMES =
            PerfEvents.PERF_FORMAT_TOTAL_TIME_ENABLED | PerfEvents.PERF_FORMAT_TOTAL_TIME_RUNNING;

    /** Counts it for thread {@code tid} and those that it makes from now on: a descriptor, or {@code -errno}. */
    int open(Kernel kernel, int tid) {
        ByteBuffer attributes =
                ByteBuffer.allocateDirect(PerfEventAttr.SIZE_BYTES).order(ByteOrder.nativeOrder());
        attributes
                .putInt(PerfEventAttr.TYPE_OFFSET, type)
                .putInt(PerfEventAttr.SIZE_OFFSET, PerfEventAttr.SIZE_BYTES)
                .putLong(PerfEventAttr.CONFIG_OFFSET, config)
                .putLong(PerfEventAttr.READ_FORMAT_OFFSET, TIMES)
                .putLong(PerfEventAttr.FLAGS_OFFSET, PerfEvents.INHERIT);
        return NativeArgument.pass(
                kernel,
                attributes,
                address -> kernel.perfEventOpen(address, tid, -1, -1, PerfEvents.PERF_FLAG_FD_CLOEXEC));
    }
}
