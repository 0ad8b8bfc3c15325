package org.cabrank.bench.strategies;

import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.stream.Stream;
import org.cabrank.affinity.CpuList;
import org.cabrank.bench.report.Comparison;
import org.cabrank.bench.report.Comparison.Outcome;
import org.cabrank.bench.report.Statistics;
import org.cabrank.bench.report.Table;

/** The tables that {@code cabrank bench pool-strategies} prints, and what to know when reading them. */
final class StrategiesTable {

    /** How winners are found. */
    static final String RULE = String.format(
            Locale.ROOT,
            "A side wins a cell when it was better in every round, in at least %d rounds, and by %.0f %% or more in the"
                    + " median; = means no difference.",
            Comparison.ROUNDS_MIN,
            Comparison.MARGIN * 100);

    private static final List<Metric> COMPARED = List.of(Metric.THROUGHPUT, Metric.P99, Metric.JITTER);
    private static final List<Metric> COSTS = List.of(Metric.SWITCHES, Metric.CPU);

    /** Processes whose steps of simulated work differ by more did not do the same work. */
    private static final double CALIBRATIONS_APART = 0.05;

    /** Below this a server has been waiting for something else. */
    private static final double SATURATED = 0.95;

    private static final String NOTHING = "-";

    private final StrategiesReport report;
    private final List<Strategy> strategies;
    private final List<Strategy> others;

    private StrategiesTable(StrategiesReport report) {
        this.report = report;
        strategies = report.strategies().keySet().stream().sorted().toList();
        others = strategies.stream()
                .filter(strategy -> strategy != Strategy.REFERENCE)
                .toList();
    }

    /** The tables, and notes under them. */
    static String render(StrategiesReport report) {
        return new StrategiesTable(report).render();
    }

    private String render() {
        StringBuilder text = new StringBuilder();
        for (Metric metric : COMPARED) {
            text.append(metric.title()).append('\n');
            text.append(table(metric, true).render()).append('\n');
        }
        for (Metric metric : COSTS) {
            text.append(metric.title()).append('\n');
            text.append(table(metric, false).render()).append('\n');
        }
        return text.append(notes()).toString();
    }

    private Table table(Metric metric, boolean compared) {
        String reference = Strategy.REFERENCE.label();
        List<String> header = new ArrayList<>(List.of("threads", "work"));
        strategies.forEach(strategy -> header.add(strategy.label()));
        if (compared) {
            others.forEach(strategy -> header.add(strategy.label() + ":" + reference));
        }
        Table table = new Table(header);
        for (Cell cell : cells()) {
            List<String> row = new ArrayList<>(List.of(Integer.toString(cell.threads()), cell.work()));
            for (Strategy strategy : strategies) {
                row.add(summaries(cell, strategy)
                        .map(summary -> number(summary.medians().get(metric), metric.digits()))
                        .findFirst()
                        .orElse(NOTHING));
            }
            if (compared) {
                for (Strategy strategy : others) {
                    row.add(summaries(cell, strategy)
                            .map(summary -> words(summary.against().get(metric), strategy))
                            .findFirst()
                            .orElse(NOTHING));
                }
            }
            table.add(row);
        }
        return table;
    }

    private List<Cell> cells() {
        return report.summary().stream().map(CellSummary::cell).distinct().toList();
    }

    private Stream<CellSummary> summaries(Cell cell, Strategy strategy) {
        return report.summary().stream()
                .filter(summary -> summary.cell().equals(cell) && summary.strategy() == strategy && ran(summary));
    }

    private static boolean ran(CellSummary summary) {
        return summary.rounds() + summary.failures() > 0;
    }

    /** {@code 1.24 deferred}, {@code 0.87 hshr}, {@code 1.01 =}. */
    private static String words(Comparison comparison, Strategy strategy) {
        String winner = switch (comparison.outcome()) {
            case BETTER -> " " + strategy.label();
            case WORSE -> " " + Strategy.REFERENCE.label();
            case NO_DIFFERENCE -> " =";
            case TOO_FEW_ROUNDS -> " ?";
        };
        return Double.isNaN(comparison.median()) ? NOTHING : number(comparison.median(), 2) + winner;
    }

