package org.cabrank.bench.live;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;

/** Reads and changes the settings of a terminal by {@code stty} (POSIX). */
final class Stty {
    /** Timeout of stty in s. It takes 1 ms; if it does not return, it was stopped as a background job. */
    private static final int TIMEOUT_S = 2;

    private final Path terminal;

    Stty(Path terminal) {
        this.terminal = terminal;
    }

    /** @throws IOException when there is no such command, or it refuses */
    String run(String... arguments) throws IOException {
        List<String> command = new ArrayList<>(List.of("stty"));
        command.addAll(List.of(arguments));
        Process process = new ProcessBuilder(command)
                .redirectInput(terminal.toFile())
                .redirectErrorStream(true)
                .start();
        try {
            if (!process.waitFor(TIMEOUT_S, TimeUnit.SECONDS)) {
                throw new IOException(command + " has not ended after " + TIMEOUT_S + " s");
            }
            String said = new String(process.getInputStream().readAllBytes(), StandardCharsets.UTF_8).trim();
            if (process.exitValue() != 0) {
                throw new IOException(command + " at " + terminal + ": " + said);
            }
            return said;
        } catch (InterruptedException interrupted) {
            Thread.currentThread().interrupt();
            throw new IOException(command + " was not waited for", interrupted);
        } finally {
            process.destroyForcibly();
        }
    }

    /** A terminal that does not know its size says 0 0. */
    ScreenSize size() throws IOException {
        String said = run("size");
        try {
            String[] numbers = said.split(" ");
            int rows = Integer.parseInt(numbers[0]);
            int columns = Integer.parseInt(numbers[1]);
            return rows > 0 && columns > 0 ? new ScreenSize(columns, rows) : ScreenSize.UNKNOWN;
        } catch (NumberFormatException | ArrayIndexOutOfBoundsException unexpected) {
            throw new IOException("stty size says '" + said + "'", unexpected);
        }
    }
}
