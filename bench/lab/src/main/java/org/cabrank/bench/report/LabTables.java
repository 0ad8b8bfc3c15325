package org.cabrank.bench.report;

import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import org.cabrank.bench.report.statistics.Interval;
import org.cabrank.bench.report.statistics.Verdict;

/** Printed output of {@code cabrank bench}: a table for each scenario, and notes for reading them. */
public final class LabTables {

    private static final int LOST_DIGITS = 3;

    private LabTables() {}

    /** The tables, and notes under them. */
    public static String render(BenchReport report) {
        StringBuilder text = new StringBuilder();
        for (ScenarioInfo scenario : report.scenarios()) {
            String table = table(report, scenario);
            if (!table.isEmpty()) {
                text.append(scenario.name())
                        .append(": ")
                        .append(scenario.shows())
                        .append("\n\n")
                        .append(table)
                        .append('\n');
            }
        }
        return text + leftOut(report.leftOut()) + notes(report);
    }

    /** A line for each contender and cell that could not be measured. */
    public static String leftOut(Map<String, String> reasons) {
        StringBuilder lines = new StringBuilder();
        reasons.forEach((what, reason) ->
                lines.append(what).append(" is left out: ").append(reason).append('\n'));
        return lines.toString();
    }

    private static String table(BenchReport report, ScenarioInfo scenario) {
        boolean streams = scenario.name().equals("streaming");
        boolean idles = scenario.cells().stream().anyMatch(cell -> cell.idleConnections() > 0);
        List<String> header = new ArrayList<>(List.of(
                "cell",
                "contender",
                streams
                        ? "MB/s"
                        : scenario.name().equals("churn")
                                ? "connections/s"
                                : scenario.name().equals("datagrams") ? "datagrams/s" : "requests/s",
                "ratio",
                "95 %",
                "in words",
                "p50 us",
                "p99 us",
                "p99.9 us",
                "CPU us"));
        boolean calls = scenario.cells().stream()
                .flatMap(cell -> report.cell(cell.id()).stream())
                .flatMap(cell -> cell.contenders().stream())
                .anyMatch(row -> row.perRequest().systemCalls() != null);
        if (calls) {
            header.add("calls");
        }
        if (idles) {
            header.add("B/connection");
        }
        boolean fast = scenario.cells().stream()
                .flatMap(cell -> report.cell(cell.id()).stream())
                .flatMap(cell -> cell.contenders().stream())
                .anyMatch(row -> row.fastLatency() != null);
        if (fast) {
            header.addAll(List.of("fast p50", "fast p99", "fast p99.9"));
        }
        boolean datagrams = scenario.cells().stream()
                .flatMap(cell -> report.cell(cell.id()).stream())
                .flatMap(cell -> cell.contenders().stream())
                .anyMatch(row -> row.datagrams() != null);
        if (datagrams) {
            header.addAll(List.of("lost %", "lossless %"));
        }
        Table table = new Table(header, 2);
        boolean empty = true;
        for (CellInfo cell : scenario.cells()) {
            Optional<CellResult> result = report.cell(cell.id());
            boolean first = true;
            for (ContenderResult contender : result.map(CellResult::contenders).orElse(List.of())) {
                List<String> row = new ArrayList<>();
                row.add(first ? cell.label() : "");
                row.addAll(cells(report, cell, contender, streams));
                if (calls) {
                    Double count = contender.perRequest().systemCalls();
                    row.add(count == null ? Table.NOTHING : Table.number(count, 2));
                }
                if (idles) {
                    row.add(
                            contender.idleBytesPerConnection() == null
                                    ? Table.NOTHING
                                    : Table.number(contender.idleBytesPerConnection(), 0));
                }
                if (fast) {
                    row.addAll(percentiles(contender.fastLatency()));
                }
                if (datagrams) {
                    row.add(
                            contender.datagrams() == null
                                    ? Table.NOTHING
                                    : Table.number(contender.lostPercent(), LOST_DIGITS));
                    row.add(
                            contender.losslessPercent() == null
                                    ? Table.NOTHING
                                    : Table.number(contender.losslessPercent(), 0));
                }
                table.add(row);
                first = false;
                empty = false;
            }
        }
        return empty ? "" : table.render();
    }

    private static List<String> cells(BenchReport report, CellInfo cell, ContenderResult row, boolean streams) {
        double perSecond = row.median(Metric.REQUESTS_PER_SECOND);
        Metric headline = Metric.headline(cell);
        Ratio ratio = row.ratios().get(headline);
        List<String> cells = new ArrayList<>(List.of(
                row.contender(),
                streams ? Table.number(perSecond * cell.sizeBytes() / 1e6, 0) : Table.number(perSecond, 0),
                ratio == null ? Table.NOTHING : Table.number(ratio.interval().median(), 2),
                ratio == null ? Table.NOTHING : interval(ratio.interval()),
                words(report, row, ratio, headline)));
        cells.addAll(percentiles(row.latency()));
        cells.add(Table.number(1e6 / row.median(Metric.REQUESTS_PER_CPU_SECOND), 2));
        return cells;
    }

    /** The three of the header; null: not measured. */
    private static List<String> percentiles(Percentiles latency) {
        return latency == null
                ? List.of(Table.NOTHING, Table.NOTHING, Table.NOTHING)
                : List.of(
                        Table.number(latency.p50Us(), 0),
                        Table.number(latency.p99Us(), 0),
                        Table.number(latency.p999Us(), 0));
    }