    private String notes() {
        StringBuilder notes = new StringBuilder();
        String reference = Strategy.REFERENCE.label();
        notes.append(String.format(
                Locale.ROOT,
                "Medians of %d rounds. NAME:%s says how many times better NAME was (more requests/s, less latency), the"
                        + " median over the rounds, and who has won.%n",
                report.runs().stream().mapToInt(run -> run.run().round()).max().orElse(0),
                reference));
        notes.append(RULE).append('\n');
        notes.append("threads: those that process requests; ")
                .append(reference)
                .append(" has one I/O thread more. With one thread the others are one plain reactor, measured once.\n");
        notes.append(report.cpus().explanation()).append('\n');
        for (Metric metric : COMPARED) {
            for (Strategy strategy : others) {
                notes.append(tally(metric, strategy));
            }
        }
        return notes.append(calibrationNote())
                .append(disturbanceNote())
                .append(failures())
                .toString();
    }

    private String tally(Metric metric, Strategy strategy) {
        List<CellSummary> own = report.summary().stream()
                .filter(summary -> summary.strategy() == strategy && ran(summary))
                .toList();
        return String.format(
                "%s, %s against %s: %s wins %s; %s wins %s; no difference in %d of %d cells.%n",
                metric.name().toLowerCase(Locale.ROOT),
                strategy.label(),
                Strategy.REFERENCE.label(),
                strategy.label(),
                where(own, metric, Outcome.BETTER),
                Strategy.REFERENCE.label(),
                where(own, metric, Outcome.WORSE),
                count(own, metric, Outcome.NO_DIFFERENCE) + count(own, metric, Outcome.TOO_FEW_ROUNDS),
                own.size());
    }

    private static long count(List<CellSummary> summaries, Metric metric, Outcome outcome) {
        return summaries.stream()
                .filter(summary -> summary.against().get(metric).outcome() == outcome)
                .count();
    }

    private static String where(List<CellSummary> summaries, Metric metric, Outcome outcome) {
        List<String> cells = summaries.stream()
                .filter(summary -> summary.against().get(metric).outcome() == outcome)
                .map(summary -> summary.cell().threads() + "x" + summary.cell().work())
                .toList();
        return cells.isEmpty() ? "nowhere" : cells.size() + " (" + String.join(" ", cells) + ")";
    }

    /** Whether all processes had the same idea of a microsecond. */
    private String calibrationNote() {
        List<Double> steps = report.runs().stream()
                .filter(run -> run.run().calibration() != null)
                .map(run -> run.run().calibration().nsPerStep())
                .toList();
        if (steps.isEmpty()) {
            return "";
        }
        double apart = Statistics.max(steps) / Statistics.min(steps) - 1;
        return String.format(
                Locale.ROOT,
                "A step of work took %.3f to %.3f ns in the %d processes that have work%s%n",
                Statistics.min(steps),
                Statistics.max(steps),
                steps.size(),
                apart <= CALIBRATIONS_APART
                        ? ": the same for all."
                        : ": their work differs by as much, so run it again when the machine is quiet.");
    }

    /** Servers that did not get the CPUs that are theirs, though there was work to do. */
    private String disturbanceNote() {
        int cpus = CpuList.parse(report.cpus().server()).size();
        List<StrategyRun> good =
                report.runs().stream().filter(run -> !run.run().failed()).toList();
        long idle = good.stream().filter(run -> waited(run, cpus)).count();
        if (idle == 0 || report.settings().slowPermille() > 0 || report.cpus().shared()) {
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

    private boolean waited(StrategyRun run, int cpus) {
        double server = run.run().measured().server().cpusBusy();
        double load = run.run().measured().load().cpusBusy();
        return server < SATURATED * Math.min(cpus, run.cell().threads())
                && load < SATURATED * report.settings().loadThreads();
    }

    private String failures() {
        StringBuilder text = new StringBuilder();
        for (CellSummary summary : report.summary()) {
            if (summary.failures() > 0) {
                text.append(summary.strategy().label() + " with " + summary.cell() + ": " + summary.failures() + " of "
                        + (summary.failures() + summary.rounds()) + " runs failed\n");
            }
        }
        return text.toString();
    }

    private static String number(double value, int digits) {
        return Double.isNaN(value) ? NOTHING : String.format(Locale.ROOT, "%,." + digits + "f", value);
    }
}
