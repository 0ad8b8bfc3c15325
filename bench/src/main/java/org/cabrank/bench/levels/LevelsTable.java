package org.cabrank.bench.levels;

import java.util.List;
import java.util.Locale;
import java.util.function.ToDoubleFunction;
import org.cabrank.bench.report.Statistics;
import org.cabrank.bench.report.Table;

/** The table that {@code cabrank bench service-levels} prints, and what to know when reading it. */
final class LevelsTable {

    private static final double NS_PER_US = 1_000;

    private LevelsTable() {}

    static String render(LevelsReport report) {
        Table table = new Table(List.of(
                "arrangement",
                "urgent p50 us",
                "p99 us",
                "p99.9 us",
                "max us",
                "bulk requests/s",
                "min-max",
                "rounds"));
        for (Arrangement arrangement : Arrangement.values()) {
            List<LevelsRun> runs = report.runs().stream()
                    .filter(run -> run.arrangement() == arrangement && !run.failed())
                    .toList();
            if (!runs.isEmpty()) {
                table.add(row(arrangement, runs));
            }
        }
        StringBuilder text = new StringBuilder(table.render());
        text.append("Medians over the rounds. Urgent: ")
                .append(report.settings().urgentRate())
                .append(" requests/s over ")
                .append(LevelsSettings.URGENT_CONNECTIONS)
                .append(" connections; latency counts from the time a request was meant to be sent.\n")
                .append("Bulk: ")
                .append(report.settings().bulkConnections())
                .append(" connections with a request under way all the time.\n");
        report.leftOut()
                .forEach((arrangement, why) -> text.append("Left out: ")
                        .append(arrangement.label())
                        .append(", because ")
                        .append(why)
                        .append('\n'));
        report.runs().stream()
                .filter(LevelsRun::failed)
                .forEach(run -> text.append("Failed: ")
                        .append(run.arrangement().label())
                        .append(", round ")
                        .append(run.round())
                        .append(": ")
                        .append(run.errors().isEmpty() ? "no urgent request was answered" : run.errors())
                        .append('\n'));
        return text.toString();
    }

    private static List<String> row(Arrangement arrangement, List<LevelsRun> runs) {
        List<Double> bulk = values(runs, LevelsRun::bulkPerSecond);
        return List.of(
                arrangement.label(),
                us(runs, LevelsRun::urgentP50Ns),
                us(runs, LevelsRun::urgentP99Ns),
                us(runs, LevelsRun::urgentP999Ns),
                us(runs, LevelsRun::urgentMaxNs),
                number(Statistics.median(bulk)),
                number(Statistics.min(bulk)) + "-" + number(Statistics.max(bulk)),
                Integer.toString(runs.size()));
    }

    private static String us(List<LevelsRun> runs, ToDoubleFunction<LevelsRun> ns) {
        return number(Statistics.median(values(runs, ns)) / NS_PER_US);
    }

    private static List<Double> values(List<LevelsRun> runs, ToDoubleFunction<LevelsRun> value) {
        return runs.stream().map(value::applyAsDouble).toList();
    }

    private static String number(double value) {
        return String.format(Locale.ROOT, "%,.0f", value);
    }
}
