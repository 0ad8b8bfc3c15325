package org.cabrank.bench.run;

import java.io.IOException;
import java.util.List;
import org.cabrank.bench.run.GeneratedLoad.Outcome;
import org.cabrank.bench.run.GeneratedLoad.Watch;
import org.cabrank.bench.scenario.Cell;
import org.cabrank.bench.scenario.Kinds;
import org.cabrank.bench.scenario.Plan;

/**
 * Loads a new server with every kind of traffic until the compiler is idle and the server gets no faster. After each window, stops the
 * server for a moment, as between measured intervals. The stop interrupts system calls, so the code for interrupted calls is also compiled.
 */
final class WarmUp {

    private final GeneratedLoad load;
    private final Plan plan;
    private final Pause pause;
    private final List<Kinds.Kind> kinds;
    private final long windowNs;

    WarmUp(GeneratedLoad load, Plan plan, List<Cell> cells, Pause pause) {
        this.load = load;
        this.plan = plan;
        this.pause = pause;
        kinds = Kinds.of(cells);
        windowNs = plan.warmupWindowNs();
    }

    /** Returns null, or the failure. */
    String of(ServerProcess server) throws ChildFailedException, IOException, InterruptedException {
        long startNs = System.nanoTime();
        for (Kinds.Kind kind : kinds) {
            if (kind.slow() != null) {
                server.change(kind.slow());
            }
            Warmth warmth = new Warmth();
            do {
                Outcome outcome = load.run(server, kind.traffic(), 0, windowNs, Watch.NOBODY);
                if (wrong(outcome)) {
                    return outcome.failure();
                }
                server.awaitCompilerRest();
                warmth.add(outcome.measured());
                pause.briefly(server.pid());
            } while (!(warmth.reached() && after(startNs, plan.warmupNs()))
                    && !after(startNs, Plan.WARMUP_MOST * plan.warmupNs()));
        }
        return null;
    }

    private static boolean after(long startNs, long durationNs) {
        return System.nanoTime() - startNs >= durationNs;
    }

    /** Returns true if there were errors. A window without answers is no error, because it may be short and the machine busy. */
    private static boolean wrong(Outcome outcome) {
        return outcome.failure() != null && !outcome.measured().errors().isEmpty();
    }
}
