package org.cabrank.bench.shards;

import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import org.cabrank.bench.report.Table;

/** The table that {@code bench scaling} and {@code bench accept} print, and what to know when reading it. */
final class ShardsTable {

    private static final String NOTHING = "-";
    private static final double SATURATED = 0.95;

    private ShardsTable() {}

    static String render(ShardsReport report) {
        Naming naming = new Naming(
                report.summary().stream().map(ArrangementSummary::arrangement).toList());
        List<String> header = new ArrayList<>(naming.titles());
        header.addAll(List.of(
                "requests/s",
                "min-max",
                "p50 us",
                "p99 us",
                "p99.9 us",
                "CPU us",
                "cs/req",
                "migr/s",
                "conns",
                "requests",
                "takeovers/s",
                "contended",
                "rounds"));
        Table table = new Table(header);
        for (ArrangementSummary row : report.summary()) {
            List<String> cells = new ArrayList<>(naming.cells(row.arrangement()));
            cells.addAll(figures(row));
            table.add(cells);
        }
        return table.render() + leftOut(report.leftOut()) + notes(report, naming);
    }

    /** A line for each backend that could not run. */
    static String leftOut(Map<String, String> reasons) {
        StringBuilder lines = new StringBuilder();
        reasons.forEach((backend, reason) ->
                lines.append(backend).append(" is left out: ").append(reason).append('\n'));
        return lines.toString();
    }

    private static List<String> figures(ArrangementSummary row) {
        return List.of(
                count(row.requestsPerSecond()),
                row.rounds() == 0
                        ? NOTHING
                        : fixed(row.requestsPerSecondMin() / 1e3, 0) + "-" + fixed(row.requestsPerSecondMax() / 1e3, 0)
                                + "k",
                count(row.p50Us()),
                count(row.p99Us()),
                count(row.p999Us()),
                fixed(row.cpuUsPerRequest(), 2),
                fixed(row.switchesPerRequest(), 3),
                fixed(row.migrationsPerSecond(), 1),
                fixed(row.connectionImbalance(), 2),
                fixed(row.requestImbalance(), 2),
                fixed(row.takeoversPerSecond(), 1),
                row.contended() == 0
                        ? "no"
                        : row.contended() + " of " + row.arrangement().shards(),
                Integer.toString(row.rounds()));
    }

    private static String notes(ShardsReport report, Naming naming) {
        StringBuilder notes = new StringBuilder();
        if (!naming.common().isEmpty()) {
            notes.append("The same for all: ").append(naming.common()).append(".\n");
        }
        notes.append("Medians over the rounds. CPU, cs: CPU time and context switches of the server per request. migr:"
                + " its threads' migrations from one CPU to another.\nconns, requests: imbalance, what the shard with"
                + " the most had in terms of the mean; 1 is even. takeovers: by standbys from leaders that stayed in a handler. contended: shards whose threads stood in one"
                + " another's way at the promotion word, in the worst round.\n");
        if (report.summary().stream().anyMatch(row -> row.rounds() > 0 && Double.isNaN(row.migrationsPerSecond()))) {
            notes.append("Migrations are not known: this kernel does not show /proc/PID/task/TID/sched.\n");
        }
        notes.append(report.cpus().explanation()).append('\n');
        for (ArrangementSummary row : report.summary()) {
            if (row.contended() > 0) {
                notes.append(naming.name(row.arrangement()))
                        .append(" is ")
                        .append(row.contention())
                        .append('\n');
            }
            if (row.failures() > 0) {
                notes.append(naming.name(row.arrangement()) + ": " + row.failures() + " of "
                        + (row.failures() + row.rounds()) + " runs failed\n");
            }
        }
        notes.append(limitedByLoad(report, naming)).append(report.rule()).append('\n');
        for (Recommendation one : report.recommendations()) {
            notes.append(one.chosen() == null ? "" : "Recommended for ")
                    .append(one.among().equals("all") ? "this machine" : one.among())
                    .append(": ")
                    .append(one.reason())
                    .append('\n');
        }
        return notes.toString();
    }

    /** Arrangements that could not show what they can. */
    private static String limitedByLoad(ShardsReport report, Naming naming) {
        List<String> limited = report.cpus().shared()
                ? List.of()
                : report.summary().stream()
                        .filter(row ->
                                row.loadBusy() > SATURATED * report.settings().loadThreads())
                        .map(row -> naming.name(row.arrangement()))
                        .toList();
        return limited.isEmpty()
                ? ""
                : "The load generator was the limit of " + String.join(", ", limited)
                        + ": they may do more than these figures show.\n";
    }

    private static String count(double value) {
        return Double.isNaN(value) ? NOTHING : String.format(Locale.ROOT, "%,.0f", value);
    }

    private static String fixed(double value, int digits) {
        return Double.isNaN(value) ? NOTHING : String.format(Locale.ROOT, "%." + digits + "f", value);
    }
}
