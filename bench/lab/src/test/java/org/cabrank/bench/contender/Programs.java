package org.cabrank.bench.contender;

import java.io.File;
import java.util.stream.Stream;

/** Programs that a test makes use of where they are installed. */
final class Programs {

    private Programs() {}

    static boolean onPath(String program) {
        return Stream.of(System.getenv("PATH").split(File.pathSeparator))
                .anyMatch(directory -> new File(directory, program).canExecute());
    }
}
