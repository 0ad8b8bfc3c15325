package org.cabrank.bench.run;

import java.io.IOException;
import java.util.concurrent.TimeUnit;
import org.cabrank.bench.measure.ProcessSample;

/** Waits until a server's JIT compiler is idle. The server gets no requests, because under load the compiler might never finish. */
final class CompilerRest {

    private static final long LOOK_NS = TimeUnit.MILLISECONDS.toNanos(10);
    /** If the compiler uses less than this share of the time, it only polls its queue. */
    private static final double AT_REST = 0.05;
    /** Maximum wait. The compiler can continue during the next wait. */
    private static final long LONGEST_NS = TimeUnit.MILLISECONDS.toNanos(500);

    private CompilerRest() {}

    /** Returns at once if the process has no compiler. */
    static void await(long pid) throws IOException, InterruptedException {
        long startNs = System.nanoTime();
        ProcessSample before = ProcessSample.of(pid);
        while (before.hasCompiler() && System.nanoTime() - startNs < LONGEST_NS) {
            TimeUnit.NANOSECONDS.sleep(LOOK_NS);
            ProcessSample now = ProcessSample.of(pid);
            // On a busy machine, the compiler may be runnable but get no CPU. Then it counts as busy.
            if (now.since(before).compilerNs() < AT_REST * LOOK_NS && !now.compiles()) {
                return;
            }
            before = now;
        }
    }
}
