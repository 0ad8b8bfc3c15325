package org.cabrank.stream.transport;

import java.util.concurrent.atomic.AtomicInteger;

/** Duplicates of the descriptors of one write. This object owns them until they were sent or can no longer be sent. */
public final class DescriptorBatch {
    private final DescriptorCalls calls;
    private final int[] descriptors;

    private final AtomicInteger waiting;

    private boolean closed;

    /** Position, in the connection's output, of the byte that carries these descriptors. */
    long position;

    DescriptorBatch(DescriptorCalls calls, int[] descriptors, AtomicInteger waiting) {
        this.calls = calls;
        this.descriptors = descriptors;
        this.waiting = waiting;
    }

    public int[] descriptors() {
        return descriptors;
    }

    synchronized void close() {
        if (!closed) {
            closed = true;
            for (int descriptor : descriptors) {
                calls.close(descriptor);
            }
            waiting.addAndGet(-descriptors.length);
        }
    }
}
