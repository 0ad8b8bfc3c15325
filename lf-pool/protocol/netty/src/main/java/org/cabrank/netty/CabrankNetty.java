package org.cabrank.netty;

import org.cabrank.kernel.KernelUnavailableException;
import org.cabrank.kernel.Kernels;
import org.cabrank.stream.BackendProvider;

/** Availability of the transport in this process. Any thread may ask for it. */
public final class CabrankNetty {
    private CabrankNetty() {}

    public static boolean isAvailable() {
        return unavailabilityCause() == null;
    }

    /** Returns null, or the reason why the transport is unavailable: not Linux, no binding to the kernel, or no backend. */
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
