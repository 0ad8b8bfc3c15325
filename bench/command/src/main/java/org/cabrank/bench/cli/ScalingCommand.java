package org.cabrank.bench.cli;

import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.Callable;
import org.cabrank.affinity.placement.Placement;
import org.cabrank.bench.experiment.ServerLayout;
import org.cabrank.bench.experiment.ServerLayouts;
import org.cabrank.bench.experiment.Split;
import org.cabrank.iouring.IoUringBackendProvider;
import org.cabrank.stream.AcceptMode;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;

/** {@code cabrank bench scaling}. */
@Command(
        name = "scaling",
        mixinStandardHelpOptions = true,
        versionProvider = Version.class,
        sortOptions = false,
        description = {
            "Measures shards x threads from one shared pool to one reactor for each thread, on the same CPUs, and recommends"
                    + " a split for this machine and these requests, with its reason.",
            "Exit status: 0 when every request was answered right, else 1."
        })
final class ScalingCommand implements Callable<Integer> {

    @Option(
            names = "--split",
            paramLabel = "SHARDSxTHREADS",
            split = ",",
            description =
                    "Which, such as 1x2,2x1 (default: as many threads as CPUs in each number of shards that divides"
                            + " them, the same with one thread more per shard, and 1x1; over io_uring those with one thread per"
                            + " shard).")
    private List<String> splits;

    @Option(
            names = "--accept",
            paramLabel = "MODE",
            converter = Converters.AcceptModes.class,
            defaultValue = "dispatch",
            description = "How shards share connections (default ${DEFAULT-VALUE}: evenly).")
    private AcceptMode accept;

    @Option(
            names = "--placement",
            paramLabel = "WHERE",
            converter = Converters.Placements.class,
            defaultValue = "none",
            description =
                    "Where threads run within the server's CPUs, as for 'cabrank serve' (default ${DEFAULT-VALUE}).")
    private Placement placement;

    @Mixin
    private LayoutsOptions options;

    @Mixin
    private ReportOptions report;

    @Override
    public Integer call() throws IOException, InterruptedException {
        return report.run(() -> options.settings(layouts()), ServerLayouts::new);
    }

    private List<ServerLayout> layouts() throws IOException {
        List<ServerLayout> all = new ArrayList<>();
        for (String backend : options.backends()) {
            for (Split split : splitsOf(backend)) {
                all.add(new ServerLayout(backend, split, accept, placement.toString()));
            }
        }
        return all;
    }

    private List<Split> splitsOf(String backend) throws IOException {
        if (splits != null) {
            return splits.stream().map(Split::parse).toList();
        }
        boolean ofSeveralThreads = !backend.equals(IoUringBackendProvider.NAME);
        return Split.along(options.serverCount()).stream()
                .filter(split -> split.threads() == 1 || ofSeveralThreads)
                .toList();
    }
}
