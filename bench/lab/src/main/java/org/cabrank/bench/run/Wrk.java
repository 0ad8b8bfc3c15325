package org.cabrank.bench.run;

import java.nio.file.Path;
import java.util.Optional;
import java.util.regex.Pattern;

/** The program wrk, which loads HTTP servers, as far as this machine has it. */
public final class Wrk {

    private static final ProgramOnPath PROGRAM = new ProgramOnPath("wrk", "wrk");

    /** Beginning of the output of {@code wrk --version}, which ends with exit status 1. */
    static final Pattern VERSION = Pattern.compile("wrk (\\S+)");

    private Wrk() {}

    /** The reason why HTTP load is unavailable, with the remedy; null if it is available. */
    public static String obstacle() {
        return PROGRAM.obstacle();
    }

    /** Path of wrk; empty if it is not installed. */
    static Optional<Path> program() {
        return PROGRAM.path();
    }

    /** Version that wrk reports, such as {@code 4.1.0} or {@code debian/4.1.0-3}; empty if unknown. */
    static Optional<String> version() {
        return PROGRAM.version(VERSION);
    }
}
