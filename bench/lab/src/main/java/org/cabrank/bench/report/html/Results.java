package org.cabrank.bench.report.html;

import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.function.Function;
import org.cabrank.bench.report.BenchReport;
import org.cabrank.bench.report.CellResult;
import org.cabrank.bench.report.ContenderResult;
import org.cabrank.bench.report.Metric;
import org.cabrank.bench.report.PerRequest;
import org.cabrank.bench.report.Ratio;
import org.cabrank.bench.report.statistics.Verdict;
import org.cabrank.bench.report.summary.ReportFormats;

/** Every figure of every cell, folded away until it is asked for. */
final class Results {

    /** Place of the verdict among the columns. */
    private static final int VERDICT = 3;

    private Results() {}

    /** A table for each cell. */
    static List<Map<String, Object>> tables(BenchReport report) {
        return report.cells().stream()
                .map(cell -> Map.<String, Object>of("cell", cell.cell(), "table", table(cell, report.control())))
                .toList();
    }

    /** @param value of a contender, as HTML */
    private record Column(String name, Function<ContenderResult, String> value) {

        static Column of(String name, Function<ContenderResult, Double> figure) {
            return new Column(name, result -> ReportFormats.of(figure.apply(result)));
        }

        /** Returns true if a contender of the cell has a value; some machines and contenders do not report every figure. */
        boolean tells(CellResult cell) {
            return cell.contenders().stream()
                    .anyMatch(result -> !value.apply(result).equals(ReportFormats.NOTHING));
        }
    }

    private static final List<Column> ALWAYS = List.of(
            new Column("contender", result -> Html.text(result.contender())),
            Column.of("requests/s", result -> result.median(Metric.REQUESTS_PER_SECOND)),
            new Column(
                    "ratio",
                    result -> ratio(result, ratio -> ReportFormats.interval(ratio.interval()), ReportFormats.NOTHING)),
            new Column("", result -> ratio(result, ratio -> verdict(ratio.verdict()), "")),
            Column.of("per CPU second", result -> result.median(Metric.REQUESTS_PER_CPU_SECOND)),
            Column.of("p50 µs", result -> result.pooled(Metric.P50_US)),
            Column.of("p99 µs", result -> result.pooled(Metric.P99_US)),
            Column.of("p99.9 µs", result -> result.pooled(Metric.P999_US)));

    private static final List<Column> WHERE_TOLD = List.of(
            Column.of("fast p50 µs", result -> result.pooled(Metric.FAST_P50_US)),
            Column.of("fast p99 µs", result -> result.pooled(Metric.FAST_P99_US)),
            Column.of("fast p99.9 µs", result -> result.pooled(Metric.FAST_P999_US)),
            Column.of("lost %", ContenderResult::lostPercent),
            Column.of("lossless slices %", ContenderResult::losslessPercent),
            Column.of("user µs", result -> result.perRequest().userUs()),
            Column.of("kernel µs", Results::kernelUs),
            Column.of("calls", result -> result.perRequest().systemCalls()),
            Column.of("switches", result -> result.perRequest().switches()),
            Column.of("migrations", result -> result.perRequest().migrations()),
            Column.of("B allocated", result -> result.perRequest().allocatedBytes()),
            Column.of("GCs per million", result -> result.perRequest().collections()),
            Column.of("GC pause ns", result -> result.perRequest().pauseNs()),
            Column.of("instructions", result -> result.perRequest().instructions()),
            Column.of("cycles", result -> result.perRequest().cycles()),
            Column.of("cache misses", result -> result.perRequest().cacheMisses()),
            Column.of("idle B/conn", ContenderResult::idleBytesPerConnection),
            Column.of("start ms", ContenderResult::startMs));

    private static final Column RUNS = new Column(
            "runs",
            result -> result.runs()
                    + (result.failures() > 0 ? " <b class=\"worse\">" + result.failures() + " failed</b>" : ""));

    /** @param control name of the row that is noise; null: none */
    private static String table(CellResult cell, String control) {
        List<Column> columns = new ArrayList<>(ALWAYS);
        WHERE_TOLD.stream().filter(column -> column.tells(cell)).forEach(columns::add);
        columns.add(RUNS);
        HtmlTable table = new HtmlTable(
                "All figures of " + cell.cell(),
                1,
                columns.stream().map(Column::name).toList());
        for (ContenderResult result : cell.contenders()) {
            List<String> row = new ArrayList<>(
                    columns.stream().map(column -> column.value().apply(result)).toList());
            if (result.contender().equals(control)) {
                row.set(VERDICT, "noise");
            }
            table.rawRow(row);
        }
        return table.render();
    }

    private static Double kernelUs(ContenderResult result) {
        PerRequest costs = result.perRequest();
        return costs.systemUs() == null ? null : (Double) (costs.systemUs() + costs.kernelThreadsUs());
    }

    private static String ratio(ContenderResult result, Function<Ratio, String> words, String none) {
        Ratio ratio = result.ratios().get(Metric.REQUESTS_PER_SECOND);
        return ratio == null ? none : words.apply(ratio);
    }

    private static String verdict(Verdict verdict) {
        String words = switch (verdict) {
            case BETTER -> "more";
            case WORSE -> "less";
            case NO_DIFFERENCE_SEEN -> "no difference seen";
            case TOO_FEW_PAIRS -> "too few pairs";
        };
        return "<span class=\"verdict " + Summary.tone(verdict) + "\">" + words + "</span>";
    }
}
