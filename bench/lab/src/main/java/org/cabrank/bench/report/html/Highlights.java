package org.cabrank.bench.report.html;

import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.function.Predicate;
import org.cabrank.bench.report.BenchReport;
import org.cabrank.bench.report.BenchReport.ContenderInfo;
import org.cabrank.bench.report.ContenderKind;
import org.cabrank.bench.report.Metric;

/** Whom the line charts show from the start: more than a handful of lines nobody can tell apart. */
final class Highlights {

    private static final int CABRANK = 3;
    private static final int PEERS = 2;
    private static final int LIMITS = 1;

    private Highlights() {}

    /** The best of each kind over all cells, and the baseline. */
    static List<String> of(BenchReport report) {
        List<String> names = new ArrayList<>(List.of(report.baseline()));
        add(names, report, CABRANK, info -> info.kind() == ContenderKind.CABRANK);
        add(
                names,
                report,
                PEERS,
                info -> info.kind() == ContenderKind.JAVA && !info.name().equals(report.baseline()));
        add(names, report, LIMITS, info -> info.kind() == ContenderKind.LIMIT);
        return names;
    }

    private static void add(List<String> names, BenchReport report, int count, Predicate<ContenderInfo> who) {
        report.contenders().stream()
                .filter(who)
                .map(ContenderInfo::name)
                .sorted(Comparator.comparingDouble((String name) -> places(report, name)))
                .limit(count)
                .forEach(names::add);
    }

    /** The sum of a contender's places in all cells. */
    private static double places(BenchReport report, String name) {
        return report.cells().stream()
                .mapToDouble(cell -> {
                    double own = cell.contender(name)
                            .map(result -> result.median(Metric.REQUESTS_PER_SECOND))
                            .orElse(0.0);
                    return cell.contenders().stream()
                            .filter(other -> !(other.median(Metric.REQUESTS_PER_SECOND) <= own))
                            .count();
                })
                .sum();
    }
}
