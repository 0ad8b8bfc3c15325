package org.cabrank.bench.experiment;

import java.io.IOException;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Locale;
import org.cabrank.affinity.CpuList;
import org.cabrank.bench.contender.Contender;
import org.cabrank.bench.contender.ServerSettings;
import org.cabrank.bench.experiment.Comparison.Outcome;
import org.cabrank.bench.handler.SlowRequests;
import org.cabrank.bench.report.RunRecord;
import org.cabrank.bench.report.RunRecord.Measured;
import org.cabrank.bench.report.Spread;
import org.cabrank.bench.report.Table;
import org.cabrank.bench.run.RunnerSettings;
import org.cabrank.bench.run.Stage;
import org.cabrank.bench.text.Durations;
import org.cabrank.kernel.Kernel;

/**
 * {@code cabrank bench pool-strategies}: Leader/Followers against Half-Sync/Half-Reactive over a grid of threads and work
 * per request, after the experiment of Pyarali, Spivak, Cytron and Schmidt, "Evaluating and Optimizing Thread Pool
 * Strategies for Real-Time CORBA" (2001). Its factors are the number of threads and the work per request; it explains its
 * results by the costs of the strategies per request: context switches, memory, data movement and synchronization.
 */
public final class PoolStrategies extends ServersExperiment<PoolStrategies.Variant> {

    private static final List<Figure<RunRecord>> COMPARED = List.of(THROUGHPUT, P99, JITTER);
    private static final List<Figure<RunRecord>> COSTS = List.of(SWITCHES, CPU);

    /** Relative difference above which processes did not do the same simulated work. */
    private static final double CALIBRATIONS_APART = 0.05;

    private final Settings settings;

    /**
     * A place in the grid.
     *
     * @param threads number of threads that process requests
     * @param workNs CPU time in ns that each request takes
     */
    public record Cell(int threads, long workNs) {

        String work() {
            return workNs == 0 ? "0us" : Durations.format(workNs);
        }

        /** {@code 4 threads, 50us}. */
        @Override
        public String toString() {
            return threads + (threads == 1 ? " thread, " : " threads, ") + work();
        }

        /** Those of {@code wanted} that differ here: with one thread all variants of Leader/Followers are the same. */
        List<Variant> variants(List<Strategy> wanted) {
            Strategy reactor = wanted.stream()
                    .filter(strategy -> !strategy.differsWithOneThread())
                    .findFirst()
                    .orElse(null);
            return wanted.stream()
                    .filter(strategy -> threads > 1 || strategy == reactor || strategy.differsWithOneThread())
                    .map(strategy -> new Variant(this, strategy))
                    .toList();
        }
    }

    /** A strategy in a cell. */
    public record Variant(Cell cell, Strategy strategy) {}

    /**
     * Settings of the experiment.
     *
     * @param strategies in the table's order; {@link Strategy#REFERENCE} and at least one other
     * @param threads one side of the grid
     * @param workNs the other side of the grid
     * @param slow requests that also block, in all cells
     * @param maxGapNs of deferred promotion
     * @param runs measurement of each strategy in each cell, once per round
     * @param maxTimeNs time in ns after which no run may end
     */
    public record Settings(
            List<Strategy> strategies,
            List<Integer> threads,
            List<Long> workNs,
            SlowRequests slow,
            long maxGapNs,
            RunnerSettings runs,
            long maxTimeNs) {

        public Settings {
            strategies = List.copyOf(strategies);
            threads = List.copyOf(threads);
            workNs = List.copyOf(workNs);
            if (!strategies.contains(Strategy.REFERENCE) || strategies.size() < 2) {
                throw new IllegalArgumentException("the strategies are compared with " + Strategy.REFERENCE.label()
                        + ": name it and at least one other");
            }
            distinct("threads", threads);
            distinct("work", workNs);
            for (int number : threads) {
                ServerSettings.checkThreads(number);
                for (long ns : workNs) {
                    new ServerSettings(ns, slow, number, maxGapNs); // refuses values out of range
                }
            }
        }

        private static void distinct(String what, List<?> values) {
            if (values.isEmpty()) {
                throw new IllegalArgumentException("no value for " + what + " was given");
            }
            if (new HashSet<>(values).size() < values.size()) {
                throw new IllegalArgumentException("a value for " + what + " was given twice");
            }
        }

        Schedule<Variant> schedule() {
            List<List<Variant>> cells = new ArrayList<>();
            for (int number : threads) {
                for (long ns : workNs) {
                    cells.add(new Cell(number, ns).variants(strategies));
                }
            }
            return new Schedule<>(runs.rounds(), cells, runs.turnNs(), maxTimeNs);
        }
    }

