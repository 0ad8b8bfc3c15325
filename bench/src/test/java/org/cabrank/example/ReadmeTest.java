package org.cabrank.example;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;

/** The README promises an example that compiles: the one that stands here. */
class ReadmeTest {
    private static final Path MODULE = Path.of("").toAbsolutePath();

    @Test
    void theExampleInTheReadmeIsTheOneThatCompiles() throws IOException {
        String readme = Files.readString(MODULE.resolveSibling("README.md"));
        String compiled = Files.readString(MODULE.resolve("src/test/java/org/cabrank/example/EchoService.java"));
        int start = readme.indexOf("```java\n");
        assertTrue(start >= 0, "the README has no Java example");
        int end = readme.indexOf("```", start + 1);
        assertEquals(compiled, readme.substring(start + "```java\n".length(), end));
    }
}
