package org.cabrank.netty;

import org.cabrank.kernel.KernelUnavailableException;
import org.cabrank.kernel.Kernels;
import org.cabrank.stream.BackendProvider;

/** Availability of the transport in this process. */
public final class CabrankNetty {
    private CabrankNetty() {}

    /** Returns true if {@link #unavailabilityCause} is null. Any thread. */
    public static boolean isAvailable() {
        return unavailabilityCause() == null;
    }

    /**
     * The reason why channels and event loops are unavailable: no way to call the kernel (another system than Linux, no binding on the
     * class path), or no backend. Null: they are available. Any thread; the first call looks for the binding.
     */
    public static Throwable unavailabilityCause() {
        try {
            Kernels.system();
        } catch (KernelUnavailableException none) {
            return none;
        }
        return BackendProvider.installed().isEmpty()
                ? new IllegalStateException(
                        "no backend is installed: add cabrank-reactor-epoll, cabrank-reactor-iouring or cabrank")
                : null;
    }
}
