package org.cabrank.bench.report.html;

import java.util.List;
import java.util.Map;
import java.util.function.BiFunction;
import java.util.function.Predicate;
import java.util.stream.Stream;
import org.cabrank.bench.report.BenchReport;
import org.cabrank.bench.report.CellInfo;
import org.cabrank.bench.report.CellResult;
import org.cabrank.bench.report.ContenderResult;
import org.cabrank.bench.report.DatagramCounts;
import org.cabrank.bench.report.Metric;
import org.cabrank.bench.report.PerRequest;
import org.cabrank.bench.report.Percentiles;
import org.cabrank.bench.report.Spread;
import org.cabrank.bench.report.statistics.Interval;
import org.cabrank.bench.report.summary.ReportFormats;

/** The charts, each with what it shows and the same figures as a table. The script draws them by their ids. */
final class Charts {

    /** Beginning of the ids of cells about providers of the HttpServer API. */
    private static final String HTTP_SERVER = "http-server/";

    private Charts() {}

    /** The charts that have figures. */
    static List<Map<String, Object>> cards(BenchReport report) {
        List<ChartData.Line> lines = ChartData.of(report).lines();
        return Stream.of(
                        card(
                                "requests",
                                "Requests per second",
                                "The median of all slices; the whisker reaches from the slowest to the fastest.",
                                requests(report, info -> true)),
                        card(
                                "percentiles",
                                "Latency, percentile by percentile",
                                "To the right, ever rarer requests: 99.9 % is the slowest of a thousand. Lower is better; both"
                                        + " scales are logarithmic. All slices together.",
                                percentiles(report)),
                        card(
                                "connections",
                                "Throughput against connections",
                                "What becomes of the requests per second as connections are added.",
                                requests(
                                        report,
                                        info -> lines.stream()
                                                .anyMatch(line -> line.cells().contains(info.id())))),
                        card(
                                "cpu",
                                "CPU per request",
                                "Time on a CPU that the server needs for one request: in user mode, in the kernel, and in the"
                                        + " kernel's threads for its io_uring rings.",
                                cpu(report)),
                        card(
                                "rate",
                                "Latency against offered rate",
                                "Requests are sent at a fixed rate; latency counts from when each was to be sent, so that a"
                                        + " stall counts for all that it held up.",
                                latency(report, info -> info.ratePerSecond() > 0)),
                        card(
                                "slow",
                                "Slow handlers",
                                "A few requests block their server's thread. Left to wait behind them, the fast ones show it"
                                        + " at p99.",
                                latency(report, info -> info.slowPermille() > 0)),
                        card(
                                "http-server",
                                "Providers of the JDK's HTTP server",
                                "One handler behind each provider of com.sun.net.httpserver. Where one handler in a hundred"
                                        + " blocks, each bar reaches from p50 to p99.9 and the mark in it is p99: of the"
                                        + " requests that did not block, if they waited behind those that did.",
                                providers(report)),
                        card(
                                "lost",
                                "Datagrams lost at a fixed rate",
                                "The part of the datagrams that were sent at a fixed rate and did not come back, all slices"
                                        + " together. Less is better. Losses come in bursts, and one pause of the machine can"
                                        + " outweigh all other slices: a contender that loses more by nature has fewer slices"
                                        + " without any loss, which the table counts.",
                                lost(report)),
                        card(
                                "noise",
                                "The noise floor",
                                "The baseline against itself, run as if it were another server: the interval of the paired"
                                        + " ratios. What is no larger than that is called no difference.",
                                noise(report)))
                .filter(card -> !card.get("table").equals(""))
                .toList();
    }

    private static Map<String, Object> card(String id, String title, String shows, HtmlTable table) {
        return Map.of("id", id, "title", title, "shows", shows, "table", table.isEmpty() ? "" : table.render());
    }

    private static HtmlTable requests(BenchReport report, Predicate<CellInfo> cells) {
        HtmlTable table = new HtmlTable(
                "Requests per second by cell and contender",
                2,
                List.of("cell", "contender", "requests/s", "slowest", "fastest", "ratio to " + report.baseline()));
        return fill(table, report, cells, (cell, result) -> {
            Spread spread = result.values().get(Metric.REQUESTS_PER_SECOND);
            return spread == null
                    ? null
                    : List.of(
                            cell.cell(),
                            result.contender(),
                            ReportFormats.of(spread.median()),
                            ReportFormats.of(spread.min()),
                            ReportFormats.of(spread.max()),
                            result.ratios().containsKey(Metric.REQUESTS_PER_SECOND)
                                    ? ReportFormats.interval(result.ratios()
                                            .get(Metric.REQUESTS_PER_SECOND)
                                            .interval())
                                    : ReportFormats.NOTHING);
        });
    }

    private static HtmlTable percentiles(BenchReport report) {
        HtmlTable table = new HtmlTable(
                "Latency in µs by percentile, all slices together",
                2,
                List.of("cell", "contender", "p50", "p90", "p99", "p99.9", "p99.99", "max"));
        return fill(table, report, info -> true, (cell, result) -> {
            Percentiles latency = result.latency();
            return latency == null
                    ? null
                    : List.of(
                            cell.cell(),
                            result.contender(),
                            ReportFormats.of(latency.p50Us()),
                            ReportFormats.of(latency.p90Us()),
                            ReportFormats.of(latency.p99Us()),
                            ReportFormats.of(latency.p999Us()),
                            ReportFormats.of(latency.p9999Us()),
                            ReportFormats.of(latency.maxUs()));
        });
    }

