package org.cabrank.kernel.panama;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertSame;

import org.cabrank.kernel.Kernel;
import org.cabrank.kernel.KernelUnavailableException;
import org.cabrank.kernel.Kernels;
import org.junit.jupiter.api.Test;

class PanamaKernelProviderTest {

    @Test
    void loaderFindsPanama() throws KernelUnavailableException {
        Kernel kernel = Kernels.system();
        assertEquals("panama", kernel.name());
        assertSame(kernel, Kernels.system());
    }
}
