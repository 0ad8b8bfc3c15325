package org.cabrank.kernel.jna;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Map;
import java.util.Properties;
import org.cabrank.kernel.KernelUnavailableException;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class TemporaryDirectoriesTest {
    private final Properties properties = new Properties();

    @TempDir
    private Path directory;

    /** Neither directory can be made: below a file there is none, whoever asks. */
    @BeforeEach
    void unwritable() throws IOException {
        Path file = Files.createFile(directory.resolve("file"));
        properties.setProperty("user.home", file.toString());
        properties.setProperty("java.io.tmpdir", file.resolve("tmp").toString());
    }

    private String refusal(Map<String, String> environment) {
        return assertThrows(KernelUnavailableException.class, () -> TemporaryDirectories.check(properties, environment))
                .getMessage();
    }

    @Test
    void noWritableDirectoryIsRefusedWithItsNamesAndTheRemedy() {
        assertEquals(
                "JNA cannot unpack its library: no directory for it is writable (" + directory
                        + "/file/.cache/JNA/temp, " + directory + "/file/tmp); " + TemporaryDirectories.REMEDY,
                refusal(Map.of()));
    }

    @Test
    void directoryThatIsNamedIsTheOnlyOne() {
        properties.setProperty("jna.tmpdir", directory + "/file/named");
        properties.setProperty("java.io.tmpdir", directory.toString());
        assertEquals(
                "JNA cannot unpack its library: no directory for it is writable (" + directory + "/file/named); "
                        + TemporaryDirectories.REMEDY,
                refusal(Map.of()));
    }

    @Test
    void oneWritableDirectoryIsEnough() throws KernelUnavailableException {
        TemporaryDirectories.check(properties, Map.of("XDG_CACHE_HOME", directory + "/to/be/made"));
        properties.setProperty("java.io.tmpdir", directory.toString());
        TemporaryDirectories.check(properties, Map.of());
    }

    @Test
    void unpackedLibraryNeedsNoDirectory() throws KernelUnavailableException {
        properties.setProperty("jna.boot.library.path", "/usr/lib/jni");
        TemporaryDirectories.check(properties, Map.of());
    }
}
