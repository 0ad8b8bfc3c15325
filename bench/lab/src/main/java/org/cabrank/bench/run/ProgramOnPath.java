package org.cabrank.bench.run;

import java.io.File;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Stream;

/**
 * A program that a machine may have.
 *
 * @param name name of its file
 * @param packageName Debian's package that has it
 */
record ProgramOnPath(String name, String packageName) {

    private static final Duration VERSION_LIMIT = Duration.ofSeconds(5);

    /** The reason why the program is unavailable, with the remedy; null if it is available. */
    String obstacle() {
        return obstacle(System.getenv("PATH"));
    }

    String obstacle(String path) {
        return in(path).isPresent() ? null : "no " + name + ": apt-get install " + packageName;
    }

    /** Path of the program; empty if it is not installed. */
    Optional<Path> path() {
        return in(System.getenv("PATH"));
    }

    /**
     * The version that the program reports, with or without success; empty if unknown.
     *
     * @param words beginning of a line with the version as its first group
     */
    Optional<String> version(Pattern words) {
        return path().flatMap(program -> version(program, words, VERSION_LIMIT));
    }

    static Optional<String> version(Path program, Pattern words, Duration limit) {
        try {
            return ProgramOutput.of(List.of(program.toString(), "--version"), limit)
                    .text()
                    .lines()
                    .map(words::matcher)
                    .filter(Matcher::lookingAt)
                    .map(line -> line.group(1))
                    .findFirst();
        } catch (IOException unknown) {
            return Optional.empty(); // the report goes without
        }
    }

    /** In the first directory of {@code path} that has it; {@code path} may be null, as a variable that is not set. */
    Optional<Path> in(String path) {
        // An empty part means the current directory, which is not meant here.
        return Stream.of(path == null ? new String[0] : path.split(File.pathSeparator))
                .filter(directory -> !directory.isEmpty())
                .map(directory -> Path.of(directory, name))
                .filter(program -> Files.isRegularFile(program) && Files.isExecutable(program))
                .findFirst();
    }
}
