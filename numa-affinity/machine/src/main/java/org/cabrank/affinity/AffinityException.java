package org.cabrank.affinity;

import java.io.IOException;
import org.cabrank.kernel.KernelException;

/** The kernel refuses the CPUs, the memory node or the scheduling of a thread; the message gives the reason. */
public final class AffinityException extends IOException {
    private static final long serialVersionUID = 1L;

    AffinityException(String message) {
        super(message);
    }

    AffinityException(String message, KernelException cause) {
        super(message, cause);
    }

    /** The kernel's error number, one of {@link org.cabrank.kernel.Errno}, or 0 if no call failed. */
    public int errno() {
        return getCause() instanceof KernelException kernel ? kernel.errno() : 0;
    }
}
