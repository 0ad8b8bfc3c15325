package org.cabrank.bench.rival;

import java.io.IOException;
import java.net.URISyntaxException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.stream.Stream;
import org.cabrank.bench.contender.ContenderUnavailableException;

/**
 * The jars of the frameworks. They lie in a directory beside this module's jar, so that no other process of the bench has them on its
 * class path: some bring providers and loggers that a JVM finds by itself.
 */
public final class Frameworks {

    private static final String DIRECTORY = "rivals";

    private Frameworks() {}

    /**
     * Returns all jars; none if the class path has the framework already, as in tests.
     *
     * @param framework name of a class of it
     */
    static List<Path> jarsOf(String framework) throws ContenderUnavailableException {
        ClassLoader own = Frameworks.class.getClassLoader();
        if (own.getResource(framework.replace('.', '/') + ".class") != null) {
            return List.of();
        }
        Path directory = location(Frameworks.class).resolveSibling(DIRECTORY);
        try (Stream<Path> files = Files.list(directory)) {
            List<Path> jars = files.filter(file -> file.toString().endsWith(".jar"))
                    .sorted()
                    .toList();
            if (!jars.isEmpty()) {
                return jars;
            }
        } catch (IOException missing) {
            throw missing(directory);
        }
        throw missing(directory);
    }

    /** Returns the name of a class's jar, which has the version, for the report. */
    public static String nameOfJar(Class<?> framework) {
        return location(framework).getFileName().toString().replaceFirst("\\.jar$", "");
    }

    private static ContenderUnavailableException missing(Path directory) {
        return new ContenderUnavailableException(
                "there are no jars of its framework in " + directory + ": build with scripts/cabrank, or mvn package");
    }

    /** Returns the jar or the directory of a class. */
    private static Path location(Class<?> owner) {
        try {
            return Path.of(
                    owner.getProtectionDomain().getCodeSource().getLocation().toURI());
        } catch (URISyntaxException impossible) {
            throw new IllegalStateException("a class path consists of files", impossible);
        }
    }
}
