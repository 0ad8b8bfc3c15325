package org.cabrank.socket.contract;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;

/** Settings of the kernel below {@code /proc/sys}. */
final class Sysctl {
    private Sysctl() {}

    /**
     * Returns a number.
     *
     * @param name with dots, as sysctl(8) has it
     */
    static long number(String name) throws IOException {
        // By lines, in one read of many bytes: the kernel returns nothing to the second read of such a file.
        return Long.parseLong(Files.readAllLines(Path.of("/proc/sys", name.split("\\.")))
                .get(0)
                .trim());
    }
}