    private static HtmlTable cpu(BenchReport report) {
        HtmlTable table = new HtmlTable(
                "CPU time per request in µs",
                2,
                List.of("cell", "contender", "user", "kernel", "kernel threads", "requests per CPU second"));
        return fill(table, report, info -> true, (cell, result) -> {
            PerRequest costs = result.perRequest();
            return costs == null || costs.userUs() == null
                    ? null
                    : List.of(
                            cell.cell(),
                            result.contender(),
                            ReportFormats.of(costs.userUs()),
                            ReportFormats.of(costs.systemUs()),
                            ReportFormats.of(costs.kernelThreadsUs()),
                            ReportFormats.of(result.median(Metric.REQUESTS_PER_CPU_SECOND)));
        });
    }

    private static HtmlTable latency(BenchReport report, Predicate<CellInfo> cells) {
        HtmlTable table = new HtmlTable(
                "Latency in µs, medians of the slices, and requests per second",
                2,
                List.of("cell", "contender", "p50", "p99", "p99.9", "requests/s"));
        return fill(
                table,
                report,
                cells,
                (cell, result) -> result.runs() == 0
                        ? null
                        : List.of(
                                cell.cell(),
                                result.contender(),
                                ReportFormats.of(result.median(Metric.P50_US)),
                                ReportFormats.of(result.median(Metric.P99_US)),
                                ReportFormats.of(result.median(Metric.P999_US)),
                                ReportFormats.of(result.median(Metric.REQUESTS_PER_SECOND))));
    }

    private static HtmlTable providers(BenchReport report) {
        HtmlTable table = new HtmlTable(
                "Requests per second and latency in µs, medians of the slices; fast: requests that did not block",
                2,
                List.of("cell", "contender", "requests/s", "fast p50", "fast p99", "fast p99.9", "all p99", "CPU µs"));
        return fill(
                table,
                report,
                info -> info.id().startsWith(HTTP_SERVER),
                (cell, result) -> result.runs() == 0
                        ? null
                        : List.of(
                                cell.cell(),
                                result.contender(),
                                ReportFormats.of(result.median(Metric.REQUESTS_PER_SECOND)),
                                ReportFormats.of(result.median(Metric.FAST_P50_US)),
                                ReportFormats.of(result.median(Metric.FAST_P99_US)),
                                ReportFormats.of(result.median(Metric.FAST_P999_US)),
                                ReportFormats.of(result.median(Metric.P99_US)),
                                ReportFormats.of(1e6 / result.median(Metric.REQUESTS_PER_CPU_SECOND))));
    }

    private static HtmlTable lost(BenchReport report) {
        HtmlTable table = new HtmlTable(
                "Datagrams at a fixed rate, all slices together",
                2,
                List.of(
                        "cell",
                        "contender",
                        "sent",
                        "lost",
                        "lost %",
                        "slices without loss, %",
                        "reordered",
                        "duplicated",
                        "lost by the load itself"));
        return fill(table, report, info -> info.ratePerSecond() > 0, (cell, result) -> {
            DatagramCounts datagrams = result.datagrams();
            return datagrams == null
                    ? null
                    : List.of(
                            cell.cell(),
                            result.contender(),
                            ReportFormats.of((double) datagrams.sent()),
                            ReportFormats.of((double) datagrams.lost()),
                            ReportFormats.of(datagrams.lostPercent()),
                            ReportFormats.of(result.losslessPercent()),
                            ReportFormats.of((double) datagrams.reordered()),
                            ReportFormats.of((double) datagrams.duplicated()),
                            ReportFormats.of((double) datagrams.loadDrops()));
        });
    }

    private static HtmlTable noise(BenchReport report) {
        HtmlTable table = new HtmlTable(
                "The baseline against itself, ratio with its interval",
                1,
                List.of("cell", "requests/s", "requests per CPU second", "p50", "p99", "p99.9", "pairs"));
        for (CellResult cell : report.cells()) {
            Interval requests = cell.noiseFloor().get(Metric.REQUESTS_PER_SECOND);
            if (requests != null && requests.known()) {
                table.row(List.of(
                        cell.cell(),
                        ratio(cell, Metric.REQUESTS_PER_SECOND),
                        ratio(cell, Metric.REQUESTS_PER_CPU_SECOND),
                        ratio(cell, Metric.P50_US),
                        ratio(cell, Metric.P99_US),
                        ratio(cell, Metric.P999_US),
                        Integer.toString(requests.pairs())));
            }
        }
        return table;
    }

    private static String ratio(CellResult cell, Metric metric) {
        Interval interval = cell.noiseFloor().get(metric);
        return interval == null ? ReportFormats.NOTHING : ReportFormats.interval(interval);
    }

    /** A row for each contender of each cell of which {@code row} makes one, without the baseline's second run. */
    private static HtmlTable fill(
            HtmlTable table,
            BenchReport report,
            Predicate<CellInfo> cells,
            BiFunction<CellResult, ContenderResult, List<String>> row) {
        for (CellResult cell : report.cells()) {
            if (report.cellInfo(cell.cell()).filter(cells).isPresent()) {
                for (ContenderResult result : cell.contenders()) {
                    boolean noise = result.contender().equals(report.control());
                    List<String> texts = noise ? null : row.apply(cell, result);
                    if (texts != null) {
                        table.row(texts);
                    }
                }
            }
        }
        return table;
    }
}
