package org.cabrank.bench.report.summary;

import java.util.List;
import java.util.Locale;
import java.util.Objects;
import java.util.Optional;
import java.util.function.Predicate;
import java.util.stream.Collectors;
import org.cabrank.bench.report.BenchReport;
import org.cabrank.bench.report.BenchReport.ContenderInfo;
import org.cabrank.bench.report.CellInfo;
import org.cabrank.bench.report.CellResult;
import org.cabrank.bench.report.ContenderKind;
import org.cabrank.bench.report.Metric;
import org.cabrank.bench.report.Pairs;
import org.cabrank.bench.report.statistics.Interval;
import org.cabrank.bench.report.statistics.Verdict;

/**
 * Compares the best contenders of two sides in one cell. The best contender has the best median of the headline metric. {@code ratio} is
 * the ratio of {@code own} to {@code rival}. {@code noise} is the ratio of the baseline's second run to its first run, or null.
 */
public record Duel(
        CellInfo cell, Metric metric, String own, String rival, Interval ratio, Interval noise, Verdict verdict) {

    /** Compares Cabrank's best mode with the best Java peer. Returns empty if one side has no successful run. */
    static Optional<Duel> in(CellInfo cell, BenchReport report) {
        return in(
                cell, report, info -> info.kind() == ContenderKind.CABRANK, info -> info.kind() == ContenderKind.JAVA);
    }

    static Optional<Duel> in(
            CellInfo cell, BenchReport report, Predicate<ContenderInfo> ours, Predicate<ContenderInfo> theirs) {
        Metric metric = Metric.headline(cell);
        return report.cell(cell.id()).flatMap(result -> {
            Optional<String> own = best(report, result, metric, ours);
            Optional<String> rival = best(report, result, metric, theirs);
            return own.isEmpty() || rival.isEmpty()
                    ? Optional.empty()
                    : Optional.of(between(cell, metric, own.get(), rival.get(), result, report));
        });
    }

    private static Duel between(
            CellInfo cell, Metric metric, String own, String rival, CellResult result, BenchReport report) {
        Interval ratio = Pairs.interval(
                report.runs().stream()
                        .filter(run -> run.cell().equals(cell.id()))
                        .toList(),
                own,
                rival,
                metric);
        Interval noise = result.noiseFloor().get(metric);
        return new Duel(cell, metric, own, rival, ratio, noise, Verdict.of(ratio, noise, metric.moreIsBetter()));
    }

    private static Optional<String> best(
            BenchReport report, CellResult result, Metric metric, Predicate<ContenderInfo> who) {
        return report.contenders().stream()
                .filter(who)
                .map(info -> result.contender(info.name()).orElse(null))
                .filter(Objects::nonNull)
                .filter(one -> !Double.isNaN(one.median(metric)))
                .max((a, b) -> (metric.moreIsBetter() ? 1 : -1) * Double.compare(a.median(metric), b.median(metric)))
                .map(one -> one.contender());
    }

    public String text() {
        String figures =
                String.format(Locale.ROOT, "%s × %s's %s", ReportFormats.ratio(ratio.median()), rival, quantity());
        return switch (verdict) {
            case BETTER, WORSE -> own + " reaches " + figures + " (" + ReportFormats.range(ratio) + ").";
            case NO_DIFFERENCE_SEEN ->
                "No difference seen between " + own + " and " + rival + " in " + quantity() + ": "
                        + ReportFormats.interval(ratio) + ".";
            case CANNOT_TELL ->
                "Cannot tell " + own + " from " + rival + " in " + quantity() + ": " + ReportFormats.interval(ratio)
                        + ".";
            case TOO_FEW_PAIRS ->
                "Too few pairs to tell " + own + " from " + rival + ": " + figures + " in " + ratio.pairs()
                        + (ratio.pairs() == 1 ? " pair." : " pairs.");
        };
    }

    /** Returns a sentence about the cells that could not show a difference of 5 %. Returns empty if there are no such cells. */
    static Optional<String> remedy(List<Duel> duels) {
        List<String> cells = duels.stream()
                .filter(duel -> duel.verdict == Verdict.CANNOT_TELL || duel.verdict == Verdict.TOO_FEW_PAIRS)
                .map(duel -> duel.cell().id())
                .distinct()
                .toList();
        if (cells.isEmpty()) {
            return Optional.empty();
        }
        String scenarios =
                cells.stream().map(id -> id.replaceFirst("/.*", "")).distinct().collect(Collectors.joining(" "));
        return Optional.of("This run cannot tell a difference of 5 % in " + String.join(", ", cells)
                + ". A machine that does nothing else helps, and more time: scripts/cabrank bench " + scenarios
                + " --run-time 30min.");
    }

    String quantity() {
        return switch (metric) {
            case REQUESTS_PER_SECOND -> "requests/s";
            case P999_US -> "p99.9";
            case P99_US -> "p99";
            case P50_US -> "p50";
            case FAST_P999_US -> "p99.9 of fast requests";
            case FAST_P99_US -> "p99 of fast requests";
            case FAST_P50_US -> "p50 of fast requests";
            case REQUESTS_PER_CPU_SECOND -> "requests per CPU second";
        };
    }
}
