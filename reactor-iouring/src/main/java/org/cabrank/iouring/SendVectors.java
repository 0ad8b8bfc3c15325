package org.cabrank.iouring;

import org.cabrank.kernel.Kernel;

/**
 * Reusable {@link SendVector}s for connections of a ring that send more than a chunk, so that a short connection leaves no memory to the
 * garbage collector.
 */
final class SendVectors {
    /** Named bound: idle vectors that are kept, about 1 KiB each. */
    static final int IDLE_MAX = 1_024;

    private final Kernel kernel;
    private SendVector idle;
    private int idleCount;

    SendVectors(Kernel kernel) {
        this.kernel = kernel;
    }

    SendVector take() {
        if (idle != null) {
            SendVector taken = idle;
            idle = taken.next;
            taken.next = null;
            idleCount--;
            return taken;
        }
        return new SendVector(kernel);
    }

    /** Called when no request uses it any more. */
    void giveBack(SendVector vector) {
        if (idleCount < IDLE_MAX) {
            vector.next = idle;
            idle = vector;
            idleCount++;
        }
    }
}
