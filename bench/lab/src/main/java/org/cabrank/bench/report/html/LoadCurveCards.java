package org.cabrank.bench.report.html;

import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.function.Function;
import java.util.stream.Stream;
import org.cabrank.bench.report.BenchReport;
import org.cabrank.bench.report.CellInfo;
import org.cabrank.bench.report.CellResult;
import org.cabrank.bench.report.ContenderResult;
import org.cabrank.bench.report.LoadCurve;
import org.cabrank.bench.report.Percentiles;
import org.cabrank.bench.report.Target;
import org.cabrank.bench.report.summary.LoadCurveSentences;
import org.cabrank.bench.report.summary.ReportFormats;

/** Charts of a report about latency against load: one for each distribution of the handlers' times. */
final class LoadCurveCards {

    private static final Map<String, String> TITLES = Map.of(
            "constant", "Handlers that all take the same time",
            "exponential", "Handlers whose times are exponentially distributed",
            "bimodal", "One handler in a hundred takes a hundred times longer");

    private static final double PERCENT = 100;

    private LoadCurveCards() {}

    /** Cards of the distributions that were measured. The script draws them by their ids. */
    static List<Map<String, Object>> of(BenchReport report) {
        return report.scenarios().stream()
                .flatMap(scenario -> scenario.cells().stream())
                .filter(cell -> report.cell(cell.id()).isPresent())
                .map(CellInfo::slowSpread)
                .filter(Objects::nonNull)
                .distinct()
                .map(spread -> card(report, spread))
                .toList();
    }

    /** Values of the page's first section. */
    static Map<String, Object> summary(BenchReport report) {
        List<String> facts = new ArrayList<>(LoadCurveSentences.of(report));
        for (Target target : report.targets()) {
            if (target.name().startsWith("Price of the pool")) {
                facts.add(target.name() + ": " + ReportFormats.ratio(target.ratio()) + ". " + target.words() + ".");
            }
        }
        LoadCurve curve = report.loadCurve();
        if (curve != null) {
            facts.add(String.format(
                    Locale.ROOT,
                    "Dashed curves are computed, not measured: M/G/%1$d has one queue for %1$d servers, %1$d × M/G/1 a queue for each,"
                            + " by a simulation of %2$,d requests for each point. On these CPUs a wait ends %3$.0f µs late in"
                            + " the mean, which is part of the computed times, and %4$.0f µs at p99.",
                    curve.servers(),
                    curve.requests(),
                    curve.wakeUpMeanNs() / 1e3,
                    curve.wakeUpP99Ns() / 1e3));
        }
        facts.add(
                "Of bimodal times exactly 1 % are long. Percentile 99 is thus on the step from short to long requests, and a run with"
                        + " a few long ones more or fewer would show another figure by far; p99.5, the middle of the long requests,"
                        + " is judged instead. The list above a chart has p98 as well, the longest of the short requests.");
        facts.add(
                "Virtual threads and other servers without a limit to the requests that they handle at a time are not bound by"
                        + " either curve.");
        return Map.of("tiles", List.of(""), "tallied", false, "facts", facts, "scale", "", "headlines", List.of());
    }

    private static Map<String, Object> card(BenchReport report, String spread) {
        return Map.of(
                "id",
                "load-curve-" + spread,
                "title",
                TITLES.getOrDefault(spread, spread),
                "shows",
                "Latency against the load, in percent of what the handlers of one server can do. Dashed: computed by"
                        + " queueing theory. All slices together; lower is better.",
                "table",
                table(report, spread).render());
    }

    private static HtmlTable table(BenchReport report, String spread) {
        HtmlTable table = new HtmlTable(
                "Latency in µs, times of handlers: " + spread,
                2,
                Stream.of(
                                Stream.of("load", "who"),
                                LoadCurve.PERCENTILES.stream().map(Percentiles::name),
                                Stream.of("accuracy of the tail", "requests/s"))
                        .flatMap(Function.identity())
                        .toList());
        report.scenarios().stream()
                .flatMap(scenario -> scenario.cells().stream())
                .filter(cell -> spread.equals(cell.slowSpread()))
                .forEach(cell -> add(table, report, cell));
        return table;
    }

    private static void add(HtmlTable table, BenchReport report, CellInfo cell) {
        String load = Math.round(cell.rateShare() * PERCENT) + " %";
        for (ContenderResult result :
                report.cell(cell.id()).map(CellResult::contenders).orElse(List.of())) {
            Percentiles latency = result.latency();
            if (latency != null) {
                table.row(row(
                        load, result.contender(), latency.atUs(LoadCurve.PERCENTILES), ReportFormats.NOTHING, cell));
            }
        }
        Optional<LoadCurve.Point> point =
                Optional.ofNullable(report.loadCurve()).flatMap(curve -> curve.point(cell.id()));
        point.ifPresent(computed -> {
            int servers = report.loadCurve().servers();
            table.row(computed(load, "M/G/" + servers + " (computed)", computed.sharedQueue(), cell));
            table.row(computed(load, servers + " × M/G/1 (computed)", computed.queuePerServer(), cell));
        });
    }

    private static List<String> computed(String load, String who, LoadCurve.Times times, CellInfo cell) {
        return row(
                load,
                who,
                LoadCurve.PERCENTILES.stream().map(times::atUs).toList(),
                ReportFormats.percentOff(1 + times.tailAccuracy()),
                cell);
    }

    private static List<String> row(String load, String who, List<Double> us, String accuracy, CellInfo cell) {
        List<String> row = new ArrayList<>(List.of(load, who));
        us.forEach(value -> row.add(ReportFormats.of(value)));
        row.addAll(List.of(accuracy, ReportFormats.of(cell.ratePerSecond())));
        return row;
    }
}
