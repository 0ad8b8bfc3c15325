package org.cabrank.bench.report.html;

import com.fasterxml.jackson.annotation.JsonInclude;
import java.util.ArrayList;
import java.util.Iterator;
import java.util.List;
import java.util.stream.Stream;
import org.HdrHistogram.Histogram;
import org.HdrHistogram.HistogramIterationValue;
import org.cabrank.bench.report.BenchReport;
import org.cabrank.bench.report.BenchReport.ContenderInfo;
import org.cabrank.bench.report.CellResult;
import org.cabrank.bench.report.ContenderKind;
import org.cabrank.bench.report.ContenderResult;
import org.cabrank.bench.report.JsonFile;
import org.cabrank.bench.report.Metric;
import org.cabrank.bench.report.PerRequest;
import org.cabrank.bench.report.Percentiles;
import org.cabrank.bench.report.Spread;

/** Data for the page's script. A field is null if it was not measured. {@code contenders} has no entry for the baseline's second run. */
@JsonInclude(JsonInclude.Include.NON_NULL)
record ChartData(List<String> contenders, List<Cell> cells) {

    /** Number of points of a curve in each decade of 1 / (1 - percentile). This scale gives high percentiles many points. */
    private static final int STEPS_PER_DECADE = 8;

    private static final int DECADES = 6;

    record Cell(String id, List<Result> results) {}

    /**
     * One contender in a cell.
     *
     * @param contender index of the contender in {@link ChartData#contenders}
     * @param requests requests per second: median, slowest and fastest slice
     * @param cpu CPU time per request in µs: user, system, kernel threads
     * @param fast p50, p99 and p99.9 in µs of the requests that did not block
     * @param curve points of the latency curve. Each has 1 / (1 - percentile) and the latency in µs.
     */
    @JsonInclude(JsonInclude.Include.NON_NULL)
    record Result(
            int contender, List<Double> requests, List<Double> cpu, List<Double> fast, List<List<Double>> curve) {}

    static ChartData of(BenchReport report) {
        List<String> names = report.contenders().stream()
                .filter(info -> info.kind() != ContenderKind.CONTROL)
                .map(ContenderInfo::name)
                .toList();
        return new ChartData(
                names, report.cells().stream().map(cell -> cell(cell, names)).toList());
    }

    String json() {
        return Html.json(JsonFile.line(this));
    }

    private static Cell cell(CellResult result, List<String> names) {
        return new Cell(
                result.cell(),
                result.contenders().stream()
                        .filter(one -> one.runs() > 0 && names.contains(one.contender()))
                        .map(one -> result(one, names.indexOf(one.contender())))
                        .toList());
    }

    private static Result result(ContenderResult one, int contender) {
        Spread requests = one.values().get(Metric.REQUESTS_PER_SECOND);
        PerRequest costs = one.perRequest();
        return new Result(
                contender,
                requests == null ? null : rounded(requests.median(), requests.min(), requests.max()),
                costs == null || costs.userUs() == null
                        ? null
                        : rounded(costs.userUs(), costs.systemUs(), costs.kernelThreadsUs()),
                one.fastLatency() == null
                        ? null
                        : rounded(
                                one.typical(Metric.FAST_P50_US),
                                one.typical(Metric.FAST_P99_US),
                                one.typical(Metric.FAST_P999_US)),
                one.latency() == null ? null : curve(one.latency()));
    }

    private static List<List<Double>> curve(Percentiles latency) {
        Histogram histogram = Percentiles.decode(latency.histogram());
        long count = histogram.getTotalCount();
        List<List<Double>> curve = new ArrayList<>();
        Iterator<HistogramIterationValue> values = histogram.recordedValues().iterator();
        long reached = 0;
        double us = 0;
        for (int step = 0; step <= STEPS_PER_DECADE * DECADES; step++) {
            double inverse = Math.pow(10, (double) step / STEPS_PER_DECADE);
            if (inverse > count) {
                // No request lies above this percentile.
                break;
            }
            double wanted = Math.max(1, Math.ceil(count * (1 - 1 / inverse)));
            while (reached < wanted && values.hasNext()) {
                HistogramIterationValue value = values.next();
                reached = value.getTotalCountToThisValue();
                us = histogram.highestEquivalentValue(value.getValueIteratedTo()) / 1e3;
            }
            curve.add(rounded(inverse, us));
        }
        return curve;
    }

    private static List<Double> rounded(Double... values) {
        return Stream.of(values).map(ChartData::rounded).toList();
    }

    /** Rounds to four digits, so that a page with thousands of figures stays small. */
    private static Double rounded(Double value) {
        if (value == 0 || !Double.isFinite(value)) {
            return 0.0;
        }
        double unit = Math.pow(10, Math.floor(Math.log10(Math.abs(value))) - 3);
        return unit >= 1 ? Math.round(value / unit) * unit : Math.round(value / unit) / Math.rint(1 / unit);
    }
}
