package org.cabrank.bench.cli;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;

/** Memory of a process, as /proc shows it (proc_pid_status(5)). */
final class ResidentMemory {
    private static final String RESIDENT = "VmRSS:";
    private static final int KIB = 1_024;

    private ResidentMemory() {}

    /** Resident memory in bytes; 0 if the process has ended. */
    static long residentBytes(long pid) {
        try {
            return Files.readAllLines(Path.of("/proc/" + pid + "/status")).stream()
                    .filter(line -> line.startsWith(RESIDENT))
                    .mapToLong(line -> Long.parseLong(line.replaceAll("[^0-9]", "")) * KIB)
                    .findFirst()
                    .orElse(0);
        } catch (IOException ended) {
            return 0;
        }
    }
}
