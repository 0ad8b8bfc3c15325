package org.cabrank.bench.run;

import java.io.File;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Optional;
import java.util.stream.Stream;

/** The program wrk, which loads HTTP servers, as far as this machine has it. */
public final class Wrk {

    private static final String NAME = "wrk";
    private static final String REMEDY = "no wrk: apt-get install wrk";

    private Wrk() {}

    /** Why HTTP cannot be loaded here, with the remedy; null when it can. */
    public static String obstacle() {
        return obstacle(System.getenv("PATH"));
    }

    static String obstacle(String path) {
        return in(path).isPresent() ? null : REMEDY;
    }

    /** Where it is. */
    static Optional<Path> program() {
        return in(System.getenv("PATH"));
    }

    /** In the first directory of {@code path} that has it; {@code path} may be null, as a variable that is not set. */
    static Optional<Path> in(String path) {
        // An empty part means the current directory: nobody means that.
        return Stream.of(path == null ? new String[0] : path.split(File.pathSeparator))
                .filter(directory -> !directory.isEmpty())
                .map(directory -> Path.of(directory, NAME))
                .filter(program -> Files.isRegularFile(program) && Files.isExecutable(program))
                .findFirst();
    }
}