    /** @throws IllegalArgumentException if the settings ask for CPUs that this process may not use */
    public PoolStrategies(Settings settings, Output output, Kernel kernel) throws IOException {
        super(
                output,
                new Stage(kernel, settings.runs().serverCpus(), settings.runs().loadCpus()),
                settings.runs(),
                settings,
                settings.schedule());
        this.settings = settings;
    }

    @Override
    public boolean run() throws IOException, InterruptedException {
        int cells = schedule().cells().size();
        int turns = schedule().turns().size();
        say(cells + (cells == 1 ? " cell, " : " cells, ") + turns + " runs, about "
                + Math.max(1, Math.round(turns * settings.runs().turnNs() / 60e9)) + " min, "
                + Durations.format(settings.maxTimeNs()) + " at most.");
        return super.run();
    }

    @Override
    String label(Variant variant) {
        return variant.strategy().label() + " with " + variant.cell();
    }

    @Override
    Contender contender(Variant variant) {
        return variant.strategy().contender();
    }

    @Override
    ServerSettings server(Variant variant) {
        return new ServerSettings(
                variant.cell().workNs(), settings.slow(), variant.cell().threads(), settings.maxGapNs());
    }

    @Override
    List<Figure<RunRecord>> figures() {
        return List.of(THROUGHPUT, P50, P99, P999, JITTER, CPU, SWITCHES, ALLOCATED);
    }

    @Override
    Variant reference(Variant variant) {
        return new Variant(variant.cell(), Strategy.REFERENCE);
    }

    @Override
    protected String table(ExperimentReport<Variant, RunRecord> report) {
        StringBuilder text = new StringBuilder();
        VariantRuns<Variant, RunRecord> trials = report.results();
        for (Figure<RunRecord> figure : COMPARED) {
            text.append(table(trials, figure, true));
        }
        for (Figure<RunRecord> figure : COSTS) {
            text.append(table(trials, figure, false));
        }
        return text.append(notes(report, trials)).toString();
    }

    private String table(VariantRuns<Variant, RunRecord> trials, Figure<RunRecord> figure, boolean compared) {
        List<Column<Cell>> columns = new ArrayList<>();
        columns.add(new Column<>("threads", cell -> Integer.toString(cell.threads())));
        columns.add(new Column<>("work", Cell::work));
        for (Strategy strategy : settings.strategies()) {
            columns.add(new Column<>(strategy.label(), cell -> trials.text(new Variant(cell, strategy), figure)));
        }
        for (Strategy strategy : compared ? compared() : List.<Strategy>of()) {
            columns.add(new Column<>(
                    strategy.label() + ":" + Strategy.REFERENCE.label(),
                    cell -> winner(against(trials, new Variant(cell, strategy), figure), strategy)));
        }
        List<Cell> cells = schedule().cells().stream()
                .flatMap(List::stream)
                .map(Variant::cell)
                .distinct()
                .toList();
        return figure.title() + "\n" + table(columns, 1, cells) + "\n";
    }

    private List<Strategy> compared() {
        return settings.strategies().stream()
                .filter(strategy -> strategy != Strategy.REFERENCE)
                .toList();
    }

    private Comparison against(VariantRuns<Variant, RunRecord> trials, Variant variant, Figure<RunRecord> figure) {
        return trials.compare(variant, reference(variant), figure);
    }

    /** {@code 1.24 deferred}, {@code 0.87 hshr}, {@code 1.01 =}. */
    private static String winner(Comparison comparison, Strategy strategy) {
        String winner = switch (comparison.outcome()) {
            case BETTER -> " " + strategy.label();
            case WORSE -> " " + Strategy.REFERENCE.label();
            case NO_DIFFERENCE -> " =";
            case TOO_FEW_ROUNDS -> " ?";
        };
        double median = comparison.advantage().median();
        return Double.isNaN(median) ? Table.NOTHING : Table.number(median, 2) + winner;
    }

