package org.cabrank.architecture;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.Stream;
import org.cabrank.bench.fixture.Once;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** {@code scripts/set-version} on a copy of the files that it changes. */
@Once
@Timeout(300)
class SetVersionTest {
    private static final Poms SOURCE = Poms.OF_THIS_CHECKOUT;
    private static final String HOME = "https://example.org/cabrank";

    @TempDir
    private Path root;

    private Poms copy;
    private String output;

    @BeforeEach
    void copyTheFiles() throws IOException {
        List<String> files = new ArrayList<>(SOURCE.files());
        files.addAll(List.of("README.md", "scripts/CHANGELOG.md", "scripts/set-version"));
        for (String file : files) {
            Files.createDirectories(root.resolve(file).getParent());
            Files.copy(SOURCE.root().resolve(file), root.resolve(file));
        }
        Files.createDirectory(root.resolve(".mvn"));
        copy = new Poms(root);
    }

    private int setVersion(String... arguments) throws IOException, InterruptedException {
        List<String> command = new ArrayList<>(List.of("bash", root + "/scripts/set-version"));
        command.addAll(List.of(arguments));
        Process process = new ProcessBuilder(command).redirectErrorStream(true).start();
        output = new String(process.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
        return process.waitFor();
    }

    private String read(String file) throws IOException {
        return Files.readString(root.resolve(file));
    }

    @Test
    void aReleaseAndTheVersionAfterItReachEachFile() throws Exception {
        String before = copy.text(".", "/project/version");
        String timestamp = copy.text(".", "/project/properties/project.build.outputTimestamp");

        assertEquals(0, setVersion("7.8.9", HOME), output);

        for (String pom : copy.files()) {
            assertFalse(read(pom).contains(before), pom);
        }
        for (String module : copy.modules()) {
            assertEquals("7.8.9", copy.text(module, "/project/parent/version | /project/version"), module);
        }
        assertEquals(HOME, copy.text(".", "/project/properties/cabrank.home"));
        assertEquals(HOME, copy.text("lf-pool/bom", "/project/properties/cabrank.home"));
        assertFalse(timestamp.equals(copy.text(".", "/project/properties/project.build.outputTimestamp")));
        assertTrue(read("README.md").contains("<version>7.8.9</version>"));
        assertTrue(read("scripts/CHANGELOG.md").contains("\n## 7.8.9 ("));
        assertFalse(read("scripts/CHANGELOG.md").contains("## Unreleased"));
        assertFalse(Files.exists(root.resolve(".mvn/maven.config")));

        assertEquals(0, setVersion("7.9.0-SNAPSHOT"), output);

        assertEquals("7.9.0-SNAPSHOT", copy.text("lf-pool/bom", "/project/version"));
        assertEquals(HOME, copy.text(".", "/project/properties/cabrank.home"));
        assertTrue(read("scripts/CHANGELOG.md").contains("\n## Unreleased\n\n## 7.8.9 ("));
        assertEquals("-Dapi.baseline=7.8.9\n", read(".mvn/maven.config"));
    }

    /** Plugins may have the number that Cabrank has. */
    @Test
    void versionsThatAreNotOfCabrankStay() throws Exception {
        String plugin = SOURCE.text("lf-pool/bom", "//plugin[artifactId='maven-install-plugin']/version");
        assertEquals(0, setVersion(plugin), output);
        assertEquals(0, setVersion("7.8.9"), output);
        assertEquals(plugin, copy.text("lf-pool/bom", "//plugin[artifactId='maven-install-plugin']/version"));
        assertEquals("7.8.9", copy.text("lf-pool/bom", "/project/version"));
    }

    @ParameterizedTest
    @ValueSource(strings = {"", "1", "v0.1.0", "0.1.0 x", "0.1.0|http://example.org", "0.1.0|https://a b"})
    void aVersionOrAnAddressThatIsNoneChangesNothing(String arguments) throws Exception {
        String before = read("pom.xml");
        assertEquals(2, setVersion(Stream.of(arguments.split("\\|")).toArray(String[]::new)), output);
        assertTrue(output.contains("see scripts/set-version --help"), output);
        assertEquals(before, read("pom.xml"));
    }
}
