package org.cabrank.bench.run;

import java.io.File;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Optional;
import java.util.stream.Stream;

/** The program redis-benchmark, which loads servers for Redis clients, as far as this machine has it. */
public final class RedisBenchmark {
    private static final String NAME = "redis-benchmark";
    private static final String REMEDY = "no redis-benchmark: apt-get install redis-tools";

    private RedisBenchmark() {}

    /** The reason why this load is unavailable, with the remedy; null if it is available. */
    public static String obstacle() {
        return obstacle(System.getenv("PATH"));
    }

    static String obstacle(String path) {
        return in(path).isPresent() ? null : REMEDY;
    }

    /** Path of the program; empty if it is not installed. */
    static Optional<Path> program() {
        return in(System.getenv("PATH"));
    }

    private static Optional<Path> in(String path) {
        return Stream.of(path == null ? new String[0] : path.split(File.pathSeparator))
                .filter(directory -> !directory.isEmpty())
                .map(directory -> Path.of(directory, NAME))
                .filter(program -> Files.isRegularFile(program) && Files.isExecutable(program))
                .findFirst();
    }

    /** The version that the program reports; empty if unknown. */
    static Optional<String> version() {
        return program().flatMap(program -> {
            try {
                Process process = new ProcessBuilder(program.toString(), "--version").start();
                process.getOutputStream().close();
                String words = new String(process.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
                return words.lines().findFirst().map(line -> line.replaceFirst("^redis-benchmark ", ""));
            } catch (IOException notTold) {
                return Optional.empty(); // the report goes without
            }
        });
    }
}
