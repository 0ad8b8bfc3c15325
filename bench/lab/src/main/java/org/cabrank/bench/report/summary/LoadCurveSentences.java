package org.cabrank.bench.report.summary;

import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Locale;
import java.util.Objects;
import java.util.Optional;
import org.cabrank.bench.report.BenchReport;
import org.cabrank.bench.report.CellInfo;
import org.cabrank.bench.report.CellResult;
import org.cabrank.bench.report.LoadCurve;
import org.cabrank.bench.report.Percentiles;

/**
 * Summary of a report about latency against load: for each distribution of times the tail at the load at which tails are judged, else at
 * the highest measured one, the best contender first.
 */
public final class LoadCurveSentences {

    private static final double PERCENT = 100;
    private static final double US_PER_MS = 1e3;

    private record Figure(String name, double us) {

        String words() {
            return String.format(Locale.ROOT, "%s %.1f", name, us / US_PER_MS);
        }
    }

    private LoadCurveSentences() {}

    /** A sentence for each distribution that was measured; empty without computed curves. */
    public static List<String> of(BenchReport report) {
        LoadCurve curve = report.loadCurve();
        if (curve == null) {
            return List.of();
        }
        List<CellInfo> cells = report.scenarios().stream()
                .flatMap(scenario -> scenario.cells().stream())
                .filter(cell ->
                        cell.slowSpread() != null && report.cell(cell.id()).isPresent())
                .toList();
        return cells.stream()
                .map(CellInfo::slowSpread)
                .distinct()
                .map(spread -> cells.stream()
                        .filter(cell -> spread.equals(cell.slowSpread()))
                        .min(Comparator.comparing((CellInfo cell) -> !LoadCurve.judged(cell.rateShare()))
                                .thenComparing(Comparator.comparingDouble(CellInfo::rateShare)
                                        .reversed()))
                        .orElseThrow())
                .map(cell -> sentence(report, cell, curve))
                .filter(Objects::nonNull)
                .toList();
    }

    /** Null if nothing was computed for the cell, or no contender answered. */
    private static String sentence(BenchReport report, CellInfo cell, LoadCurve curve) {
        Optional<LoadCurve.Point> computed = curve.point(cell.id());
        List<Figure> figures = new ArrayList<>();
        computed.ifPresent(point -> report.cell(cell.id()).map(CellResult::contenders).orElse(List.of()).stream()
                .filter(result -> result.latency() != null)
                .map(result -> new Figure(
                        result.contender(),
                        result.latency().atUs(List.of(point.tailPercentile())).get(0)))
                .sorted(Comparator.comparingDouble(Figure::us))
                .forEach(figures::add));
        if (figures.isEmpty()) {
            return null;
        }
        LoadCurve.Point point = computed.get();
        double percentile = point.tailPercentile();
        return String.format(
                Locale.ROOT,
                "%s, %s at %.0f %% of the capacity, in ms: %s; computed: %s, %s.",
                cell.slowSpread(),
                Percentiles.name(percentile),
                cell.rateShare() * PERCENT,
                String.join(", ", figures.stream().map(Figure::words).toList()),
                new Figure("M/G/" + curve.servers(), point.sharedQueue().atUs(percentile)).words(),
                new Figure(curve.servers() + " × M/G/1", point.queuePerServer().atUs(percentile)).words());
    }
}
