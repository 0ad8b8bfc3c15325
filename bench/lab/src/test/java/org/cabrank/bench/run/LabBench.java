package org.cabrank.bench.run;

import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.PrintStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.FutureTask;
import java.util.function.Predicate;
import java.util.function.UnaryOperator;
import org.cabrank.bench.contender.Contender;
import org.cabrank.bench.contender.ServerSettings;
import org.cabrank.bench.load.LoadTraffic;
import org.cabrank.bench.report.BenchReport;
import org.cabrank.bench.report.JsonFile;
import org.cabrank.bench.scenario.Cell;
import org.cabrank.bench.scenario.Feasible;
import org.cabrank.bench.scenario.Plan.MeasuringPace;
import org.cabrank.bench.scenario.Scenarios;
import org.cabrank.bench.scenario.Wishes;
import org.cabrank.bench.scenario.Wishes.Extent;
import org.cabrank.kernel.Kernels;

/** The lab as tests run it, with real processes: what it is asked for, what it says and what it writes. */
final class LabBench {

    private static final long MILLISECOND = 1_000_000;

    static final long DURATION_NS = 100 * MILLISECOND;

    /** A busy machine answers nobody for a while: where that was a whole interval, all is measured again for longer. */
    private static final String NOBODY_ANSWERED = "not one answer in the measured interval";

    private static final long LONGEST_NS = 6_400 * MILLISECOND;
    private static final int TIMES_LONGER = 8;

    private static final long WARMUP_NS = 10 * MILLISECOND;
    private static final int SLICES = 2;

    private final ByteArrayOutputStream out = new ByteArrayOutputStream();
    private final Path directory;
    private final List<String> scenarios;
    private final List<Cell> cells;
    private final int loadThreads;
    private Predicate<Cell> wanted = cell -> true;
    private boolean control = true;
    private int slices = SLICES;

    /** @param directory for what is written */
    LabBench(Path directory, String scenario, List<Integer> connections, int loadThreads) {
        this(
                directory,
                loadThreads,
                List.of(scenario),
                new Wishes(Extent.STANDARD, connections, List.of(), null).cells(Scenarios.named(List.of(scenario))));
    }

    private LabBench(Path directory, int loadThreads, List<String> scenarios, List<Cell> cells) {
        this.directory = directory;
        this.scenarios = scenarios;
        this.cells = new ArrayList<>(cells);
        this.loadThreads = loadThreads;
    }

    /** Measures these cells alone: the baseline once, each contender in one slice. */
    LabBench alone(Predicate<Cell> cells) {
        wanted = cells;
        control = false;
        slices = 1;
        return this;
    }

    /** Measures the cells with a load that {@code change} returns for that of the scenario. */
    LabBench changing(UnaryOperator<LoadTraffic> change) {
        cells.replaceAll(cell -> new Cell(
                cell.id(),
                cell.label(),
                cell.needs(),
                change.apply(cell.traffic()),
                cell.rateShare(),
                cell.capacityOf(),
                cell.ownSlow()));
        return this;
    }

    /** A lab that measures some cells of a scenario, with one thread of the load generator. */
    static LabBench of(Path directory, String scenario, List<Cell> cells) {
        return new LabBench(directory, 1, List.of(scenario), cells);
    }

    /** A lab that measures all cells of several scenarios, with one thread of the load generator; cells of one kind share servers. */
    static LabBench of(Path directory, List<String> scenarios, List<Integer> connections) {
        return new LabBench(
                directory,
                1,
                scenarios,
                new Wishes(Extent.STANDARD, connections, List.of(), null).cells(Scenarios.named(scenarios)));
    }

    /** The command of a program that stands in a server's place and goes wrong in the way that {@code how} says. */
    static List<String> command(Class<?> program, Enum<?> how) {
        return List.of(
                Path.of(System.getProperty("java.home"), "bin", "java").toString(),
                "-cp",
                System.getProperty("java.class.path"),
                program.getName(),
                how.name());
    }

    /** True when all went well. */
    boolean run(int rounds, Contender... contenders) throws Exception {
        for (long durationNs = DURATION_NS; ; durationNs *= TIMES_LONGER) {
            boolean well = run(new MeasuringPace(rounds, slices, WARMUP_NS, durationNs), contenders);
            if (well || durationNs == LONGEST_NS || !somebodyWasNotAnswered()) {
                return well;
            }
            System.err.println("measured again, for longer than " + durationNs / MILLISECOND + " ms: " + text());
            out.reset();
            Files.delete(json());
        }
    }

    private boolean somebodyWasNotAnswered() throws IOException {
        if (!Files.exists(json())) {
            return false;
        }
        BenchReport report = report();
        return report.runs().stream()
                .anyMatch(run -> run.failed() && run.failure().contains(NOBODY_ANSWERED));
    }

    /** Runs the bench on a new thread: the bench moves the calling thread away from the server's CPUs. */
    private boolean run(MeasuringPace pace, Contender... contenders) throws Exception {
        LabSettings settings = new LabSettings(
                new LabSettings.Entrants(List.of(contenders), control),
                new LabSettings.Measurements(
                        Scenarios.named(scenarios),
                        Feasible.of(cells, cell -> wanted.test(cell) ? null : "not wanted"),
                        Extent.STANDARD,
                        pace),
                ServerSettings.DEFAULT,
                new LabSettings.RequestedCpus(null, null, loadThreads),
                directory.resolve("report.html"));
        PrintStream print = new PrintStream(out, true, StandardCharsets.UTF_8);
        Lab.Output output = new Lab.Output(List.of("bench"), json(), print, print);
        FutureTask<Boolean> run = new FutureTask<>(() -> new Lab(settings, output, Kernels.system()).run());
        Thread thread = new Thread(run, "bench");
        thread.start();
        return run.get();
    }

    BenchReport report() throws IOException {
        return JsonFile.read(json(), BenchReport.class);
    }

    /** Path of the report, which may not exist. */
    Path json() {
        return directory.resolve("report.json");
    }

    /** The lab's output. */
    String text() {
        return out.toString(StandardCharsets.UTF_8);
    }
}
