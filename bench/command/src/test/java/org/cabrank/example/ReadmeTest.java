package org.cabrank.example;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.regex.MatchResult;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import org.cabrank.bench.fixture.Once;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** The pages: each block of Java is compiled code, links and anchors lead somewhere, and all pages together are short. */
@Once
class ReadmeTest {
    private static final Path ROOT = Path.of("").toAbsolutePath().getParent().getParent();
    private static final Pattern JAVA = Pattern.compile("```java\n(.*?)```", Pattern.DOTALL);
    private static final Pattern FENCED = Pattern.compile("```.*?```", Pattern.DOTALL);
    private static final Pattern LINK =
            Pattern.compile("(?:]\\(|href=\"|src=\"|srcset=\")([^)\":#]*)(?:#([^)\"]*))?[)\"]");
    private static final Pattern DOC_FILE = Pattern.compile("<a href=\"(doc-files/[^\"]*)\">");
    private static final Pattern HEADING = Pattern.compile("(?m)^#+ (.*)$");
    private static final int WORDS_MAX = 12_000;

    /** A page of figures, and the list of changes, which grows with each release. */
    private static final List<String> WITHOUT_BOUND = List.of("bench/RESULTS.md", "scripts/CHANGELOG.md");

    private static String read(String page) throws IOException {
        return Files.readString(ROOT.resolve(page));
    }

    private static List<Path> files(String ending) throws IOException {
        try (Stream<Path> files = Files.walk(ROOT)) {
            return files.filter(file -> file.toString().endsWith(ending)
                            && !ROOT.relativize(file).toString().matches("(|.*/)(target|\\.git)/.*"))
                    .toList();
        }
    }

    private static List<String> pages() throws IOException {
        return files(".md").stream()
                .map(file -> ROOT.relativize(file).toString())
                .toList();
    }

    private static String folded(String code) {
        return code.replaceAll("\\s+", ""); // examples are indented and broken in another way
    }

    @Test
    void eachBlockOfJavaIsCompiledCode() throws IOException {
        List<String> sources = new ArrayList<>();
        for (Path file : files(".java").stream()
                .filter(path -> path.toString().contains("example"))
                .toList()) {
            sources.add(folded(Files.readString(file)));
        }
        List<String> missing = new ArrayList<>();
        int count = 0;
        for (String page : pages()) {
            for (MatchResult block : JAVA.matcher(read(page)).results().toList()) {
                for (String part : block.group(1).split("\\.\\.\\.|…")) {
                    count++;
                    if (sources.stream().noneMatch(source -> source.contains(folded(part)))) {
                        missing.add(page + ": " + part);
                    }
                }
            }
        }
        assertEquals(List.of(), missing);
        assertTrue(count > 8, count + " blocks");
    }

    /** The anchor of a heading, as GitHub makes it. */
    private static String anchor(String heading) {
        return heading.toLowerCase(Locale.ROOT)
                .replaceAll("[^\\p{L}\\p{N} _-]", "")
                .replace(' ', '-');
    }

    private static boolean leads(Path target, String anchor) throws IOException {
        if (!Files.exists(target)) {
            return false;
        }
        return anchor == null
                || HEADING.matcher(FENCED.matcher(Files.readString(target)).replaceAll(""))
                        .results()
                        .anyMatch(heading -> anchor(heading.group(1)).equals(anchor));
    }

    @Test
    void linksLeadToFilesAndHeadings() throws IOException {
        List<String> broken = new ArrayList<>();
        int count = 0;
        for (String page : pages()) {
            String text = FENCED.matcher(read(page)).replaceAll("");
            for (MatchResult link : LINK.matcher(text).results().toList()) {
                count++;
                Path target = link.group(1).isEmpty()
                        ? ROOT.resolve(page)
                        : ROOT.resolve(page).resolveSibling(link.group(1));
                if (!leads(target, link.group(2))) {
                    broken.add(page + ": " + link.group());
                }
            }
        }
        assertEquals(List.of(), broken);
        assertTrue(count > 100, count + " links");
    }

    @Test
    void pagesInTheJavadocThatPackagesNameExist() throws IOException {
        List<String> broken = new ArrayList<>();
        int count = 0;
        for (Path file : files(".java")) {
            for (MatchResult link :
                    DOC_FILE.matcher(Files.readString(file)).results().toList()) {
                count++;
                if (!Files.exists(file.resolveSibling(link.group(1)))) {
                    broken.add(file + ": " + link.group(1));
                }
            }
        }
        assertEquals(List.of(), broken);
        assertTrue(count >= 6, count + " links");
    }

    @Test
    void allPagesTogetherAreShort() throws IOException {
        int words = 0;
        for (String page : pages()) {
            words += WITHOUT_BOUND.contains(page) ? 0 : read(page).strip().split("\\s+").length;
        }
        assertTrue(words <= WORDS_MAX, words + " words");
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
