package org.cabrank.netty.fault;

import org.cabrank.kernel.Kernel;
import org.cabrank.kernel.KernelProvider;
import org.cabrank.kernel.KernelUnavailableException;
import org.cabrank.kernel.Kernels;
import org.cabrank.socket.contract.FaultyKernel;

/** A kernel whose calls fail by plan, for a process that asks for it by name. */
public final class FaultyProvider implements KernelProvider {
    static final String NAME = "faulty";

    /** The kernel that was given to the process. */
    static volatile FaultyKernel kernel;

    @Override
    public String name() {
        return NAME;
    }

    @Override
    public int rank() {
        return Integer.MAX_VALUE; // after those that work
    }

    @Override
    public Kernel open() throws KernelUnavailableException {
        Kernel next;
        try {
            next = Kernels.named("panama");
        } catch (KernelUnavailableException old) {
            next = Kernels.named("jna");
        }
        kernel = new FaultyKernel(next);
        return kernel;
    }
}
