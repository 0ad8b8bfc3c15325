package org.cabrank.bench.run;

import java.io.IOException;
import java.util.concurrent.TimeUnit;
import org.cabrank.bench.measure.ProcessSample;

/** Lets a server's compiler finish its queue without requests: on one CPU under continuous load the queue would outlive any warm-up. */
final class CompilerRest {

    private static final long LOOK_NS = TimeUnit.MILLISECONDS.toNanos(10);
    /** Share of an observation period: a compiler that uses less CPU time is only polling its queue. */
    private static final double AT_REST = 0.05;
    /** Longest wait. Methods that take longer to compile are rare; the compiler continues in the next rest. */
    private static final long LONGEST_NS = TimeUnit.MILLISECONDS.toNanos(500);

    private CompilerRest() {}

    /** Returns when the compiler of the process is idle; at once if there is none. */
    static void await(long pid) throws IOException, InterruptedException {
        long startNs = System.nanoTime();
        ProcessSample before = ProcessSample.of(pid);
        while (before.hasCompiler() && System.nanoTime() - startNs < LONGEST_NS) {
            TimeUnit.NANOSECONDS.sleep(LOOK_NS);
            ProcessSample now = ProcessSample.of(pid);
            // A compiler that got no CPU on a busy machine is runnable, so it still compiles.
            if (now.since(before).compilerNs() < AT_REST * LOOK_NS && !now.compiles()) {
                return;
            }
            before = now;
        }
    }
}
