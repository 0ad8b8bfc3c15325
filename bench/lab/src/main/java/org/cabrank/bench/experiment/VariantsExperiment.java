package org.cabrank.bench.experiment;

import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.concurrent.ConcurrentSkipListMap;
import java.util.function.Function;
import org.cabrank.bench.contender.ContenderUnavailableException;
import org.cabrank.bench.report.Table;
import org.cabrank.bench.run.ChildFailedException;
import org.cabrank.bench.run.Experiment;
import org.cabrank.bench.run.Stage;
import org.cabrank.bench.text.Durations;

/**
 * An experiment that compares variants in interleaved rounds. Each round covers all cells, so that slow changes of the machine
 * meet all of them. Within a cell the variants follow one another, so that compared variants ran under the same conditions.
 * Each round begins the cells with another variant, so that none always follows the same one.
 *
 * @param <V> variants, which know their cell if there are several
 * @param <R> result of a turn
 */
abstract class VariantsExperiment<V, R> extends Experiment<VariantRun<V, R>, ExperimentReport<V, R>> {

    private final Object settings;
    private final Schedule<V> schedule;
    /** Variants that cannot run on this machine, by {@link #leftOutAs}, with the reason. */
    private final Map<String, String> leftOut = new ConcurrentSkipListMap<>();

    /**
     * Order of the turns.
     *
     * @param cells the variants of each cell, in the order of the table
     * @param turnNs estimated time of a turn in ns
     * @param maxTimeNs time in ns after which no turn may end; {@link Long#MAX_VALUE}: no limit
     */
    record Schedule<V>(int rounds, List<List<V>> cells, double turnNs, long maxTimeNs) {

        Schedule(int rounds, List<V> variants, double turnNs) {
            this(rounds, List.of(variants), turnNs, Long.MAX_VALUE);
        }

        /** One variant in one round. */
        record Turn<V>(int round, int position, V variant) {}

        List<V> variants() {
            return cells.stream().flatMap(List::stream).toList();
        }

        List<Turn<V>> turns() {
            List<Turn<V>> turns = new ArrayList<>();
            for (int round = 0; round < rounds; round++) {
                for (List<V> cell : cells) {
                    for (int position = 0; position < cell.size(); position++) {
                        turns.add(new Turn<>(round + 1, position + 1, cell.get((position + round) % cell.size())));
                    }
                }
            }
            return turns;
        }
    }

    /** A column of a table with a row for each variant. */
    record Column<V>(String title, Function<V, String> text) {}

    /** @param settings written to the JSON file */
    VariantsExperiment(Output output, Stage stage, Object settings, Schedule<V> schedule) {
        super(output, stage, schedule.rounds(), schedule.turns().size(), schedule.turnNs());
        this.settings = settings;
        this.schedule = schedule;
    }

    /** Returns the name of {@code variant} for the progress line and messages. */
    abstract String label(V variant);

    /**
     * Measures {@code variant} once.
     *
     * @throws ContenderUnavailableException if it cannot run on this machine: it is left out, now and in later rounds
     */
    abstract VariantRun<V, R> measure(V variant, int round, int position)
            throws IOException, InterruptedException, ChildFailedException;

    /** Returns the tables, and notes for reading them. */
    @Override
    protected abstract String table(ExperimentReport<V, R> report);

    /** Figures that the JSON file summarises. */
    abstract List<Figure<R>> figures();

    /** Returns the variant to compare {@code variant} with; null: none. */
    V reference(V variant) {
        return null;
    }

    List<Recommendation<V>> recommendations(VariantRuns<V, R> trials) {
        return List.of();
    }

    /** Returns the name under which {@code variant} is left out; variants of the same name are left out together. */
    String leftOutAs(V variant) {
        return label(variant);
    }

    /** Variants in the order of the table, without those that were left out. */
    final List<V> variants() {
        return schedule.variants().stream()
                .filter(variant -> !leftOut.containsKey(leftOutAs(variant)))
                .toList();
    }

