package org.cabrank.bench.cli;

import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.Callable;
import org.cabrank.affinity.placement.Placement;
import org.cabrank.bench.experiment.ServerLayout;
import org.cabrank.bench.experiment.ServerLayouts;
import org.cabrank.bench.experiment.Split;
import org.cabrank.stream.AcceptMode;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;

/** {@code cabrank bench accept}. */
@Command(
        name = "accept",
        mixinStandardHelpOptions = true,
        versionProvider = Version.class,
        sortOptions = false,
        description = {
            "Measures the ways in which shards share connections, with threads pinned and not: throughput, tail, migrations"
                    + " of threads, imbalance between shards. Connections are opened at once and stay.",
            "Exit status: 0 when every request was answered right, else 1."
        })
final class AcceptCommand implements Callable<Integer> {

    @Option(
            names = "--accept",
            paramLabel = "MODE",
            split = ",",
            converter = Converters.AcceptModes.class,
            description =
                    "Which of exclusive, reuseport, reuseport-cpu, dispatch, dispatch-hash, dispatch-cpu (default:"
                            + " all).")
    private List<AcceptMode> modes;

    @Option(
            names = "--placement",
            paramLabel = "WHERE",
            split = ";",
            converter = Converters.Placements.class,
            defaultValue = "none;pack",
            description = "Where threads run within the server's CPUs, as for 'cabrank serve', one or several with"
                    + " semicolons between (default ${DEFAULT-VALUE}: not pinned; pinned, each to a CPU).")
    private List<Placement> placements;

    @Option(
            names = "--split",
            paramLabel = "SHARDSxTHREADS",
            description = "Default: a shard with one thread for each of the server's CPUs.")
    private String split;

    @Mixin
    private LayoutsOptions options;

    @Mixin
    private ReportOptions report;

    @Override
    public Integer call() throws IOException, InterruptedException {
        return report.run(() -> options.settings(layouts()), ServerLayouts::new);
    }

    private List<ServerLayout> layouts() throws IOException {
        Split wanted = split != null ? Split.parse(split) : new Split(options.serverCount(), 1);
        List<ServerLayout> all = new ArrayList<>();
        for (String backend : options.backends()) {
            for (Placement placement : placements) {
                for (AcceptMode mode : modes != null ? modes : List.of(AcceptMode.values())) {
                    all.add(new ServerLayout(backend, wanted, mode, placement.toString()));
                }
            }
        }
        return all;
    }
}
