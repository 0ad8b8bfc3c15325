package org.cabrank.bench.report.html;

import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.cabrank.bench.report.BenchReport;
import org.cabrank.bench.report.CellInfo;
import org.cabrank.bench.report.CellResult;
import org.cabrank.bench.report.ContenderResult;
import org.cabrank.bench.report.summary.Columns;
import org.cabrank.bench.report.summary.Columns.Column;

final class Results {

    private Results() {}

    static List<Map<String, Object>> tables(BenchReport report) {
        return report.cells().stream()
                .map(cell -> Map.<String, Object>of(
                        "cell",
                        cell.cell(),
                        "table",
                        report.cellInfo(cell.cell())
                                .map(info -> table(report, info, cell))
                                .orElse("")))
                .toList();
    }

    private static String table(BenchReport report, CellInfo info, CellResult cell) {
        List<Column> columns = Columns.all(report, List.of(info));
        List<String> header = new ArrayList<>(List.of("contender"));
        columns.forEach(column -> header.add(column.name()));
        header.add("runs");
        HtmlTable table = new HtmlTable("All figures of " + cell.cell(), 1, header);
        for (ContenderResult result : cell.contenders()) {
            List<String> row = new ArrayList<>(List.of(result.contender()));
            columns.forEach(column -> row.add(column.value().apply(info, result)));
            row.add(Integer.toString(result.runs()));
            table.row(row);
        }
        return table.render();
    }
}
