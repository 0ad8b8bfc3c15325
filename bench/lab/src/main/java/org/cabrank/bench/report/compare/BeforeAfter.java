package org.cabrank.bench.report.compare;

import java.util.ArrayList;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.SortedMap;
import org.cabrank.bench.report.BenchReport;
import org.cabrank.bench.report.BenchReport.ContenderInfo;
import org.cabrank.bench.report.BenchReport.Machine;
import org.cabrank.bench.report.CellInfo;
import org.cabrank.bench.report.CellResult;
import org.cabrank.bench.report.Metric;
import org.cabrank.bench.report.Pairs;
import org.cabrank.bench.report.RunRecord;
import org.cabrank.bench.report.statistics.Interval;
import org.cabrank.bench.report.statistics.Medians;
import org.cabrank.bench.report.statistics.RoundsFactor;
import org.cabrank.bench.report.statistics.Verdict;

/**
 * Changes between two reports. {@code differences} describe changed conditions, such as another kernel, which may explain a change.
 *
 * <p>If both reports have the same baseline, ratios to the baseline are compared, because the speed of a machine varies. Only the
 * baseline's own values are compared directly. Each round counts as one observation. A difference counts if its interval excludes 1 and it
 * is larger than the noise of both reports together.
 */
public record BeforeAfter(BenchReport before, BenchReport after, List<String> differences, List<Change> changes) {

    /** Level of an interval. A comparison has a hundred intervals: at 0.95, five would show differences that do not exist. */
    static final double LEVEL = 0.99;

    public static BeforeAfter of(BenchReport before, BenchReport after) {
        List<Change> changes = new ArrayList<>();
        for (CellResult result : after.cells()) {
            Optional<CellInfo> info = after.cellInfo(result.cell());
            if (info.isPresent() && before.cell(result.cell()).isPresent()) {
                for (ContenderInfo contender : after.contenders()) {
                    for (Metric metric : metrics(info.get())) {
                        change(before, after, result.cell(), contender, metric).ifPresent(changes::add);
                    }
                }
            }
        }
        return new BeforeAfter(before, after, Differences.of(before, after), List.copyOf(changes));
    }

    /** Returns empty if the reports can be compared. They cannot if the CPUs differ, because ratios depend on the CPU. */
    public Optional<String> incomparableReason() {
        Machine old = before.machine();
        Machine now = after.machine();
        if (!old.cpuModel().equals(now.cpuModel()) || !old.cpusOnline().equals(now.cpusOnline())) {
            return Optional.of("they are of different machines: " + old.cpuModel() + " with CPUs " + old.cpusOnline()
                    + ", and " + now.cpuModel() + " with CPUs " + now.cpusOnline());
        }
        if (changes.isEmpty()) {
            return Optional.of("they have no contender in a cell in common");
        }
        if (changes.stream().noneMatch(Change::judged)) {
            return Optional.of("no noise floor, or fewer than " + RoundsFactor.ROUNDS_MIN
                    + " rounds in one of them: measure both without --quick and --no-aa, or with --rounds "
                    + RoundsFactor.ROUNDS_MIN);
        }
        return Optional.empty();
    }

    /** Returns the changes by which one of Cabrank's contenders became worse. */
    public List<Change> regressions() {
        return changes.stream().filter(Change::regression).toList();
    }

    private static Set<Metric> metrics(CellInfo cell) {
        return new LinkedHashSet<>(List.of(Metric.headline(cell), Metric.REQUESTS_PER_CPU_SECOND, Metric.P99_US));
    }

    private static Optional<Change> change(
            BenchReport before, BenchReport after, String cell, ContenderInfo contender, Metric metric) {
        boolean relative =
                before.baseline().equals(after.baseline()) && !contender.name().equals(after.baseline());
        List<Double> old = values(before, cell, contender.name(), metric);
        List<Double> now = values(after, cell, contender.name(), metric);
        if (old.isEmpty() || now.isEmpty()) {
            return Optional.empty();
        }
        Interval factor = RoundsFactor.of(
                byRound(before, cell, contender.name(), metric, relative),
                byRound(after, cell, contender.name(), metric, relative),
                LEVEL);
        double noiseBefore = noise(before, cell, metric);
        double noiseAfter = noise(after, cell, metric);
        return Optional.of(new Change(
                cell,
                contender.name(),
                contender.kind(),
                metric,
                Medians.of(old),
                Medians.of(now),
                relative,
                factor,
                noiseBefore,
                noiseAfter,
                Verdict.of(factor, both(noiseBefore, noiseAfter, factor), metric.moreIsBetter())));
    }

    /** Returns the noise of a quotient of two figures. The arguments are the noise of each figure. */
    private static Interval both(double before, double after, Interval factor) {
        double far = Math.exp(Math.hypot(log(before), log(after)));
        return new Interval(1, 1 / far, far, factor.pairs());
    }

    private static double log(double factor) {
        return Double.isFinite(factor) ? Math.log(factor) : 0;
    }

    private static double noise(BenchReport report, String cell, Metric metric) {
        return report.cell(cell)
                .map(result -> result.noiseFloor().get(metric))
                .filter(Interval::known)
                .map(Interval::farthestFromOne)
                .orElse(Double.NaN);
    }

    private static SortedMap<Integer, List<Double>> byRound(
            BenchReport report, String cell, String contender, Metric metric, boolean relative) {
        return relative
                ? Pairs.byRound(runs(report, cell), contender, report.baseline(), metric)
                : Pairs.valuesByRound(runs(report, cell), contender, metric);
    }

    private static List<Double> values(BenchReport report, String cell, String contender, Metric metric) {
        return Pairs.valuesByRound(runs(report, cell), contender, metric).values().stream()
                .flatMap(List::stream)
                .toList();
    }

    private static List<RunRecord> runs(BenchReport report, String cell) {
        return report.runs().stream().filter(run -> run.cell().equals(cell)).toList();
    }
}
