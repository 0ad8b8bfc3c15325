package org.cabrank.bench.report;

import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Objects;
import java.util.Optional;

/** Printed tables of a report about latency against load: one for each distribution of the handlers' times. */
public final class LoadCurveTables {

    private static final double PERCENT = 100;

    /** Percentile of a report without computed curves. */
    private static final double TAIL = 99;

    private LoadCurveTables() {}

    /** The tables: loads from the top to the bottom, contenders and theory side by side. */
    public static String render(BenchReport report) {
        List<CellInfo> cells = report.scenarios().stream()
                .flatMap(scenario -> scenario.cells().stream())
                .toList();
        StringBuilder text = new StringBuilder();
        cells.stream()
                .map(CellInfo::slowSpread)
                .filter(Objects::nonNull)
                .distinct()
                .forEach(spread -> text.append(Percentiles.name(tail(report.loadCurve(), cells, spread)))
                        .append(" in µs, times of handlers: ")
                        .append(spread)
                        .append('\n')
                        .append(table(
                                report,
                                cells.stream()
                                        .filter(cell -> spread.equals(cell.slowSpread()))
                                        .toList()))
                        .append('\n'));
        LoadCurve curve = report.loadCurve();
        if (curve != null) {
            text.append(String.format(
                    Locale.ROOT,
                    "M/G/%1$d, %1$d x M/G/1: computed, not measured, by simulating %2$,d requests for each point (times of"
                            + " handlers and %3$.0f µs by which waits end late).%n",
                    curve.servers(),
                    curve.requests(),
                    curve.wakeUpMeanNs() / 1e3));
        }
        return text.append(
                        "All slices together; latency counts from when a request was meant to be sent. virtual-threads has no"
                                + " limit to the requests that it handles at a time.\n")
                .toString();
    }

    private static String table(BenchReport report, List<CellInfo> cells) {
        LoadCurve curve = report.loadCurve();
        List<String> names = report.contenders().stream()
                .map(BenchReport.ContenderInfo::name)
                .filter(name -> cells.stream()
                        .anyMatch(cell -> report.cell(cell.id())
                                .flatMap(result -> result.contender(name))
                                .isPresent()))
                .toList();
        List<String> header = new ArrayList<>(List.of("load"));
        header.addAll(names);
        if (curve != null) {
            header.add("M/G/" + curve.servers());
            header.add(curve.servers() + " x M/G/1");
        }
        Table table = new Table(header, 1);
        for (CellInfo cell : cells) {
            List<String> row = new ArrayList<>(List.of(Math.round(cell.rateShare() * PERCENT) + " %"));
            names.forEach(name -> row.add(report.cell(cell.id())
                    .flatMap(result -> result.contender(name))
                    .map(ContenderResult::latency)
                    .map(latency -> Table.number(
                            latency.atUs(List.of(tail(curve, cell))).get(0), 0))
                    .orElse(Table.NOTHING)));
            if (curve != null) {
                row.add(theory(curve, cell, true));
                row.add(theory(curve, cell, false));
            }
            table.add(row);
        }
        return table.render();
    }

    private static double tail(LoadCurve curve, List<CellInfo> cells, String spread) {
        return cells.stream()
                .filter(cell -> spread.equals(cell.slowSpread()))
                .mapToDouble(cell -> tail(curve, cell))
                .findFirst()
                .orElse(TAIL);
    }

    private static double tail(LoadCurve curve, CellInfo cell) {
        return Optional.ofNullable(curve)
                .flatMap(computed -> computed.point(cell.id()))
                .map(LoadCurve.Point::tailPercentile)
                .orElse(TAIL);
    }

    private static String theory(LoadCurve curve, CellInfo cell, boolean shared) {
        return curve.point(cell.id())
                .map(point -> Table.number(
                        (shared ? point.sharedQueue() : point.queuePerServer()).atUs(point.tailPercentile()), 0))
                .orElse(Table.NOTHING);
    }
}
