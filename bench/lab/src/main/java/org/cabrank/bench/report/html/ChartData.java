package org.cabrank.bench.report.html;

import com.fasterxml.jackson.annotation.JsonInclude;
import java.util.ArrayList;
import java.util.Iterator;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.function.ToDoubleBiFunction;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.HdrHistogram.Histogram;
import org.HdrHistogram.HistogramIterationValue;
import org.cabrank.bench.report.BenchReport;
import org.cabrank.bench.report.CellInfo;
import org.cabrank.bench.report.CellResult;
import org.cabrank.bench.report.ContenderKind;
import org.cabrank.bench.report.ContenderResult;
import org.cabrank.bench.report.JsonFile;
import org.cabrank.bench.report.Metric;
import org.cabrank.bench.report.PerRequest;
import org.cabrank.bench.report.Percentiles;
import org.cabrank.bench.report.Ratio;
import org.cabrank.bench.report.ScenarioInfo;
import org.cabrank.bench.report.Spread;
import org.cabrank.bench.report.Topic;
import org.cabrank.bench.report.statistics.Interval;

/** Data for the page's script. Null: not measured. */
@JsonInclude(JsonInclude.Include.NON_NULL)
record ChartData(String baseline, String control, List<Contender> contenders, List<Cell> cells, List<Line> lines) {

    /** Percentiles of a curve: dense where the scale is, from the median to one in a million. */
    private static final int STEPS_PER_DECADE = 8;

    private static final int DECADES = 6;

    /** @param shown true if shown from the start; a click shows the other contenders */
    record Contender(
            String name,
            ContenderKind kind,
            String light,
            String dark,
            List<Integer> dash,
            String marker,
            boolean shown) {}

    /**
     * @param quietS time in s without requests before each measured interval; 0: load precedes
     * @param noise by metric: median, low and high of the baseline against itself
     */
    record Cell(
            String id,
            String label,
            String scenario,
            int connections,
            double rate,
            boolean slow,
            double quietS,
            boolean latencyFirst,
            String way,
            int permille,
            List<Result> results,
            Map<Metric, List<Double>> noise) {}

    /**
     * @param contender its place among the contenders
     * @param ratio of requests/s: median, low and high
     * @param cpu per request in µs: user, system, kernel threads
     * @param fast p50, p99 and p99.9 in µs of the requests that did not block
     * @param lost lost datagrams in percent
     * @param curve points of 1 / (1 - percentile) and µs
     */
    @JsonInclude(JsonInclude.Include.NON_NULL)
    record Result(
            int contender,
            Double requests,
            Double requestsMin,
            Double requestsMax,
            List<Double> ratio,
            List<Double> cpu,
            Double p50,
            Double p99,
            Double p999,
            List<Double> fast,
            Double lost,
            List<List<Double>> curve) {}

    /** Cells that differ in their connections only. */
    record Line(String label, List<String> cells) {}

    static ChartData of(BenchReport report) {
        List<String> shown = Highlights.of(report);
        // The baseline's second run is noise and no contender. Reports about blocking have no chart of the noise.
        boolean noiseApart = Topic.of(report) != Topic.BLOCKING;
        List<Contender> contenders = report.contenders().stream()
                .filter(info -> !noiseApart || info.kind() != ContenderKind.CONTROL)
                .map(info -> {
                    ChartPalette.Look look = ChartPalette.of(info.name());
                    return new Contender(
                            info.name(),
                            info.kind(),
                            look.light(),
                            look.dark(),
                            look.dash(),
                            look.marker(),
                            shown.contains(info.name()));
                })
                .toList();
        List<String> names = contenders.stream().map(Contender::name).toList();
        ToDoubleBiFunction<ContenderResult, Metric> latency =
                Topic.of(report) == Topic.BLOCKING ? ContenderResult::typical : ContenderResult::median;
        List<Cell> cells = new ArrayList<>();
        for (ScenarioInfo scenario : report.scenarios()) {
            for (CellInfo info : scenario.cells()) {
                report.cell(info.id()).ifPresent(result -> cells.add(cell(scenario, info, result, names, latency)));
            }
        }
        return new ChartData(report.baseline(), report.control(), contenders, cells, lines(report));
    }

    /** For the inside of a script element. */
    String json() {
        return Html.json(JsonFile.line(this));
    }

