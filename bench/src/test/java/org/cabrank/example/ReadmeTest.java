package org.cabrank.example;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.Test;

/** The README promises examples that compile: those that stand here. */
class ReadmeTest {
    private static final Path MODULE = Path.of("").toAbsolutePath();
    private static final String BEGIN = "```java\n";

    @Test
    void theExamplesInTheReadmeAreThoseThatCompile() throws IOException {
        String readme = Files.readString(MODULE.resolveSibling("README.md"));
        int from = 0;
        for (String example : List.of("EchoService", "PlacedEchoService")) {
            int start = readme.indexOf(BEGIN, from);
            assertTrue(start >= 0, "the README has no example " + example);
            from = readme.indexOf("```", start + BEGIN.length());
            Path compiled = MODULE.resolve("src/test/java/org/cabrank/example/" + example + ".java");
            assertEquals(Files.readString(compiled), readme.substring(start + BEGIN.length(), from));
        }
    }
}
