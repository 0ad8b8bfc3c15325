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
     * Returns null if channels and event loops are available. Otherwise returns the reason: the kernel cannot be called (not Linux, or no
     * binding on the class path), or there is no backend. Any thread. The first call looks for the binding.
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
