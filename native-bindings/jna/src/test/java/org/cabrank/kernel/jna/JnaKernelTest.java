package org.cabrank.kernel.jna;

import org.cabrank.kernel.Kernel;
import org.cabrank.kernel.contract.AllCallsContracts;

/** Holds {@link JnaKernel} to the contract of every family of calls. */
class JnaKernelTest extends AllCallsContracts {
    private static final Kernel KERNEL = new JnaKernel();

    JnaKernelTest() {
        super(KERNEL);
    }
}
