package org.cabrank.kernel.panama;

import org.cabrank.kernel.Kernel;
import org.cabrank.kernel.contract.AllCallsContracts;

/** Holds {@link PanamaKernel} to the contract of every family of calls. */
class PanamaKernelTest extends AllCallsContracts {
    private static final Kernel KERNEL = new PanamaKernel();

    PanamaKernelTest() {
        super(KERNEL);
    }
}
