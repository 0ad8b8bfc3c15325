package org.cabrank.bench.model;

import java.util.List;
import java.util.Locale;
import java.util.Map;
import org.cabrank.bench.report.Table;
import org.cabrank.bench.text.Durations;

/** What {@code cabrank bench model} prints. */
public final class ModelTable {

    private ModelTable() {}

    /** Costs, the comparison with what was measured, all points, and what to think of them. */
    public static String render(ModelReport report) {
        return costs(report) + checks(report.checks()) + points(report) + notes(report);
    }

    private static String costs(ModelReport report) {
        Table table = new Table(List.of("cost", "ns"));
        for (Map.Entry<String, Double> cost : report.costs().asMap().entrySet()) {
            table.add(List.of(cost.getKey(), fixed(cost.getValue(), 0)));
        }
        StringBuilder text = new StringBuilder(table.render());
        report.sources().forEach(source -> text.append(source).append(".\n"));
        return text.append("Lines are numbers, not ns. Any cost can be given: --cost NAME=NS,...\n\n")
                .toString();
    }

    private static String checks(List<ModelReport.Check> checks) {
        if (checks.isEmpty()) {
            return "Not compared with a measurement: 'cabrank bench scaling --json FILE', then --measured FILE.\n\n";
        }
        Table table = new Table(List.of(
                "backend",
                "shards x threads",
                "measured requests/s",
                "model",
                "ratio",
                "measured p99 us",
                "model p99 us",
                ""));
        for (ModelReport.Check check : checks) {
            table.add(List.of(
                    check.backend(),
                    check.shards() + "x" + check.threads(),
                    count(check.measuredPerSecond()),
                    count(check.modelPerSecond()),
                    fixed(check.modelPerSecond() / check.measuredPerSecond(), 2),
                    count(check.measuredP99Us()),
                    count(check.modelP99Us()),
                    check.fitted() ? "fitted" : "predicted"));
        }
        return table.render()
                + "The model against this machine. Fitted: the costs of a request are from that very measurement, which"
                + " proves nothing; the others are predicted from it.\n\n";
    }

    private static String points(ModelReport report) {
        Table table = new Table(List.of(
                "cores",
                "shards x threads",
                "eager requests/s",
                "p50 us",
                "p99 us",
                "promotions/req",
                "deferred requests/s",
                "p50 us",
                "p99 us",
                "takeovers/s"));
        for (ModelReport.Point point : report.points()) {
            boolean alone = point.threads() == 1;
            table.add(List.of(
                    Integer.toString(point.cores()),
                    point.shards() + "x" + point.threads(),
                    count(point.eager().requestsPerSecond()),
                    fixed(point.eager().p50Us(), 0),
                    fixed(point.eager().p99Us(), 0),
                    fixed(point.eager().promotionsPerRequest(), 2),
                    alone ? "the same" : count(point.deferred().requestsPerSecond()),
                    alone ? "" : fixed(point.deferred().p50Us(), 0),
                    alone ? "" : fixed(point.deferred().p99Us(), 0),
                    alone ? "" : fixed(point.deferred().takeoversPerSecond(), 0)));
        }
        return table.render();
    }

    private static String notes(ModelReport report) {
        ModelSettings settings = report.settings();
        return String.format(
                Locale.ROOT,
                "Simulated, not measured: %s of work per request%s, %d connections per core that pause %s between"
                        + " requests, %d cores per memory node, seed %d.%n"
                        + "One promotion word passes at most %s events/s to threads that sleep.%n"
                        + "Assumed: even connections; equal cores with nothing else on them, no SMT; a harvest costs the"
                        + " same for one event as for many;%nnobody fights for a cache line, as followers sleep; the"
                        + " kernel's own locks cost no more than on two cores.%n",
                settings.workNs() == 0 ? "0us" : Durations.format(settings.workNs()),
                settings.slowPermille() == 0
                        ? ""
                        : ", of which " + settings.slowPermille() + " of 1,000 block for "
                                + Durations.format(settings.slowNs()),
                settings.connectionsPerCore(),
                settings.thinkNs() == 0 ? "not at all" : Durations.format(settings.thinkNs()),
                settings.coresPerNode(),
                settings.seed(),
                count(1e9 / report.costs().handOverNs()));
    }

    private static String count(double value) {
        return String.format(Locale.ROOT, "%,.0f", value);
    }

    private static String fixed(double value, int digits) {
        return String.format(Locale.ROOT, "%." + digits + "f", value);
    }
}
