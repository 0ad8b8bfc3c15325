package org.cabrank.architecture;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Set;
import java.util.TreeSet;
import org.cabrank.bench.fixture.Once;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** The modules that repositories get: all of them are in the BOM, and the BOM says what the parent says. */
@Once
class PublishedModulesTest {
    private static final Poms POMS = Poms.OF_THIS_CHECKOUT;
    private static final String BOM = "lf-pool/bom";

    @Test
    void theBomHasEachPublishedModuleAndNoOther() {
        Set<String> published = new TreeSet<>();
        for (String module : POMS.published()) {
            published.add(POMS.text(module, "/project/artifactId"));
        }
        assertTrue(published.size() > 10, published.toString());
        assertEquals(published, new TreeSet<>(POMS.texts(BOM + "/pom.xml", "//dependencyManagement//artifactId")));
        assertEquals(
                Set.of("${project.version}"),
                Set.copyOf(POMS.texts(BOM + "/pom.xml", "//dependencyManagement//version")));
    }

    /** The BOM has no parent, so that it does not manage dependencies which are not Cabrank's. */
    @ParameterizedTest
    @ValueSource(
            strings = {
                "version",
                "description",
                "url",
                "licenses",
                "developers",
                "scm/connection",
                "scm/developerConnection",
                "scm/url",
                "properties/cabrank.home",
                "properties/deployAtEnd"
            })
    void theBomSaysWhatTheParentSays(String element) {
        String ofTheParent = POMS.text(".", "/project/" + element);
        assertFalse(ofTheParent.isEmpty());
        assertEquals(ofTheParent, POMS.text(BOM, "/project/" + element));
    }

    @Test
    void theLicenceIsAnSpdxIdentifier() {
        assertEquals("Apache-2.0", POMS.text(".", "/project/licenses/license/name"));
    }

    @Test
    void benchmarksAndRacesAreNotPublished() {
        List<String> kept = POMS.modules().stream()
                .filter(module -> module.startsWith("bench/") || module.endsWith("/jcstress"))
                .toList();
        assertEquals(7, kept.size(), kept.toString());
        for (String module : kept) {
            assertEquals("true", POMS.text(module, "/project/properties/unreleased"), module);
        }
    }

    /** A jar without a descriptor would need an Automatic-Module-Name. */
    @Test
    void eachPublishedModuleHasAModuleDescriptor() {
        for (String module : POMS.published()) {
            assertTrue(Files.exists(POMS.root().resolve(module + "/src/main/java/module-info.java")), module);
        }
    }

    @Test
    void theChangelogBeginsWithTheVersionOfThePoms() throws IOException {
        String version = POMS.text(".", "/project/version");
        String heading = Files.readAllLines(Path.of(POMS.root() + "/scripts/CHANGELOG.md")).stream()
                .filter(line -> line.startsWith("## "))
                .findFirst()
                .orElseThrow();
        String expected = version.endsWith("-SNAPSHOT") ? "## Unreleased" : "## " + version + " (";
        assertTrue(heading.startsWith(expected), heading);
    }
}
