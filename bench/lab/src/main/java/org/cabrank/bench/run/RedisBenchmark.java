package org.cabrank.bench.run;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.Optional;

/** The program redis-benchmark, which loads servers for Redis clients, as far as this machine has it. */
public final class RedisBenchmark {
    private static final ProgramOnPath PROGRAM = new ProgramOnPath("redis-benchmark", "redis-tools");

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
