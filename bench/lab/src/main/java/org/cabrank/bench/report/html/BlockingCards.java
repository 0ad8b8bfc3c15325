package org.cabrank.bench.report.html;

import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.function.Function;
import java.util.stream.Stream;
import org.cabrank.bench.report.BenchReport;
import org.cabrank.bench.report.CellInfo;
import org.cabrank.bench.report.ContenderResult;
import org.cabrank.bench.report.Metric;
import org.cabrank.bench.report.summary.ReportFormats;

/** Charts of a report about handlers that block: one for each way to block. */
final class BlockingCards {

    private static final Map<String, String> TITLES = Map.of(
            "park", "Parked, as while a database answers",
            "native", "Asleep in native code, as in a driver over JNI",
            "burn", "Computing",
            "lock", "At a monitor that a slow peer holds");

    private static final Map<String, String> EXPLANATIONS = Map.of(
            "park", "LockSupport.parkNanos: a virtual thread unmounts and leaves its carrier to other requests.",
            "native",
                    "A call into C that sleeps: the JVM cannot unmount a virtual thread, and its carrier sleeps with it. A"
                            + " pool that watches its leader sees a thread that sleeps.",
            "burn",
                    "A fixed number of steps of computing: the CPU is busy, so other requests get their share of it only from"
                            + " the scheduler of the kernel, and from none between virtual threads of one carrier.",
            "lock",
                    "A thread holds a monitor for that long, from the moment at which the handler wants it. A virtual thread"
                            + " unmounts on JDK 24 and later; before, it pins its carrier as native code does.");

    private BlockingCards() {}

    /** Cards of the ways that were measured. The script draws them by their ids. */
    static List<Map<String, Object>> of(BenchReport report) {
        return report.scenarios().stream()
                .flatMap(scenario -> scenario.cells().stream())
                .filter(cell -> report.cell(cell.id()).isPresent())
                .map(CellInfo::slowWay)
                .distinct()
                .map(way -> card(report, way))
                .toList();
    }

    private static Map<String, Object> card(BenchReport report, String way) {
        return Map.of(
                "id",
                "blocking-" + way,
                "title",
                TITLES.getOrDefault(way, way),
                "shows",
                EXPLANATIONS.getOrDefault(way, "")
                        + " Each bar reaches from p50 to p99.9, the mark in it is p99. p50 and p99 are medians of the slices, p99.9 is of all slices together;"
                        + " less is better, on a logarithmic scale.",
                "table",
                table(report, way).render());
    }

    private static HtmlTable table(BenchReport report, String way) {
        List<String> words = List.of("share", "contender");
        List<String> figures = List.of(
                "requests/s", "fast p50", "fast p99", "fast p99.9", "all p50", "all p99", "all p99.9", "CPU µs");
        HtmlTable table = new HtmlTable(
                "Latency in µs (" + way + "), medians of the slices; p99.9: of all slices together",
                words.size(),
                Stream.concat(words.stream(), figures.stream()).toList());
        report.scenarios().stream()
                .flatMap(scenario -> scenario.cells().stream())
                .filter(cell -> way.equals(cell.slowWay()))
                .forEach(cell -> report.cell(cell.id())
                        .ifPresent(result -> result.contenders().stream()
                                .filter(one -> one.runs() > 0)
                                .sorted(Comparator.comparingDouble(one -> one.typical(Metric.FAST_P99_US)))
                                .forEach(one -> table.row(row(cell, one)))));
        return table;
    }

    private static List<String> row(CellInfo cell, ContenderResult one) {
        Function<Metric, String> figure = metric -> ReportFormats.of(one.typical(metric));
        return List.of(
                cell.slowShare(),
                one.contender(),
                figure.apply(Metric.REQUESTS_PER_SECOND),
                figure.apply(Metric.FAST_P50_US),
                figure.apply(Metric.FAST_P99_US),
                figure.apply(Metric.FAST_P999_US),
                figure.apply(Metric.P50_US),
                figure.apply(Metric.P99_US),
                figure.apply(Metric.P999_US),
                ReportFormats.of(1e6 / one.median(Metric.REQUESTS_PER_CPU_SECOND)));
    }
}
