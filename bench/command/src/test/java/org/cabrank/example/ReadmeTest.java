package org.cabrank.example;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import org.cabrank.bench.fixture.Once;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** The READMEs: their Java examples are the classes of this package, their links lead to files, and the first page stays short. */
@Once
class ReadmeTest {
    private static final Path ROOT = Path.of("").toAbsolutePath().getParent().getParent();
    private static final Pattern JAVA = Pattern.compile("```java\n(.*?)```", Pattern.DOTALL);
    private static final Pattern LINK = Pattern.compile("]\\(([^)#:]+)(#[^)]*)?\\)");
    private static final int FIRST_PAGE_BYTES_MAX = 7_000;

    private static String read(String readme) throws IOException {
        return Files.readString(ROOT.resolve(readme));
    }

    private static List<String> readmes() throws IOException {
        try (Stream<Path> files = Files.walk(ROOT, 3)) {
            return files.filter(file -> file.endsWith("README.md"))
                    .map(file -> ROOT.relativize(file).toString())
                    .filter(name -> !name.contains("target"))
                    .toList();
        }
    }

    @ParameterizedTest
    @CsvSource({
        "README.md, EchoService",
        "lf-pool/README.md, FrameService",
        "lf-pool/README.md, BlockingFrameService",
        "lf-pool/README.md, FileService",
        "lf-pool/sockets/README.md, MarketDataGateway",
        "numa-affinity/README.md, PlacedEchoService",
    })
    void theExampleOfAReadmeIsAClassThatCompiles(String readme, String example) throws IOException {
        String shown = JAVA.matcher(read(readme))
                .results()
                .map(block -> block.group(1))
                .filter(block -> block.contains("public final class " + example + " {"))
                .findFirst()
                .orElseThrow(() -> new AssertionError(readme + " does not show " + example));
        assertEquals(
                Files.readString(ROOT.resolve("bench/command/src/test/java/org/cabrank/example/" + example + ".java")),
                shown);
    }

    @Test
    void linksLeadToFiles() throws IOException {
        List<String> broken = new ArrayList<>();
        assertTrue(readmes().size() > 5, readmes().toString());
        for (String readme : readmes()) {
            LINK.matcher(read(readme)).results().forEach(link -> {
                if (!Files.exists(ROOT.resolve(readme).resolveSibling(link.group(1)))) {
                    broken.add(readme + ": " + link.group(1));
                }
            });
        }
        assertEquals(List.of(), broken);
    }

    @Test
    void theFirstPageIsShort() throws IOException {
        int bytes = read("README.md").getBytes(StandardCharsets.UTF_8).length;
        assertTrue(bytes <= FIRST_PAGE_BYTES_MAX, bytes + " bytes");
    }

    /** As a reader would start it, with the port as the argument. */
    @ParameterizedTest
    @ValueSource(strings = {"EchoService", "FrameService", "BlockingFrameService", "PlacedEchoService"})
    void anExampleServes(String example) throws Exception {
        try (ExampleProcess process = ExampleProcess.start(example)) {
            byte[] frame = {0, 0, 0, 2, 'h', 'i'};
            process.client().getOutputStream().write(frame);
            assertEquals(
                    new String(frame, StandardCharsets.ISO_8859_1),
                    new String(
                            process.client().getInputStream().readNBytes(frame.length), StandardCharsets.ISO_8859_1));
        }
    }
}