    final Schedule<V> schedule() {
        return schedule;
    }

    @Override
    protected void takeTurns() throws IOException, InterruptedException {
        long startNs = System.nanoTime();
        List<Schedule.Turn<V>> turns = schedule.turns();
        for (Schedule.Turn<V> turn : turns) {
            if (System.nanoTime() - startNs + schedule.turnNs() > schedule.maxTimeNs()) {
                stop("Stopped after " + finished().size() + " of " + turns.size() + " runs, because "
                        + Durations.format(schedule.maxTimeNs()) + " are over (--max-time).");
                return;
            }
            if (!takeOrLeaveOut(turn)) {
                return;
            }
        }
        if (finished().isEmpty()) {
            stop(leftOutLines(leftOut) + "Nobody is left: nothing was measured.");
        }
    }

    private boolean takeOrLeaveOut(Schedule.Turn<V> turn) throws IOException, InterruptedException {
        V variant = turn.variant();
        if (!leftOut.containsKey(leftOutAs(variant))) {
            try {
                return take(label(variant), turn.round(), () -> trial(variant, turn.round(), turn.position()));
            } catch (ContenderUnavailableException unavailable) {
                leftOut.put(leftOutAs(variant), unavailable.getMessage());
            }
        }
        leaveOut();
        return true;
    }

    private VariantRun<V, R> trial(V variant, int round, int position) throws IOException, InterruptedException {
        try {
            return measure(variant, round, position);
        } catch (ChildFailedException failed) {
            return new VariantRun<>(variant, round, position, failed.getMessage() + "\n" + failed.log(), null);
        }
    }

    @Override
    protected boolean failed(VariantRun<V, R> trial) {
        return trial.failed();
    }

    @Override
    protected ExperimentReport<V, R> report(List<VariantRun<V, R>> results, boolean complete) {
        VariantRuns<V, R> trials = new VariantRuns<>(results);
        return new ExperimentReport<>(
                ExperimentReport.FORMAT,
                stage().startedAt(),
                complete,
                arguments(),
                stage().versions(),
                stage().reportedMachine(),
                stage().reportedJvm(),
                stage().reportedCpus(),
                settings,
                new TreeMap<>(leftOut),
                Comparison.RULE,
                variants().stream()
                        .map(variant -> trials.summary(variant, figures(), reference(variant)))
                        .toList(),
                recommendations(trials),
                results);
    }

    /** Renders a table with a row for each of {@code rows}; the first {@code left} columns are aligned to the left. */
    static <V> String table(List<Column<V>> columns, int left, List<V> rows) {
        Table table = new Table(columns.stream().map(Column::title).toList(), left);
        rows.forEach(row -> table.add(
                columns.stream().map(column -> column.text().apply(row)).toList()));
        return table.render();
    }

    /** A line for each variant that could not run. */
    static String leftOutLines(Map<String, String> reasons) {
        StringBuilder lines = new StringBuilder();
        reasons.forEach((who, reason) ->
                lines.append(who).append(" is left out: ").append(reason).append('\n'));
        return lines.toString();
    }

    /** A line for each failed turn, with the reason. */
    final String failedTrials(VariantRuns<V, R> trials) {
        StringBuilder lines = new StringBuilder();
        trials.all().stream()
                .filter(VariantRun::failed)
                .forEach(trial -> lines.append("Failed: " + label(trial.variant())
                        + (schedule.rounds() == 1 ? "" : ", round " + trial.round()) + ": " + trial.failure() + "\n"));
        return lines.toString();
    }

    /** A line for each variant that failed in some rounds. */
    final String failureLines(VariantRuns<V, R> trials) {
        StringBuilder lines = new StringBuilder();
        for (V variant : variants()) {
            int failures = trials.failures(variant);
            if (failures > 0) {
                int all = failures + trials.results(variant).size();
                lines.append(label(variant) + ": " + failures + " of " + all + " runs failed\n");
            }
        }
        return lines.toString();
    }
}
