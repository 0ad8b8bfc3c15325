package org.cabrank.bench.rival;

import java.io.IOException;
import java.net.URISyntaxException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.stream.Stream;
import org.cabrank.bench.contender.ContenderUnavailableException;

/** Jars of the frameworks. They have a separate directory, because a JVM with all jars on its class path would load some providers. */
public final class Frameworks {

    private static final String DIRECTORY = "rivals";

    private Frameworks() {}

    /** Returns no jars if the class path already has the class {@code framework}, as in tests. */
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

    public static String nameOfJar(Class<?> framework) {
        return location(framework).getFileName().toString().replaceFirst("\\.jar$", "");
    }

    private static ContenderUnavailableException missing(Path directory) {
        return new ContenderUnavailableException(
                "there are no jars of its framework in " + directory + ": build with scripts/cabrank, or mvn package");
    }

    private static Path location(Class<?> owner) {
        try {
            return Path.of(
                    owner.getProtectionDomain().getCodeSource().getLocation().toURI());
        } catch (URISyntaxException impossible) {
            throw new IllegalStateException("a class path consists of files", impossible);
        }
    }
}
