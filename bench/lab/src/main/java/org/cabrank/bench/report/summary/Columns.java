package org.cabrank.bench.report.summary;

import java.util.ArrayList;
import java.util.List;
import java.util.function.BiFunction;
import java.util.function.Function;
import org.cabrank.bench.report.BenchReport;
import org.cabrank.bench.report.CellInfo;
import org.cabrank.bench.report.CellResult;
import org.cabrank.bench.report.ContenderResult;
import org.cabrank.bench.report.Metric;
import org.cabrank.bench.report.PerRequest;
import org.cabrank.bench.report.Ratio;
import org.cabrank.bench.report.Spread;

/** Columns of the tables of results, in the terminal and in the page. */
public final class Columns {

    /** {@code value} returns the text for a contender in a cell, or {@link ReportFormats#NOTHING} if the figure was not measured. */
    public record Column(String name, BiFunction<CellInfo, ContenderResult, String> value) {}

    private static final List<Column> ALWAYS = List.of(
            of("requests/s", result -> result.median(Metric.REQUESTS_PER_SECOND)),
            new Column("ratio", (cell, result) -> {
                Ratio ratio = result.ratios().get(Metric.headline(cell));
                return ratio == null ? ReportFormats.NOTHING : ReportFormats.interval(ratio.interval());
            }));

    private static final List<Column> WHERE_MEASURED = List.of(
            of("p50 µs", result -> result.pooled(Metric.P50_US)),
            of("p99 µs", result -> result.pooled(Metric.P99_US)),
            of("p99.9 µs", result -> result.pooled(Metric.P999_US)),
            of("fast p50", result -> result.pooled(Metric.FAST_P50_US)),
            of("fast p99", result -> result.pooled(Metric.FAST_P99_US)),
            of("fast p99.9", result -> result.pooled(Metric.FAST_P999_US)),
            of("CPU µs", result -> 1e6 / result.median(Metric.REQUESTS_PER_CPU_SECOND)),
            of("lost %", ContenderResult::lostPercent),
            of("lossless %", ContenderResult::losslessPercent),
            of("B/connection", ContenderResult::idleBytesPerConnection));

    private static final List<Column> DETAILS = List.of(
            of("slowest", result -> spread(result, Spread::min)),
            of("fastest", result -> spread(result, Spread::max)),
            of(
                    "max µs",
                    result -> result.latency() == null ? null : result.latency().maxUs()),
            of("user µs", result -> result.perRequest().userUs()),
            of("kernel µs", result -> kernelUs(result.perRequest())),
            of("switches", result -> result.perRequest().switches()),
            of("migrations", result -> result.perRequest().migrations()),
            of("B allocated", result -> result.perRequest().allocatedBytes()),
            of("GCs per million", result -> result.perRequest().collections()),
            of("GC pause ns", result -> result.perRequest().pauseNs()),
            of("start ms", ContenderResult::startMs));

    private Columns() {}

    /** Leaves out columns that have no data. */
    public static List<Column> main(BenchReport report, List<CellInfo> cells) {
        return columns(report, cells, WHERE_MEASURED);
    }

    public static List<Column> all(BenchReport report, List<CellInfo> cells) {
        List<Column> more = new ArrayList<>(WHERE_MEASURED);
        more.addAll(DETAILS);
        return columns(report, cells, more);
    }

    private static List<Column> columns(BenchReport report, List<CellInfo> cells, List<Column> optional) {
        List<Column> columns = new ArrayList<>(ALWAYS);
        columns.add(new Column("verdict", (cell, result) -> verdict(report, cell, result)));
        optional.stream()
                .filter(column -> cells.stream()
                        .anyMatch(cell -> report.cell(cell.id()).stream()
                                .map(CellResult::contenders)
                                .flatMap(List::stream)
                                .anyMatch(result ->
                                        !column.value.apply(cell, result).equals(ReportFormats.NOTHING))))
                .forEach(columns::add);
        return columns;
    }

    private static Column of(String name, Function<ContenderResult, Double> figure) {
        return new Column(name, (cell, result) -> ReportFormats.of(figure.apply(result)));
    }

    private static String verdict(BenchReport report, CellInfo cell, ContenderResult result) {
        String failures = result.failures() > 0 ? ", " + result.failures() + " failed" : "";
        Ratio ratio = result.ratios().get(Metric.headline(cell));
        if (result.runs() == 0) {
            return "failed";
        }
        if (result.contender().equals(report.baseline())) {
            return "baseline" + failures;
        }
        if (result.contender().equals(report.control())) {
            return "noise" + failures;
        }
        if (ratio == null) {
            return ReportFormats.NOTHING + failures;
        }
        return ratio.verdict().word() + failures;
    }

    private static Double spread(ContenderResult result, Function<Spread, Double> end) {
        Spread requests = result.values().get(Metric.REQUESTS_PER_SECOND);
        return requests == null ? null : end.apply(requests);
    }

    private static Double kernelUs(PerRequest costs) {
        return costs.systemUs() == null ? null : (Double) (costs.systemUs() + costs.kernelThreadsUs());
    }
}
