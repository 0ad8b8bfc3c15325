package org.cabrank.kernel.jna;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertSame;

import org.cabrank.kernel.Kernel;
import org.cabrank.kernel.KernelUnavailableException;
import org.cabrank.kernel.Kernels;
import org.junit.jupiter.api.Test;

class JnaKernelProviderTest {

    @Test
    void loaderFindsJna() throws KernelUnavailableException {
        Kernel kernel = Kernels.system();
        assertEquals("jna", kernel.name());
        assertSame(kernel, Kernels.system());
    }
}
