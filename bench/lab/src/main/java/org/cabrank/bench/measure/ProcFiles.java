package org.cabrank.bench.measure;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;

final class ProcFiles {

    private ProcFiles() {}

    static Path processDirectory(Path proc, long pid) {
        return proc.resolve(Long.toString(pid));
    }

    /** Reads text in a single-byte charset, because a command name may contain any byte. */
    static String text(Path file) throws IOException {
        return new String(Files.readAllBytes(file), StandardCharsets.ISO_8859_1);
    }
}
