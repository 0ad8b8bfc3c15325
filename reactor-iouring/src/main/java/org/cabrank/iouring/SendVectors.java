package org.cabrank.iouring;

import org.cabrank.kernel.Kernel;

/** Reusable {@link SendVector}s. A connection takes one when it sends more than one chunk at once. */
final class SendVectors {
    /** Largest number of idle vectors that are kept. Each vector has about 1 KiB. */
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

    void giveBack(SendVector vector) {
        if (idleCount < IDLE_MAX) {
            vector.next = idle;
            idle = vector;
            idleCount++;
        }
    }
}
