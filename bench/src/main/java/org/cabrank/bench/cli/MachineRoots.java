package org.cabrank.bench.cli;

import java.nio.file.Path;
import picocli.CommandLine.Option;

/** Where the kernel's description of the machine is read from. */
final class MachineRoots {

    @Option(
            names = "--sysfs-root",
            paramLabel = "DIR",
            defaultValue = "/sys",
            description = "Where sysfs is, or a copy of another machine's (default ${DEFAULT-VALUE}).")
    private Path sysfs;

    @Option(
            names = "--procfs-root",
            paramLabel = "DIR",
            defaultValue = "/proc",
            description = "Where procfs is, or a copy (default ${DEFAULT-VALUE}).")
    private Path procfs;

    Path sysfs() {
        return sysfs;
    }

    Path procfs() {
        return procfs;
    }
}
