package org.cabrank.bench.report;

import java.util.EnumMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import org.cabrank.bench.report.RunRecord.FastRequests;
import org.cabrank.bench.report.RunRecord.Measured;
import org.cabrank.bench.report.statistics.Interval;
import org.cabrank.bench.report.statistics.Medians;
import org.cabrank.bench.report.statistics.Verdict;

/** Computes the results of cells from raw runs. */
public final class CellSummaries {

    private final List<String> contenders;
    private final String baseline;
    private final String control;
    private final List<RunRecord> runs;

    private CellSummaries(List<String> contenders, String baseline, String control, List<RunRecord> runs) {
        this.contenders = contenders;
        this.baseline = baseline;
        this.control = control;
        this.runs = runs;
    }

    /** @param control name of the baseline's second run. Null if the baseline runs only once. */
    public static List<CellResult> of(
            List<ScenarioInfo> scenarios,
            List<String> contenders,
            String baseline,
            String control,
            List<RunRecord> runs) {
        return scenarios.stream()
                .flatMap(scenario -> scenario.cells().stream())
                .map(cell -> new CellSummaries(
                                contenders,
                                baseline,
                                control,
                                runs.stream()
                                        .filter(run -> run.cell().equals(cell.id()))
                                        .toList())
                        .result(cell))
                .filter(Objects::nonNull)
                .toList();
    }

    private CellResult result(CellInfo cell) {
        if (runs.isEmpty()) {
            return null;
        }
        Map<Metric, Interval> noise = new EnumMap<>(Metric.class);
        if (control != null) {
            intervals(control).forEach((metric, interval) -> noise.put(metric, interval));
        }
        List<ContenderResult> results = contenders.stream()
                .filter(name -> runs.stream().anyMatch(run -> run.contender().equals(name)))
                .map(name -> result(name, noise))
                .toList();
        return new CellResult(cell.id(), noise, results);
    }

    private ContenderResult result(String name, Map<Metric, Interval> noise) {
        List<RunRecord> own =
                runs.stream().filter(run -> run.contender().equals(name)).toList();
        List<RunRecord> good = own.stream().filter(RunRecord::compared).toList();
        List<Measured> measured = good.stream().map(RunRecord::measured).toList();
        Map<Metric, Spread> values = new EnumMap<>(Metric.class);
        for (Metric metric : Metric.values()) {
            List<Double> each = told(metric, measured);
            if (!each.isEmpty()) {
                values.put(metric, Spread.of(each));
            }
        }
        List<DatagramCounts> datagrams = measured.stream()
                .map(Measured::datagrams)
                .filter(Objects::nonNull)
                .toList();
        List<Double> idle = measured.stream()
                .map(Measured::idleBytesPerConnection)
                .filter(Objects::nonNull)
                .toList();
        return new ContenderResult(
                name,
                good.size(),
                (int) own.stream().filter(RunRecord::failed).count(),
                values,
                ratios(name, noise),
                Percentiles.merged(measured.stream().map(Measured::histogram).toList()),
                Percentiles.merged(measured.stream()
                        .map(Measured::fast)
                        .filter(Objects::nonNull)
                        .map(FastRequests::histogram)
                        .toList()),
                PerRequest.of(measured),
                idle.isEmpty() ? null : (Double) Medians.of(idle),
                Medians.of(good.stream()
                        .map(run -> run.startToFirstAnswerNs() / 1e6)
                        .toList()),
                Medians.of(measured.stream()
                        .map(run -> run.server().compilerShare())
                        .toList()),
                measured.stream()
                        .map(Measured::generatorLimited)
                        .filter(Objects::nonNull)
                        .findFirst()
                        .orElse(null),
                DatagramCounts.sum(datagrams),
                DatagramCounts.losslessPercent(datagrams));
    }

    private Map<Metric, Ratio> ratios(String name, Map<Metric, Interval> noise) {
        Map<Metric, Ratio> ratios = new EnumMap<>(Metric.class);
        if (!name.equals(baseline)) {
            intervals(name)
                    .forEach((metric, interval) -> ratios.put(
                            metric,
                            new Ratio(
                                    interval,
                                    Verdict.of(
                                            interval,
                                            name.equals(control) ? null : noise.get(metric),
                                            metric.moreIsBetter()))));
        }
        return ratios;
    }

    private Map<Metric, Interval> intervals(String name) {
        Map<Metric, Interval> intervals = new EnumMap<>(Metric.class);
        for (Metric metric : Metric.values()) {
            Interval interval = Pairs.interval(runs, name, baseline, metric);
            if (interval.pairs() > 0) {
                intervals.put(metric, interval);
            }
        }
        return intervals;
    }

    private static List<Double> told(Metric metric, List<Measured> measured) {
        return measured.stream().map(metric::of).filter(value -> !value.isNaN()).toList();
    }
}
