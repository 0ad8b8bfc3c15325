package org.cabrank.bench.cli;

import java.io.IOException;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.concurrent.Callable;
import org.cabrank.affinity.Affinity;
import org.cabrank.bench.model.CostCalibration;
import org.cabrank.bench.model.Costs;
import org.cabrank.bench.model.Model;
import org.cabrank.bench.model.ModelReport;
import org.cabrank.bench.model.ModelSettings;
import org.cabrank.bench.model.ModelTable;
import org.cabrank.bench.report.JsonFile;
import org.cabrank.bench.serve.BusyWork;
import org.cabrank.bench.serve.SlowRequests;
import org.cabrank.bench.shards.ShardsReport;
import org.cabrank.lf.Promotion;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.Spec;

/** {@code cabrank bench model}. */
@Command(
        name = "model",
        mixinStandardHelpOptions = true,
        versionProvider = Version.class,
        sortOptions = false,
        description = {
            "Simulates shards x threads on machines that are not here, from the costs of this one: what a promotion, a"
                    + " wakeup, a cache line from another core and a request cost is measured at the start, or given.",
            "Assumes that connections are shared evenly; that cores are equal, have nothing else to do and do not slow each"
                    + " other down (no SMT); that a call for events costs the same for one as for many; that cache lines"
                    + " are not fought for, as followers sleep; and that the kernel's own locks cost no more than what was"
                    + " measured on two cores. The same costs and seed give the same figures."
        })
final class ModelCommand implements Callable<Integer> {

    private static final Costs UNMEASURED = new Costs(0, 0, 0, 0, 0, 0, 0, 0, 0);

    @Option(
            names = "--cores",
            paramLabel = "N",
            split = ",",
            defaultValue = "1,2,4,8,16,32,64,128",
            description = "Machines (default ${DEFAULT-VALUE}).")
    private List<Integer> cores;

    @Option(
            names = "--cores-per-node",
            paramLabel = "N",
            defaultValue = "64",
            description = "Of each memory node (default ${DEFAULT-VALUE}).")
    private int coresPerNode;

    @Option(
            names = "--work",
            paramLabel = "TIME",
            defaultValue = "10us",
            description = "Computing per request (default ${DEFAULT-VALUE}).")
    private Duration work;

    @Mixin
    private BlockingOptions blocking;

    @Option(
            names = "--connections-per-core",
            paramLabel = "N",
            defaultValue = "32",
            description = "Connections for each core of the machine (default ${DEFAULT-VALUE}).")
    private int connectionsPerCore;

    @Option(
            names = "--pause",
            paramLabel = "TIME",
            defaultValue = "100us",
            description = "From an answer to the connection's next request, in the mean (default ${DEFAULT-VALUE}).")
    private Duration pause;

    @Option(
            names = "--cost",
            paramLabel = "NAME=NS",
            split = ",",
            description =
                    "A cost in ns instead of the measured one: harvest, event, promotion, transfer, remote-transfer,"
                            + " wakeup, unpark; or a number of cache lines: promotion-lines, connection-lines. With all nine,"
                            + " nothing is measured.")
    private Map<String, Double> given = Map.of();

    @Option(
            names = "--measured",
            paramLabel = "FILE",
            description = "What 'cabrank bench scaling --json FILE' has written here: the model is compared with it.")
    private Path measured;

    @Option(
            names = "--requests-per-core",
            paramLabel = "N",
            defaultValue = "2000",
            description = "Simulated in each layout, for each core (default ${DEFAULT-VALUE}).")
    private int requestsPerCore;

    @Option(names = "--seed", paramLabel = "N", defaultValue = "1", description = "Default ${DEFAULT-VALUE}.")
    private long seed;

    @Option(
            names = "--json",
            paramLabel = "FILE",
            description =
                    "Where all figures go (default: cabrank-model-TIME.json in target, where this directory has one,"
                            + " else in this directory).")
    private Path json;

    @Spec
    private CommandSpec spec;

    @Override
    public Integer call() throws IOException, InterruptedException {
        BenchCommand.refuseFlagsBefore(spec);
        Path file = json == null ? ReportFile.named("cabrank-model") : json;
        ModelReport report;
        try {
            ModelSettings settings = settings();
            ShardsReport against = measured == null ? null : Model.measured(measured);
            UNMEASURED.with(given); // refuses what is wrong before anything is measured
            ReportFile.checkWritable(file);
            report = Model.of(
                    settings,
                    costs(),
                    against,
                    spec.root().commandLine().getParseResult().originalArgs());
        } catch (IllegalArgumentException wrong) {
            throw new ParameterException(spec.commandLine(), wrong.getMessage(), wrong);
        }
        spec.commandLine().getOut().print(ModelTable.render(report));
        JsonFile.write(report, file);
        spec.commandLine().getOut().println("All figures: " + file);
        spec.commandLine().getOut().flush();
        return 0;
    }

    private CostCalibration costs() throws IOException, InterruptedException {
        if (given.keySet().containsAll(UNMEASURED.asMap().keySet())) {
            return new CostCalibration(UNMEASURED, List.of()).with(given);
        }
        return CostCalibration.measure(Machine.kernel(), new Affinity(Machine.kernel()).current())
                .with(given);
    }

    private ModelSettings settings() {
        BusyWork.checkTime(work.toNanos());
        SlowRequests slow = blocking.slow();
        Promotion.deferred(blocking.maxGap()); // throws if out of range
        return new ModelSettings(
                cores,
                coresPerNode,
                connectionsPerCore,
                pause.toNanos(),
                work.toNanos(),
                slow.permille(),
                slow.timeNs(),
                blocking.maxGap().toNanos(),
                requestsPerCore,
                seed);
    }
}