    /** @param latency of a contender, in µs, as the chart's caption has it */
    private static Cell cell(
            ScenarioInfo scenario,
            CellInfo info,
            CellResult result,
            List<String> names,
            ToDoubleBiFunction<ContenderResult, Metric> latency) {
        return new Cell(
                info.id(),
                info.label(),
                scenario.name(),
                info.connections(),
                info.ratePerSecond(),
                info.slowPermille() > 0,
                info.quietNs() / 1e9,
                !Metric.headline(info).moreIsBetter(),
                info.slowWay(),
                info.slowPermille(),
                result.contenders().stream()
                        .filter(one -> one.runs() > 0 && names.contains(one.contender()))
                        .map(one -> result(one, names.indexOf(one.contender()), latency))
                        .toList(),
                result.noiseFloor().entrySet().stream()
                        .filter(entry -> entry.getValue().known())
                        .collect(Collectors.toMap(Map.Entry::getKey, entry -> three(entry.getValue()))));
    }

    private static Result result(
            ContenderResult one, int contender, ToDoubleBiFunction<ContenderResult, Metric> latency) {
        Ratio ratio = one.ratios().get(Metric.REQUESTS_PER_SECOND);
        Spread requests = one.values().get(Metric.REQUESTS_PER_SECOND);
        PerRequest costs = one.perRequest();
        return new Result(
                contender,
                requests == null ? null : rounded(requests.median()),
                requests == null ? null : rounded(requests.min()),
                requests == null ? null : rounded(requests.max()),
                ratio == null ? null : three(ratio.interval()),
                costs == null || costs.userUs() == null
                        ? null
                        : List.of(rounded(costs.userUs()), rounded(costs.systemUs()), rounded(costs.kernelThreadsUs())),
                orNull(latency.applyAsDouble(one, Metric.P50_US)),
                orNull(latency.applyAsDouble(one, Metric.P99_US)),
                orNull(latency.applyAsDouble(one, Metric.P999_US)),
                fast(one, latency),
                one.lostPercent(),
                Optional.ofNullable(one.latency()).map(ChartData::curve).orElse(null));
    }

    /** Null: answers did not tell. */
    private static List<Double> fast(ContenderResult one, ToDoubleBiFunction<ContenderResult, Metric> latency) {
        return Double.isNaN(latency.applyAsDouble(one, Metric.FAST_P50_US))
                ? null
                : Stream.of(Metric.FAST_P50_US, Metric.FAST_P99_US, Metric.FAST_P999_US)
                        .map(metric -> rounded(latency.applyAsDouble(one, metric)))
                        .toList();
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
                // Beyond one in all of them there is nothing but the maximum, which the table has.
                break;
            }
            double wanted = Math.max(1, Math.ceil(count * (1 - 1 / inverse)));
            while (reached < wanted && values.hasNext()) {
                HistogramIterationValue value = values.next();
                reached = value.getTotalCountToThisValue();
                us = histogram.highestEquivalentValue(value.getValueIteratedTo()) / 1e3;
            }
            curve.add(List.of(rounded(inverse), rounded(us)));
        }
        return curve;
    }

    private static List<Line> lines(BenchReport report) {
        List<Line> lines = new ArrayList<>();
        for (ScenarioInfo scenario : report.scenarios()) {
            scenario.cells().stream()
                    .filter(cell -> report.cell(cell.id()).isPresent())
                    .collect(Collectors.groupingBy(
                            cell -> List.of(
                                    cell.sizeBytes(),
                                    cell.depth(),
                                    cell.idleConnections(),
                                    cell.slowPermille(),
                                    cell.slowTimeNs(),
                                    cell.ratePerSecond()),
                            LinkedHashMap::new,
                            Collectors.toList()))
                    .values()
                    .forEach(cells -> {
                        if (cells.stream()
                                        .mapToInt(CellInfo::connections)
                                        .distinct()
                                        .count()
                                > 1) {
                            lines.add(new Line(
                                    scenario.name() + ", " + cells.get(0).sizeBytes() + " bytes",
                                    cells.stream().map(CellInfo::id).toList()));
                        }
                    });
        }
        return lines;
    }

    private static List<Double> three(Interval interval) {
        List<Double> three = new ArrayList<>();
        three.add(orNull(interval.median()));
        three.add(orNull(interval.low()));
        three.add(orNull(interval.high()));
        return three;
    }

    private static Double orNull(double value) {
        return Double.isFinite(value) ? rounded(value) : null;
    }

    /** To four digits: a page has thousands of these. */
    private static Double rounded(double value) {
        if (value == 0 || !Double.isFinite(value)) {
            return value == 0 ? 0.0 : null;
        }
        double unit = Math.pow(10, Math.floor(Math.log10(Math.abs(value))) - 3);
        return unit >= 1 ? Math.round(value / unit) * unit : Math.round(value / unit) / Math.rint(1 / unit);
    }
}
