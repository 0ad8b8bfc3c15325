package org.cabrank.bench.report.compare;

import java.util.List;
import java.util.Locale;
import java.util.Optional;
import java.util.TreeSet;
import java.util.stream.Collectors;
import org.cabrank.bench.report.BenchReport;
import org.cabrank.bench.report.BenchReport.Machine;
import org.cabrank.bench.report.CellResult;
import org.cabrank.bench.report.ContenderKind;
import org.cabrank.bench.report.statistics.RoundsFactor;
import org.cabrank.bench.report.summary.ReportFormats;

/**
 * Judgement of a run by a stored baseline: the cells in which one of Cabrank's contenders became worse by more than the noise
 * floors of both runs allow, as {@link BeforeAfter} compares them.
 *
 * @param both the stored baseline and the run
 * @param worse the changes that are regressions
 * @param unjudged contenders in cells that cannot be judged, because a noise floor or an interval is unknown
 * @param missing cells of the baseline that the run did not measure
 */
public record Regressions(BeforeAfter both, List<Change> worse, List<String> unjudged, List<String> missing) {

    /** Minimum number of rounds of each of both runs. */
    public static final int ROUNDS_MIN = RoundsFactor.ROUNDS_MIN;

    public Regressions {
        worse = List.copyOf(worse);
        unjudged = List.copyOf(unjudged);
        missing = List.copyOf(missing);
    }

    /** Judges {@code run} by {@code baseline}. */
    public static Regressions of(BenchReport baseline, BenchReport run) {
        BeforeAfter both = BeforeAfter.of(baseline, run);
        List<Change> own = both.changes().stream()
                .filter(change -> change.kind() == ContenderKind.CABRANK)
                .toList();
        return new Regressions(
                both,
                own.stream()
                        .filter(change -> judged(change) && change.regression())
                        .toList(),
                own.stream()
                        .filter(change -> !judged(change))
                        .map(change -> change.cell() + " " + change.contender() + " ("
                                + change.metric().label() + ")")
                        .toList(),
                baseline.cells().stream()
                        .map(CellResult::cell)
                        .filter(cell -> run.cell(cell).isEmpty())
                        .toList());
    }

    private static boolean judged(Change change) {
        return change.factor().known() && Double.isFinite(change.noiseBefore()) && Double.isFinite(change.noiseAfter());
    }

    /**
     * Returns the reason why runs on {@code machine} of {@code cells} cannot be judged by {@code baseline}; empty if they can. A
     * run on another CPU is refused, because the ratios of servers depend on the CPU; another kernel or JVM is only reported.
     */
    public static Optional<String> obstacle(BenchReport baseline, Machine machine, List<String> cells) {
        Machine old = baseline.machine();
        if (!old.cpuModel().equals(machine.cpuModel())
                || !old.architecture().equals(machine.architecture())
                || !old.cpusOnline().equals(machine.cpusOnline())) {
            return Optional.of(String.format(
                    Locale.ROOT,
                    "the baseline is of another machine: %s; here is %s; measure a baseline on this machine",
                    words(old),
                    words(machine)));
        }
        if (baseline.control() == null) {
            return Optional.of("the baseline has no noise floor: measure it without --no-aa");
        }
        int rounds = baseline.settings().rounds();
        if (rounds < ROUNDS_MIN) {
            return Optional.of("the baseline has too few rounds to judge by: " + rounds + ", expected "
                    + ROUNDS_MIN + " or more; measure it without --quick, or with --rounds "
                    + ROUNDS_MIN);
        }
        if (cells.stream().noneMatch(cell -> baseline.cell(cell).isPresent())) {
            return Optional.of("the baseline has none of the cells to measure: it has "
                    + baseline.cells().stream().map(CellResult::cell).collect(Collectors.joining(", ")));
        }
        return Optional.empty();
    }

    private static String words(Machine machine) {
        return machine.cpuModel() + " (" + machine.architecture() + ", CPUs " + machine.cpusOnline() + ")";
    }

    /** Returns true if something of Cabrank could be judged. */
    public boolean any() {
        return both.changes().stream().anyMatch(change -> change.kind() == ContenderKind.CABRANK && judged(change));
    }

    /** A line for each regression, and for whatever could not be judged. */
    public String words() {
        StringBuilder lines = new StringBuilder();
        both.differences().forEach(line -> lines.append(line).append('\n'));
        if (!missing.isEmpty()) {
            lines.append("Not measured in this run, so not judged: ")
                    .append(String.join(", ", missing))
                    .append(".\n");
        }
        if (!unjudged.isEmpty()) {
            lines.append("Not judged for want of a noise floor or of " + ROUNDS_MIN + " rounds: ")
                    .append(String.join(", ", new TreeSet<>(unjudged)))
                    .append(".\n");
        }
        for (Change change : worse) {
            lines.append(String.format(
                    Locale.ROOT,
                    "Regression: %s %s, %s: %s of the baseline's (%s), noise floors %s and %s.%n",
                    change.cell(),
                    change.contender(),
                    change.metric().label(),
                    ReportFormats.ratio(change.factor().median()),
                    ReportFormats.range(change.factor()),
                    ReportFormats.percentOff(change.noiseBefore()),
                    ReportFormats.percentOff(change.noiseAfter())));
        }
        return lines.append(
                        !any()
                                ? "Nothing could be judged by the baseline.\n"
                                : worse.isEmpty() ? "No regression beyond noise.\n" : "")
                .toString();
    }
}
