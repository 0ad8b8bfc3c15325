package org.cabrank.bench.report;

import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Objects;

/** Printed tables of a report about handlers that block: one for each way to block. */
public final class BlockingTables {

    private BlockingTables() {}

    /** The tables, the fastest contender first in each. */
    public static String render(BenchReport report) {
        StringBuilder text = new StringBuilder();
        List<CellInfo> cells = report.scenarios().stream()
                .flatMap(scenario -> scenario.cells().stream())
                .toList();
        cells.stream()
                .map(CellInfo::slowWay)
                .filter(Objects::nonNull)
                .distinct()
                .forEach(way -> text.append(way)
                        .append('\n')
                        .append(table(
                                report,
                                cells.stream()
                                        .filter(cell -> way.equals(cell.slowWay()))
                                        .toList()))
                        .append('\n'));
        return text.append(
                        "fast: requests that did not block; all: these and those that did. Microseconds, counted from when a"
                                + " request was meant to be sent; p50 and p99: medians of the slices, p99.9: of all slices together.\n"
                                + "requests/s: half of what the contender did in a closed loop, median of the slices. Of the ways, a virtual thread unmounts"
                                + " in park, and in lock on JDK 24 and later.\n")
                .toString();
    }

    private static String table(BenchReport report, List<CellInfo> cells) {
        Table table = new Table(
                List.of(
                        "blocking",
                        "contender",
                        "requests/s",
                        "fast p50",
                        "fast p99",
                        "fast p99.9",
                        "all p50",
                        "all p99",
                        "all p99.9",
                        "runs"),
                2);
        for (CellInfo cell : cells) {
            List<ContenderResult> results = new ArrayList<>(
                    report.cell(cell.id()).map(CellResult::contenders).orElse(List.of()));
            results.sort(Comparator.comparingDouble(result -> result.typical(Metric.FAST_P99_US)));
            boolean first = true;
            for (ContenderResult result : results) {
                table.add(row(first ? cell.slowShare() : "", result));
                first = false;
            }
        }
        return table.render();
    }

    private static List<String> row(String share, ContenderResult result) {
        List<String> row = new ArrayList<>(List.of(share, result.contender()));
        for (Metric metric : List.of(
                Metric.REQUESTS_PER_SECOND,
                Metric.FAST_P50_US,
                Metric.FAST_P99_US,
                Metric.FAST_P999_US,
                Metric.P50_US,
                Metric.P99_US,
                Metric.P999_US)) {
            row.add(Table.number(result.typical(metric), 0));
        }
        row.add(result.runs() + (result.failures() > 0 ? ", " + result.failures() + " failed" : ""));
        return row;
    }
}
