package org.cabrank.bench.report.html;

import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import org.cabrank.bench.report.BenchReport;
import org.cabrank.bench.report.CellResult;
import org.cabrank.bench.report.ContenderResult;
import org.cabrank.bench.report.ContenderResult.OutlierRun;
import org.cabrank.bench.report.RunRecord;

/** Problems of a run: failed runs with their logs, contenders left out, outliers, a generator at its limit. */
final class Troubles {

    private Troubles() {}

    static String render(BenchReport report) {
        String failures = failures(report);
        String others = list("Left out", leftOut(report.leftOut()))
                + list("The load generator was the limit", limited(report))
                + list("Still compiling while measured", compiling(report))
                + list("Runs far from the others; they count like any other", outliers(report));
        return "<section id=\"troubles\" class=\"card\"><h2>What did not go well</h2>\n"
                + (failures.isEmpty() ? "<p class=\"lead\">No run failed.</p>\n" : failures) + others + "</section>\n";
    }

    /** A contender that fails does so in the same way many times: one entry for each way. */
    private static String failures(BenchReport report) {
        Map<List<String>, List<RunRecord>> ways = new LinkedHashMap<>();
        for (RunRecord run : report.runs()) {
            if (run.failed()) {
                ways.computeIfAbsent(List.of(run.contender(), run.failure()), key -> new ArrayList<>())
                        .add(run);
            }
        }
        StringBuilder html = new StringBuilder();
        ways.forEach((way, runs) -> {
            String where = String.join(
                    ", ", runs.stream().map(RunRecord::cell).distinct().toList());
            html.append("<details><summary><span class=\"badge worse\">")
                    .append(runs.size())
                    .append(runs.size() == 1 ? " run" : " runs")
                    .append(" failed</span> <b>")
                    .append(Html.text(way.get(0)))
                    .append("</b>: ")
                    .append(Html.text(way.get(1)))
                    .append("</summary><p class=\"hint\">In ")
                    .append(Html.text(where.isEmpty() ? "round " + runs.get(0).round() : where))
                    .append("</p>");
            runs.stream()
                    .map(RunRecord::log)
                    .filter(log -> !log.isBlank())
                    .findFirst()
                    .ifPresentOrElse(
                            log -> html.append("<pre tabindex=\"0\">")
                                    .append(Html.text(log))
                                    .append("</pre>"),
                            () -> html.append("<p class=\"hint\">It wrote nothing to its log.</p>"));
            html.append("</details>\n");
        });
        return html.toString();
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

    private static List<String> outliers(BenchReport report) {
        List<String> lines = new ArrayList<>();
        for (CellResult cell : report.cells()) {
            for (ContenderResult result : cell.contenders()) {
                for (OutlierRun run : result.outlierRuns()) {
                    lines.add(String.format(
                            Locale.ROOT,
                            "%s, %s, round %d, slice %d: %.2f of its median",
                            cell.cell(),
                            result.contender(),
                            run.round(),
                            run.slice(),
                            run.ofMedian()));
                }
            }
        }
        return lines;
    }

    private static String list(String title, List<String> lines) {
        if (lines.isEmpty()) {
            return "";
        }
        StringBuilder html = new StringBuilder("<details" + (lines.size() <= 5 ? " open" : "") + "><summary>" + title
                + " (" + lines.size() + ")</summary><ul>");
        lines.forEach(line -> html.append("<li>").append(Html.text(line)).append("</li>"));
        return html.append("</ul></details>\n").toString();
    }
}
