package org.cabrank.bench.run;

import java.nio.file.Path;
import java.util.Optional;
import java.util.regex.Pattern;

/** The program redis-benchmark, which loads servers for Redis clients, as far as this machine has it. */
public final class RedisBenchmark {
    private static final ProgramOnPath PROGRAM = new ProgramOnPath("redis-benchmark", "redis-tools");

    private static final Pattern VERSION = Pattern.compile("redis-benchmark (.+)");

    private RedisBenchmark() {}

    /** The reason why this load is unavailable, with the remedy; null if it is available. */
    public static String obstacle() {
        return PROGRAM.obstacle();
    }

    /** Path of the program; empty if it is not installed. */
    static Optional<Path> program() {
        return PROGRAM.path();
    }

    /** The version that the program reports; empty if unknown. */
    static Optional<String> version() {
        return PROGRAM.version(VERSION);
    }
}
