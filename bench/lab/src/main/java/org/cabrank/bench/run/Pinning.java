package org.cabrank.bench.run;

import java.io.IOException;
import org.cabrank.affinity.Affinity;
import org.cabrank.affinity.CpuList;

/**
 * Starts processes on chosen CPUs. The thread that starts the process pins itself first, and the child inherits the mask
 * before its first instruction: so it holds for every thread of a child JVM, those of its garbage collector and compiler
 * included, and the child counts its processors right.
 *
 * @param affinity of the calling thread
 */
record Pinning(Affinity affinity) {

    /** Starts {@code builder}'s process on {@code cpus}, and restores the mask of the calling thread. */
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
