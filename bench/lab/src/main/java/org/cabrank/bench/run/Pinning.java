package org.cabrank.bench.run;

import java.io.IOException;
import org.cabrank.affinity.Affinity;
import org.cabrank.affinity.CpuList;

/**
 * Starts processes on chosen CPUs. The calling thread pins itself, and the child inherits the mask before its first instruction. The mask
 * thus holds for every thread of a child JVM, and the child JVM sees the right number of processors.
 */
record Pinning(Affinity affinity) {

    /** Afterwards restores the mask of the calling thread. */
    Process start(ProcessBuilder builder, CpuList cpus) throws IOException {
        CpuList before = affinity.current();
        affinity.pin(cpus);
        try {
            return builder.start();
        } finally {
            affinity.pin(before);
        }
    }
}
