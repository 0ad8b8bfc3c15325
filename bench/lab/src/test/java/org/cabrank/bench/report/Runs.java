package org.cabrank.bench.report;

import java.util.Map;
import org.cabrank.bench.report.RunRecord.Latency;
import org.cabrank.bench.report.RunRecord.Measured;
import org.cabrank.bench.report.RunRecord.Usage;

/** Runs for tests: one second long, the figures derived from few numbers. */
public final class Runs {

    public static final String CELL = "ping-pong/64x64B";

    private Runs() {}

    public static RunRecord good(int round, String contender, long answers) {
        return good(round, contender, answers, 1_000_000, 20, 80);
    }

    public static RunRecord good(
            int round, String contender, long answers, long cpuNs, long userTicks, long systemTicks) {
        return good(
                round,
                contender,
                answers,
                new Usage(cpuNs, 0, 0, userTicks, systemTicks, answers / 10, 7, 1_000_000_000));
    }

    public static RunRecord good(int round, String contender, long answers, Usage server) {
        Usage load = new Usage(500_000_000, 0, 0, 50, 50, 1, -1, 1_000_000_000);
        Latency latency = new Latency(1_000L * round, 2_000L * round, 3_000L * round, 4_000L * round, 500.0 * round);
        Measured measured = measured(answers, latency, server, answers * 2, load);
        return new RunRecord(
                        round, 1, contender, null, "", "details of " + contender + "; and more", 300_000_000L, measured)
                .in(CELL, 1);
    }

    /** Figures of a second without errors. */
    public static Measured measured(long answers, Latency latency, Usage server, long allocatedBytes, Usage load) {
        return new Measured(
                answers,
                1_000_000_000,
                latency,
                server,
                allocatedBytes,
                load,
                "",
                Map.of(),
                null,
                null,
                null,
                null,
                null);
    }

    public static RunRecord bad(int round, String contender) {
        return new RunRecord(round, 1, contender, "ended", "a line", "", 0, null).in(CELL, 1);
    }
}
