package org.cabrank.bench.measure;

import java.io.IOException;
import java.nio.file.DirectoryStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/** What proc(5) tells of a process's memory and descriptors. */
public final class ProcessMemory {

    private static final Path PROC = Path.of("/proc");
    private static final Pattern MAPPING = Pattern.compile("([0-9a-f]+)-([0-9a-f]+) .*");
    private static final String ANONYMOUS = "Anonymous:";

    private ProcessMemory() {}

    /** How many descriptors it has open. */
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

    /**
     * The bytes of its pages that are its own and not a file's, but for those of mappings that begin from {@code from} on
     * and before {@code to}.
     */
    public static long privateBytesOutside(long pid, long from, long to) throws IOException {
        return anonymousBytes(
                ProcFiles.text(ProcFiles.processDirectory(PROC, pid).resolve("smaps")), from, to);
    }

    static long anonymousBytes(String smaps, long from, long to) {
        long bytes = 0;
        boolean counts = false;
        for (String line : smaps.split("\n")) {
            Matcher mapping = MAPPING.matcher(line);
            if (mapping.matches()) {
                long address = Long.parseUnsignedLong(mapping.group(1), 16);
                counts = Long.compareUnsigned(address, from) < 0 || Long.compareUnsigned(address, to) >= 0;
            } else if (counts && line.startsWith(ANONYMOUS)) {
                String kilobytes =
                        line.substring(ANONYMOUS.length()).replace("kB", "").strip();
                bytes += Long.parseLong(kilobytes) << 10;
            }
        }
        return bytes;
    }
}
