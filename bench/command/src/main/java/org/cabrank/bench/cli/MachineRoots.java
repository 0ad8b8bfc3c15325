package org.cabrank.bench.cli;

import java.nio.file.Files;
import java.nio.file.Path;
import org.cabrank.affinity.topology.TopologyReader;
import picocli.CommandLine.Option;

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

    /** Fails if a directory named by the user does not exist. Without this check, a typing error would look like a machine without CPUs. */
    void check() {
        check("--sysfs-root", sysfs, TopologyReader.SYSFS, "devices/system/cpu");
        check("--procfs-root", procfs, TopologyReader.PROCFS, "");
    }

    /** Does not check the default directory, because a container may lack it. The readers work without it. */
    private static void check(String flag, Path root, Path own, String inside) {
        if (!root.equals(own) && !Files.isDirectory(root.resolve(inside))) {
            throw new IllegalArgumentException(flag + " " + root + ": "
                    + (Files.isDirectory(root)
                            ? "there is no directory " + inside + " in it"
                            : "there is no such directory")
                    + "; name a copy of " + own);
        }
    }

    Path sysfs() {
        return sysfs;
    }

    Path procfs() {
        return procfs;
    }
}
