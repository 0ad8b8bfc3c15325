package org.cabrank.bench.measure;

import java.io.IOException;
import java.nio.file.DirectoryStream;
import java.nio.file.Files;
import java.nio.file.Path;

/** Memory and descriptors of a process, from proc(5). */
public final class ProcessMemory {

    private static final Path PROC = Path.of("/proc");
    private static final String ANONYMOUS = "Anonymous:";

    private ProcessMemory() {}

    public static int descriptors(long pid) throws IOException {
        int count = 0;
        try (DirectoryStream<Path> each =
                Files.newDirectoryStream(ProcFiles.processDirectory(PROC, pid).resolve("fd"))) {
            for (Path ignored : each) {
                count++;
            }
        }
        return count;
    }

    /** Returns the bytes of pages that are not backed by a file. */
    public static long privateBytes(long pid) throws IOException {
        return anonymousBytes(
                ProcFiles.text(ProcFiles.processDirectory(PROC, pid).resolve("smaps")));
    }

    static long anonymousBytes(String smaps) {
        return smaps.lines()
                .filter(line -> line.startsWith(ANONYMOUS))
                .map(line -> line.substring(ANONYMOUS.length()).replace("kB", ""))
                .mapToLong(kilobytes -> Long.parseLong(kilobytes.strip()) << 10)
                .sum();
    }
}
