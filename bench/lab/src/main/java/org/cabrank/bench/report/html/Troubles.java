package org.cabrank.bench.report.html;

import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.stream.Collectors;
import org.cabrank.bench.report.BenchReport;
import org.cabrank.bench.report.RunRecord;
import org.cabrank.bench.report.summary.Caution;

final class Troubles {

    private Troubles() {}

    static Map<String, Object> values(BenchReport report) {
        return Map.of(
                "failures",
                failures(report),
                "troubles",
                Caution.of(report).stream()
                        .map(caution -> trouble(caution.title(), caution.lines()))
                        .toList());
    }

    private static Map<String, Object> trouble(String title, List<String> lines) {
        return Map.of("title", title, "count", lines.size(), "few", lines.size() <= 5, "lines", lines);
    }

    /** Runs that failed in the same way share an entry. */
    private static List<Map<String, Object>> failures(BenchReport report) {
        Map<List<String>, List<RunRecord>> ways = report.runs().stream()
                .filter(RunRecord::failed)
                .collect(Collectors.groupingBy(
                        run -> List.of(run.contender(), run.failure()), LinkedHashMap::new, Collectors.toList()));
        return ways.values().stream().map(Troubles::failure).toList();
    }

    private static Map<String, Object> failure(List<RunRecord> runs) {
        RunRecord first = runs.get(0);
        String where = runs.stream().map(RunRecord::cell).distinct().collect(Collectors.joining(", "));
        return Map.of(
                "count", runs.size() + (runs.size() == 1 ? " run" : " runs"),
                "contender", first.contender(),
                "failure", first.failure(),
                "where", where.isEmpty() ? "round " + first.round() : where,
                "log",
                        runs.stream()
                                .map(RunRecord::log)
                                .filter(log -> !log.isBlank())
                                .findFirst()
                                .orElse(""));
    }
}