    private String notes(ExperimentReport<Variant, RunRecord> report, VariantRuns<Variant, RunRecord> trials) {
        String reference = Strategy.REFERENCE.label();
        StringBuilder notes = new StringBuilder();
        notes.append("Medians of " + settings.runs().rounds() + " rounds. NAME:" + reference
                + " is the factor by which NAME was better (more requests/s, less latency), the median over the rounds,"
                + " and the winner; = means no difference.\n");
        notes.append(report.rule()).append('\n');
        notes.append("threads: those that process requests; " + reference
                + " has one I/O thread more. With one thread the others are one plain reactor, measured once.\n");
        notes.append(report.cpus().explanation()).append('\n');
        for (Figure<RunRecord> figure : COMPARED) {
            for (Strategy strategy : compared()) {
                notes.append(tally(trials, figure, strategy));
            }
        }
        return notes.append(calibrationNote(trials))
                .append(disturbanceNote(report, trials))
                .append(leftOutLines(report.leftOut()))
                .append(failureLines(trials))
                .toString();
    }

    private String tally(VariantRuns<Variant, RunRecord> trials, Figure<RunRecord> figure, Strategy strategy) {
        List<Variant> own = variants().stream()
                .filter(variant -> variant.strategy() == strategy && trials.has(variant))
                .toList();
        String reference = Strategy.REFERENCE.label();
        List<String> better = where(trials, own, figure, Outcome.BETTER);
        List<String> worse = where(trials, own, figure, Outcome.WORSE);
        return String.format(
                "%s, %s against %s: %s wins %s; %s wins %s; no difference in %d of %d cells.%n",
                figure.key(),
                strategy.label(),
                reference,
                strategy.label(),
                listed(better),
                reference,
                listed(worse),
                own.size() - better.size() - worse.size(),
                own.size());
    }

    private List<String> where(
            VariantRuns<Variant, RunRecord> trials, List<Variant> variants, Figure<RunRecord> figure, Outcome outcome) {
        return variants.stream()
                .filter(variant -> against(trials, variant, figure).outcome() == outcome)
                .map(variant -> variant.cell().threads() + "x" + variant.cell().work())
                .toList();
    }

    private static String listed(List<String> cells) {
        return cells.isEmpty() ? "nowhere" : cells.size() + " (" + String.join(" ", cells) + ")";
    }

    /** Compares the calibrations of the simulated work in all processes. */
    private static String calibrationNote(VariantRuns<Variant, RunRecord> trials) {
        List<Double> steps = trials.all().stream()
                .filter(trial -> trial.result() != null && trial.result().calibration() != null)
                .map(trial -> trial.result().calibration().nsPerStep())
                .toList();
        if (steps.isEmpty()) {
            return "";
        }
        Spread spread = Spread.of(steps);
        return String.format(
                Locale.ROOT,
                "A step of work took %.3f to %.3f ns in the %d processes that have work%s%n",
                spread.min(),
                spread.max(),
                steps.size(),
                spread.max() / spread.min() - 1 <= CALIBRATIONS_APART
                        ? ": the same for all."
                        : ": their work differs by as much, so run it again when the machine is quiet.");
    }

    /** Reports servers that did not get their CPUs although there was work to do. */
    private String disturbanceNote(
            ExperimentReport<Variant, RunRecord> report, VariantRuns<Variant, RunRecord> trials) {
        int cpus = CpuList.parse(report.cpus().server()).size();
        List<VariantRun<Variant, RunRecord>> good =
                trials.all().stream().filter(trial -> !trial.failed()).toList();
        long idle = good.stream().filter(trial -> waited(trial, cpus)).count();
        if (idle == 0 || settings.slow().permille() > 0 || report.cpus().shared()) {
            return "";
        }
        return String.format(
                Locale.ROOT,
                "In %d of %d runs the server was busy less than %.0f %% of the time, and the load generator too:"
                        + " something else used these CPUs, so run it again when the machine is quiet.%n",
                idle,
                good.size(),
                SATURATED * 100);
    }

    private boolean waited(VariantRun<Variant, RunRecord> trial, int cpus) {
        Measured run = trial.result().measured();
        return run.server().cpusBusy()
                        < SATURATED * Math.min(cpus, trial.variant().cell().threads())
                && run.load().cpusBusy() < SATURATED * settings.runs().loadThreads(stage());
    }
}
