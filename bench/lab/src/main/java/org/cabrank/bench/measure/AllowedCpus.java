package org.cabrank.bench.measure;

import java.io.IOException;
import java.nio.file.Path;
import org.cabrank.affinity.CpuList;

/** The CPUs that a process may use. */
public final class AllowedCpus {

    private static final Path PROC = Path.of("/proc");
    private static final String LINE = "Cpus_allowed_list:";

    private AllowedCpus() {}

    public static CpuList of(long pid) throws IOException {
        return of(PROC, pid);
    }

    static CpuList of(Path proc, long pid) throws IOException {
        Path status = ProcFiles.processDirectory(proc, pid).resolve("status");
        for (String line : ProcFiles.text(status).split("\n")) {
            if (line.startsWith(LINE)) {
                return CpuList.parse(line.substring(LINE.length()).strip());
            }
        }
        throw new IOException(status + " has no line " + LINE);
    }
}
