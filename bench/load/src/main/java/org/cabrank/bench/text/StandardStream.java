package org.cabrank.bench.text;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Optional;

/** Standard streams in the order of their descriptors. */
public enum StandardStream {
    INPUT,
    OUTPUT,
    ERROR;

    /** Returns the path of the terminal, or empty if the stream is not a terminal. */
    public Optional<Path> terminal() {
        try {
            Path target = Files.readSymbolicLink(Path.of("/proc/self/fd/" + ordinal()));
            String name = target.toString();
            boolean terminal =
                    name.startsWith("/dev/pts/") || name.startsWith("/dev/tty") || name.equals("/dev/console");
            return terminal ? Optional.of(target) : Optional.empty();
        } catch (IOException unknown) {
            return Optional.empty(); // the stream is closed, or /proc is missing
        }
    }
}
