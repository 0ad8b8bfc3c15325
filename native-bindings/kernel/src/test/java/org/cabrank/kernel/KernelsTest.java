package org.cabrank.kernel;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.IOException;
import java.net.URL;
import java.net.URLClassLoader;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.ServiceLoader;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class KernelsTest {
    /** Magic number, minor version 0, and a major version that no JVM will ever reach. */
    private static final byte[] CLASS_OF_A_LATER_JAVA = {(byte) 0xca, (byte) 0xfe, (byte) 0xba, (byte) 0xbe, 0, 0, 3, 7
    };

    /** JDK 17 with the panama module on the class path, using the JVM's own service loader. */
    @Test
    void classesOfALaterJavaAreNamedAndPassedOver(@TempDir Path dir) throws IOException {
        Files.createDirectories(dir.resolve("META-INF/services"));
        Files.writeString(
                dir.resolve("META-INF/services/" + KernelProvider.class.getName()), "Later\nMissing\nLatest\n");
        Files.write(dir.resolve("Later.class"), CLASS_OF_A_LATER_JAVA);
        Files.write(dir.resolve("Latest.class"), CLASS_OF_A_LATER_JAVA);
        try (URLClassLoader loader = new URLClassLoader(new URL[] {dir.toUri().toURL()})) {
            List<String> broken = Kernels.discover(
                            ServiceLoader.load(KernelProvider.class, loader).iterator())
                    .broken();

            assertEquals(3, broken.size());
            String needs =
                    " or later, and this JVM is Java " + Runtime.version().feature();
            assertTrue(broken.get(0).matches("Later needs a JDK of \\d+" + needs), broken.get(0));
            assertTrue(broken.get(1).contains("Provider Missing not found"), broken.get(1));
            assertTrue(broken.get(2).matches("Latest needs a JDK of \\d+" + needs), broken.get(2));
        }
    }

    /** The class path of this module's tests contains no provider. */
    @Test
    void withoutAnyProviderTheProcessHasNoKernel() {
        String message =
                assertThrows(KernelUnavailableException.class, Kernels::system).getMessage();
        assertTrue(message.contains("there is no provider on the class path"), message);
    }
}
