package org.cabrank.bench.report.html;

import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.cabrank.bench.report.BenchReport;
import org.cabrank.bench.report.CellResult;
import org.cabrank.bench.report.ContenderResult;
import org.cabrank.bench.report.RunRecord;

/** Problems of a run: failed runs with their logs, contenders left out, outliers, a generator at its limit. */
final class Troubles {

    private Troubles() {}

    static Map<String, Object> values(BenchReport report) {
        return Map.of(
                "failures",
                failures(report),
                "troubles",
                Stream.of(
                                trouble("Left out", leftOut(report.leftOut())),
                                trouble("The load generator was the bottleneck", limited(report)),
                                trouble("Still compiling while measured", compiling(report)))
                        .filter(trouble -> !trouble.get("count").equals(0))
                        .toList());
    }

    private static Map<String, Object> trouble(String title, List<String> lines) {
        return Map.of("title", title, "count", lines.size(), "few", lines.size() <= 5, "lines", lines);
    }

    /** A contender fails repeatedly in the same way, so there is one entry for each way. */
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

    private static List<String> leftOut(Map<String, String> reasons) {
        List<String> lines = new ArrayList<>();
        reasons.forEach((who, why) -> lines.add(who + ": " + why));
        return lines;
    }

    private static List<String> limited(BenchReport report) {
        List<String> lines = new ArrayList<>();
        for (CellResult cell : report.cells()) {
            for (ContenderResult result : cell.contenders()) {
                if (result.generatorLimited() != null) {
                    lines.add(cell.cell() + ", " + result.contender() + ": " + result.generatorLimited());
                }
            }
        }
        return lines;
    }

    private static List<String> compiling(BenchReport report) {
        List<String> lines = new ArrayList<>();
        for (CellResult cell : report.cells()) {
            for (ContenderResult result : cell.contenders()) {
                if (result.compiling()) {
                    lines.add(String.format(
                            Locale.ROOT,
                            "%s, %s: %.0f %% of its CPU time",
                            cell.cell(),
                            result.contender(),
                            result.compilerShare() * 100));
                }
            }
        }
        return lines;
    }
}
