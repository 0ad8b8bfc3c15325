package org.cabrank.affinity;

import java.io.IOException;
import org.cabrank.kernel.KernelException;

/** Memory does not come from where it shall; the message says what was asked, and why not as far as it is known. */
public final class MemoryPolicyException extends IOException {
    private static final long serialVersionUID = 1L;

    MemoryPolicyException(String message) {
        super(message);
    }

    MemoryPolicyException(String message, KernelException cause) {
        super(message, cause);
    }

    /** The kernel's error number, one of {@link org.cabrank.kernel.Errno}; 0 when no call failed. */
    public int errno() {
        return getCause() instanceof KernelException kernel ? kernel.errno() : 0;
    }
}
