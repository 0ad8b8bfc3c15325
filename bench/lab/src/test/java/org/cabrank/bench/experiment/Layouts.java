package org.cabrank.bench.experiment;

import java.util.List;
import java.util.Map;
import org.cabrank.bench.report.RunRecord;
import org.cabrank.bench.report.RunRecord.Latency;
import org.cabrank.bench.report.RunRecord.Measured;
import org.cabrank.bench.report.RunRecord.Usage;
import org.cabrank.bench.report.Runs;
import org.cabrank.bench.report.ShardLoad;
import org.cabrank.stream.AcceptMode;

/** Layouts of servers and their runs for tests. */
final class Layouts {

    static final ServerLayout ONE_BY_TWO = epoll("1x2");
    static final ServerLayout TWO_BY_ONE = epoll("2x1");
    static final ServerLayout TWO_BY_TWO = epoll("2x2");

    private Layouts() {}

    static ServerLayout epoll(String split) {
        return new ServerLayout("epoll", Split.parse(split), AcceptMode.DISPATCH, ServerLayout.UNPINNED);
    }

    /** A second long; the first of two shards had three quarters of the events. */
    static VariantRun<ServerLayout, RunRecord> ran(ServerLayout layout, int round, long answers, long p999Us) {
        Usage server = new Usage(1_500_000_000, 0, 0, 10, 90, answers / 10, 20, 1_000_000_000);
        Usage load = new Usage(500_000_000, 0, 0, 50, 50, 1, -1, 1_000_000_000);
        Measured measured = new Measured(
                answers,
                1_000_000_000,
                new Latency(100_000, 200_000, p999Us * 1_000, p999Us * 2_000, 1),
                server,
                0,
                load,
                List.of(
                        new ShardLoad(
                                40,
                                answers * 64 * 3 / 4,
                                answers,
                                answers,
                                answers / 2,
                                4,
                                5,
                                6,
                                7,
                                answers * 3 / 4,
                                9),
                        new ShardLoad(24, answers * 64 / 4, answers, answers, 0, 1, 0, 0, 0, 0, 0)),
                "",
                Map.of());
        return trial(
                layout, new RunRecord(round, 1, layout.contender().name(), null, "", "details", 1, null, measured));
    }

    static VariantRun<ServerLayout, RunRecord> failed(ServerLayout layout, int round) {
        return trial(layout, Runs.bad(round, layout.contender().name()));
    }

    private static VariantRun<ServerLayout, RunRecord> trial(ServerLayout layout, RunRecord run) {
        return new VariantRun<>(layout, run.round(), 1, run.failure(), run);
    }
}