    private static String words(BenchReport report, ContenderResult row, Ratio ratio, Metric headline) {
        if (row.runs() == 0) {
            return "failed";
        }
        String also = row.failures() > 0 ? ", " + row.failures() + " failed" : "";
        if (row.contender().equals(report.baseline())) {
            return "baseline" + also;
        }
        if (row.contender().equals(report.control())) {
            return "noise" + also;
        }
        if (ratio == null) {
            return Table.NOTHING + also;
        }
        return verdict(ratio.verdict(), headline) + also;
    }

    private static String verdict(Verdict verdict, Metric headline) {
        return switch (verdict) {
            case BETTER -> headline.moreIsBetter() ? "faster" : "lower";
            case WORSE -> headline.moreIsBetter() ? "slower" : "higher";
            case NO_DIFFERENCE_SEEN -> "no difference seen";
            case TOO_FEW_PAIRS -> "too few pairs";
        };
    }

    private static String interval(Interval interval) {
        return interval.known()
                ? Table.number(interval.low(), 2) + "-" + Table.number(interval.high(), 2)
                : Table.NOTHING;
    }

    private static String notes(BenchReport report) {
        StringBuilder notes = new StringBuilder();
        notes.append(String.format(
                Locale.ROOT,
                "ratio: against %s in the same round and slice, of requests/s, or of p99.9 where the rate is given: median of"
                        + " the pairs, and the interval that holds it with 95 %%.%n",
                report.baseline()));
        if (report.precision() != null) {
            notes.append("The bench looked at its results while it ran; the intervals hold whenever it stopped.\n");
        }
        if (report.control() != null) {
            notes.append(
                    report.control() + " is " + report.baseline()
                            + " once more: what it differs from itself is noise, and no difference below that is called one.\n");
        }
        if (report.cells().stream()
                .flatMap(cell -> cell.contenders().stream())
                .anyMatch(row -> row.fastLatency() != null)) {
            notes.append("fast: latencies of the requests whose handlers did not block, in microseconds.\n");
        }
        if (report.cells().stream()
                .flatMap(cell -> cell.contenders().stream())
                .anyMatch(row -> row.datagrams() != null)) {
            notes.append(
                    "lost: part of the datagrams of all slices together. lossless: part of the slices in which none was"
                            + " lost.\n");
        }
        notes.append("p50, p99, p99.9: of all slices together. CPU: of the server with its kernel threads, per request,"
                + " microseconds. calls: system calls per request, in slices of their own.\n");
        notes.append(report.cpus().explanation()).append('\n');
        notes.append(generatorLimits(report));
        notes.append(compiling(report));
        report.notes().forEach(note -> notes.append(note).append('\n'));
        return notes.append(ranOn(report)).toString();
    }

    /** A line for each cell in which the load generator may have been the limit. */
    private static String generatorLimits(BenchReport report) {
        StringBuilder lines = new StringBuilder();
        for (CellResult cell : report.cells()) {
            List<ContenderResult> limited = cell.contenders().stream()
                    .filter(contender -> contender.generatorLimited() != null)
                    .toList();
            if (!limited.isEmpty()) {
                lines.append(cell.cell())
                        .append(": the load generator may have been the limit of ")
                        .append(String.join(
                                ", ",
                                limited.stream().map(ContenderResult::contender).toList()))
                        .append(" (")
                        .append(limited.get(0).generatorLimited())
                        .append(")\n");
            }
        }
        return lines.toString();
    }

    /** A line for each cell in which contenders were measured before they were as fast as they get. */
    private static String compiling(BenchReport report) {
        StringBuilder lines = new StringBuilder();
        for (CellResult cell : report.cells()) {
            List<String> cold = cell.contenders().stream()
                    .filter(ContenderResult::compiling)
                    .map(result -> String.format(
                            Locale.ROOT,
                            "%s (%.0f %% of its CPU time)",
                            result.contender(),
                            result.compilerShare() * 100))
                    .toList();
            if (!cold.isEmpty()) {
                lines.append(cell.cell())
                        .append(": still compiling while measured: ")
                        .append(String.join(", ", cold))
                        .append('\n');
            }
        }
        return lines.toString();
    }

    /** Facts that each contender found at its start: a backend's mode, features that the kernel granted. */
    private static String ranOn(BenchReport report) {
        List<String> names = report.contenders().stream()
                .map(BenchReport.ContenderInfo::name)
                .filter(name ->
                        report.runs().stream().anyMatch(run -> run.contender().equals(name) && !run.failed()))
                .toList();
        int width = names.stream().mapToInt(String::length).max().orElse(0);
        StringBuilder lines = new StringBuilder(names.isEmpty() ? "" : "They ran on:\n");
        for (String name : names) {
            String details = report.runs().stream()
                    .filter(run -> run.contender().equals(name) && !run.failed())
                    .map(RunRecord::details)
                    .findFirst()
                    .orElse(Table.NOTHING);
            String indented = details.replace("; ", "\n" + " ".repeat(width + 4));
            lines.append("  " + name + " ".repeat(width - name.length()) + "  " + indented + "\n");
        }
        return lines.toString();
    }
}
