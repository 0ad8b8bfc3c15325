package org.cabrank.architecture;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Set;
import java.util.TreeSet;
import java.util.regex.MatchResult;
import java.util.regex.Pattern;
import org.cabrank.bench.fixture.Once;
import org.junit.jupiter.api.Test;

/** The BOM names each library of the build, and the plugin versions of the parent. */
@Once
class BomTest {
    private static final Path ROOT = Path.of("").toAbsolutePath().getParent().getParent();

    /** The bench is a command, and lf-pool/jcstress is a test. */
    private static final Pattern LIBRARY =
            Pattern.compile("<module>((?!bench|lf-pool/jcstress|lf-pool/bom)[^<]+)</module>");

    private static final Pattern ARTIFACT = Pattern.compile("<artifactId>(cabrank[^<]*)</artifactId>");

    private static String pom(String module) throws IOException {
        return Files.readString(ROOT.resolve(module).resolve("pom.xml"));
    }

    private static String artifact(String module) throws IOException {
        String pom = pom(module);
        return find(ARTIFACT, pom.substring(pom.indexOf("</parent>")));
    }

    private static String find(Pattern pattern, String text) {
        return pattern.matcher(text)
                .results()
                .findFirst()
                .orElseThrow(() -> new AssertionError(pattern + " in " + text))
                .group(1);
    }

    @Test
    void everyLibraryIsInTheBom() throws IOException {
        Set<String> libraries = new TreeSet<>();
        for (MatchResult module : LIBRARY.matcher(pom(".")).results().toList()) {
            libraries.add(artifact(module.group(1)));
        }
        String bom = pom("lf-pool/bom");
        Set<String> managed = new TreeSet<>(ARTIFACT.matcher(bom.substring(bom.indexOf("<dependencyManagement>")))
                .results()
                .map(result -> result.group(1))
                .toList());
        assertTrue(libraries.size() > 10, libraries.toString());
        assertEquals(libraries, managed);
    }

    @Test
    void theBomHasTheVersionsOfTheParent() throws IOException {
        String parent = pom(".");
        String bom = pom("lf-pool/bom");
        for (String plugin : Set.of("maven-deploy-plugin", "maven-install-plugin", "spotless-maven-plugin")) {
            assertEquals(
                    find(Pattern.compile("<" + plugin + ".version>([^<]+)<"), parent),
                    find(Pattern.compile(plugin + "</artifactId>\\s*<version>([^<]+)<"), bom));
        }
        Pattern version = Pattern.compile("</artifactId>\\s*<version>([^<]+)<");
        assertEquals(find(version, parent), find(version, bom));
    }
}
