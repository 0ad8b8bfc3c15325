package org.cabrank.iouring;

import org.cabrank.kernel.layout.IoUring;

/** Completion of a submission. */
public record Completion(long userData, int result, int flags) {
    boolean more() {
        return (flags & IoUring.IORING_CQE_F_MORE) != 0;
    }

    boolean hasBuffer() {
        return (flags & IoUring.IORING_CQE_F_BUFFER) != 0;
    }

    int buffer() {
        return flags >>> IoUring.IORING_CQE_BUFFER_SHIFT;
    }
}
