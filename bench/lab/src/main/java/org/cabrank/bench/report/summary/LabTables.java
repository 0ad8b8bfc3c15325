package org.cabrank.bench.report.summary;

import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import org.cabrank.bench.report.BenchReport;
import org.cabrank.bench.report.CellInfo;
import org.cabrank.bench.report.CellResult;
import org.cabrank.bench.report.ContenderResult;
import org.cabrank.bench.report.RunRecord;
import org.cabrank.bench.report.ScenarioInfo;
import org.cabrank.bench.report.Table;
import org.cabrank.bench.report.summary.Columns.Column;

/** Printed output of {@code cabrank bench}: a table for each scenario, and notes for reading them. */
public final class LabTables {

    private LabTables() {}

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
        return text + notes(report);
    }

    private static String table(BenchReport report, ScenarioInfo scenario) {
        List<Column> columns = Columns.main(report, scenario.cells());
        List<String> header = new ArrayList<>(List.of("cell", "contender"));
        columns.forEach(column -> header.add(column.name()));
        Table table = new Table(header, 2);
        boolean empty = true;
        for (CellInfo cell : scenario.cells()) {
            String label = cell.label();
            for (ContenderResult contender :
                    report.cell(cell.id()).map(CellResult::contenders).orElse(List.of())) {
                List<String> row = new ArrayList<>(List.of(label, contender.contender()));
                columns.forEach(column -> row.add(column.value().apply(cell, contender)));
                table.add(row);
                label = "";
                empty = false;
            }
        }
        return empty ? "" : table.render();
    }

    private static String notes(BenchReport report) {
        StringBuilder notes = new StringBuilder();
        notes.append(String.format(
                Locale.ROOT,
                "ratio: against %s in the same round and slice, of requests/s, or of p99.9 where the rate is given: median of"
                        + " the pairs, and the interval that holds it with 95 %%.%n",
                report.baseline()));
        if (report.control() != null) {
            notes.append(report.control() + " is " + report.baseline()
                    + " once more: its difference from itself is noise, and smaller differences do not count.\n");
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
        notes.append(
                "p50, p99, p99.9: of all slices together. CPU: time of the server and its kernel threads per request, in"
                        + " microseconds.\n");
        notes.append(report.cpus().explanation()).append('\n');
        for (Caution caution : Caution.of(report)) {
            notes.append(caution.title()).append(":\n");
            caution.lines().forEach(line -> notes.append("  ").append(line).append('\n'));
        }
        report.notes().forEach(note -> notes.append(note).append('\n'));
        return notes.append(ranOn(report)).toString();
    }

    /** Returns the facts that each contender reported at its start, such as its kernel features. */
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
