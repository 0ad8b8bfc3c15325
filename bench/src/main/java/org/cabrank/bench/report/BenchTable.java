package org.cabrank.bench.report;

import java.util.List;
import java.util.Locale;
import java.util.Map;

/** The table that {@code cabrank bench} prints, and what to know when reading it. */
public final class BenchTable {

    /** Below this a server with one CPU has been waiting for something else. */
    private static final double SATURATED = 0.95;

    /** Less than that would be written as 0.00. */
    private static final double SHOWN_US = 0.005;

    private static final String NOTHING = "-";

    private BenchTable() {}

    /** The table, and notes under it. */
    public static String render(BenchReport report) {
        Table table = new Table(List.of(
                "contender",
                "requests/s",
                "min-max",
                "ratio",
                "p50 us",
                "p99 us",
                "p99.9 us",
                "max us",
                "user us",
                "sys us",
                "cs/req",
                "B/req",
                "start ms"));
        for (ContenderSummary row : report.summary()) {
            table.add(cells(row));
        }
        return table.render() + leftOut(report.leftOut()) + notes(report);
    }

    /** A line for each contender that could not run. */
    public static String leftOut(Map<String, String> reasons) {
        StringBuilder lines = new StringBuilder();
        reasons.forEach((contender, reason) ->
                lines.append(contender).append(" is left out: ").append(reason).append('\n'));
        return lines.toString();
    }

    private static List<String> cells(ContenderSummary row) {
        return List.of(
                row.contender(),
                count(row.requestsPerSecond()),
                row.rounds() == 0
                        ? NOTHING
                        : thousands(row.requestsPerSecondMin()) + "-" + thousands(row.requestsPerSecondMax()) + "k",
                fixed(row.ratio(), 2),
                count(row.p50Us()),
                count(row.p99Us()),
                count(row.p999Us()),
                count(row.maxUs()),
                fixed(row.userUsPerRequest(), 2),
                fixed(row.systemUsPerRequest(), 2),
                fixed(row.switchesPerRequest(), 3),
                fixed(row.bytesPerRequest(), 1),
                count(row.startMs()));
    }

    private static String notes(BenchReport report) {
        StringBuilder notes = new StringBuilder();
        notes.append(String.format(
                Locale.ROOT,
                "Medians of %d rounds (max: the highest). ratio: requests/s against %s in the same round, median.%n",
                rounds(report.runs()),
                report.baseline()));
        notes.append(
                "user, sys, cs, B: of the server, per request; sys with the kernel's threads for io_uring rings. start:"
                        + " spawning the process to the first answer.\n");
        notes.append(report.cpus().explanation()).append('\n');
        for (ContenderSummary row : report.summary()) {
            if (row.failures() > 0) {
                notes.append(row.contender() + ": " + row.failures() + " of " + (row.failures() + row.rounds())
                        + " runs failed\n");
            }
            if (row.ringThreadsUsPerRequest() >= SHOWN_US) {
                notes.append(String.format(
                        Locale.ROOT,
                        "%s: %.2f of its sys us are those of the kernel's threads for its ring (iou-sqp, iou-wrk).%n",
                        row.contender(),
                        row.ringThreadsUsPerRequest()));
            }
            if (row.rounds() > 0 && !report.cpus().shared() && row.serverBusy() < SATURATED) {
                notes.append(unsaturated(row, report.settings()));
            }
        }
        return notes.append(ranOn(report)).toString();
    }

    /** What each contender found out about itself: a backend's mode, what the kernel granted. */
    private static String ranOn(BenchReport report) {
        List<String> names = report.summary().stream()
                .filter(row -> row.rounds() > 0)
                .map(ContenderSummary::contender)
                .toList();
        int width = names.stream().mapToInt(String::length).max().orElse(0);
        StringBuilder lines = new StringBuilder(names.isEmpty() ? "" : "They ran on:\n");
        for (String name : names) {
            String details = report.runs().stream()
                    .filter(run -> run.contender().equals(name) && !run.failed())
                    .map(RunRecord::details)
                    .findFirst()
                    .orElse(NOTHING);
            String indented = details.replace("; ", "\n" + " ".repeat(width + 4));
            lines.append("  " + name + " ".repeat(width - name.length()) + "  " + indented + "\n");
        }
        return lines.toString();
    }

    /** The server waited: for a load generator that had no time left, in slow handlers, or for CPUs that others used. */
    private static String unsaturated(ContenderSummary row, BenchReport.Settings settings) {
        int loadThreads = settings.loadThreads();
        String reason = row.loadBusy() > SATURATED * loadThreads
                ? "its requests/s are the generator's limit, its us per request are its own"
                : settings.slowPermille() > 0
                        ? "its threads slept in slow handlers"
                        : "something else used these CPUs, so run it again when the machine is quiet";
        return String.format(
                Locale.ROOT,
                "%s was busy only %.0f %% of the time and the load generator %.0f %%: %s.%n",
                row.contender(),
                row.serverBusy() * 100,
                row.loadBusy() * 100 / loadThreads,
                reason);
    }

    private static long rounds(List<RunRecord> runs) {
        return runs.stream().mapToInt(RunRecord::round).distinct().count();
    }

    private static String thousands(double value) {
        return fixed(value / 1e3, 0);
    }

    private static String count(double value) {
        return Double.isNaN(value) ? NOTHING : String.format(Locale.ROOT, "%,.0f", value);
    }

    private static String fixed(double value, int digits) {
        return Double.isNaN(value) ? NOTHING : String.format(Locale.ROOT, "%." + digits + "f", value);
    }
}
