package org.cabrank.iouring;

import org.cabrank.kernel.Kernel;

/**
 * {@link SendVector}s for the connections of a ring that are sending more than a chunk, used again: one that answers and is
 * closed costs no memory that waits for the garbage collector.
 */
final class SendVectors {
    /** Named bound: vectors that are kept for the next, about 1 KiB each. */
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

    /** No request names it any more. */
    void giveBack(SendVector vector) {
        if (idleCount < IDLE_MAX) {
            vector.next = idle;
            idle = vector;
            idleCount++;
        }
    }
}
