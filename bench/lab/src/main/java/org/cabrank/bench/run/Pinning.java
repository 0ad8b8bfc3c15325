package org.cabrank.bench.run;

import java.io.IOException;
import org.cabrank.affinity.Affinity;
import org.cabrank.affinity.CpuList;

/** Starts processes on chosen CPUs. The calling thread pins itself first, so that the child inherits the mask. */
record Pinning(Affinity affinity) {

    /** Restores the mask of the calling thread before it returns. */
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
