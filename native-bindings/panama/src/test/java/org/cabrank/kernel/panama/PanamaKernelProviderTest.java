package org.cabrank.kernel.panama;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertSame;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import org.cabrank.kernel.Kernel;
import org.cabrank.kernel.KernelUnavailableException;
import org.cabrank.kernel.Kernels;
import org.cabrank.kernel.contract.ForwardingKernel;
import org.junit.jupiter.api.Test;

class PanamaKernelProviderTest {

    @Test
    void loaderFindsPanama() throws KernelUnavailableException {
        Kernel kernel = Kernels.system();
        assertEquals("panama", kernel.name());
        assertSame(kernel, Kernels.system());
    }

    @Test
    void deniedNativeAccessIsReportedWithTheOption() throws KernelUnavailableException {
        Kernel denied = new ForwardingKernel(Kernels.system()) {
            @Override
            public int close(int fd) {
                throw new IllegalCallerException("Illegal native access from an unnamed module");
            }
        };
        String message = assertThrows(KernelUnavailableException.class, () -> PanamaKernelProvider.closeNothing(denied))
                .getMessage();
        assertTrue(message.contains("--enable-native-access=org.cabrank.kernel.panama"), message);
        assertTrue(message.contains("--enable-native-access=ALL-UNNAMED"), message);
    }

    @Test
    void remedyIsRepeatedAfterAFailedClassInitialization() throws KernelUnavailableException {
        Kernel denied = new ForwardingKernel(Kernels.system()) {
            @Override
            public int close(int fd) {
                return Denied.FUNCTION.hashCode();
            }
        };
        for (int i = 0; i < 2; i++) {
            String message = assertThrows(
                            KernelUnavailableException.class, () -> PanamaKernelProvider.closeNothing(denied))
                    .getMessage();
            assertTrue(message.contains("--enable-native-access=org.cabrank.kernel.panama"), message);
        }
    }

    /** Cannot be initialized, as classes that link functions where native access is denied. */
    private static final class Denied {
        static final Object FUNCTION = link();

        private static Object link() {
            throw new IllegalCallerException("Illegal native access from an unnamed module");
        }
    }
}
