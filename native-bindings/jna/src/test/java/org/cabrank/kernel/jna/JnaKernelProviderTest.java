package org.cabrank.kernel.jna;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertSame;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.function.Supplier;
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

    private static String refusal(Supplier<Kernel> made) {
        return assertThrows(KernelUnavailableException.class, () -> JnaKernelProvider.checked(made))
                .getMessage();
    }

    @Test
    void missingLibraryIsReportedWithItsArtifact() {
        String message = refusal(() -> {
            throw new NoClassDefFoundError("com/sun/jna/Native");
        });
        assertTrue(message.contains("add the artifact net.java.dev.jna:jna-jpms"), message);
    }

    @Test
    void remedyIsRepeatedAfterAFailedClassInitialization() {
        for (int i = 0; i < 2; i++) {
            String denied = refusal(() -> Denied.KERNEL);
            assertTrue(denied.contains("--enable-native-access=com.sun.jna"), denied);
            String missing = refusal(() -> Missing.KERNEL);
            assertTrue(missing.contains("add the artifact net.java.dev.jna:jna-jpms"), missing);
        }
    }

    @Test
    void deniedNativeAccessIsReportedWithTheOption() {
        String message = refusal(() -> {
            throw new IllegalCallerException("Illegal native access from an unnamed module");
        });
        assertTrue(message.contains("--enable-native-access=com.sun.jna"), message);
        assertTrue(message.contains("--enable-native-access=ALL-UNNAMED"), message);
    }

    @Test
    void directoryWithoutExecutionIsReportedWithTheRemedy() {
        String message = refusal(() -> {
            throw new UnsatisfiedLinkError("/tmp/jna1.tmp: failed to map segment from shared object");
        });
        assertTrue(message.endsWith(": the directory is mounted noexec; " + TemporaryDirectories.REMEDY), message);
    }

    private static Kernel fails(Throwable cause) {
        if (cause instanceof Error error) {
            throw error;
        }
        throw (RuntimeException) cause;
    }

    /** Cannot be initialized, as classes that call JNA where native access is denied. */
    private static final class Denied {
        static final Kernel KERNEL = fails(new IllegalCallerException("Illegal native access from an unnamed module"));
    }

    /** Cannot be initialized, as classes that call a JNA that is missing. */
    private static final class Missing {
        static final Kernel KERNEL = fails(new NoClassDefFoundError("com/sun/jna/Native"));
    }
}
