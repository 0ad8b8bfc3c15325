package org.cabrank.bench.report.summary;

import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.function.Function;
import java.util.stream.Stream;
import org.cabrank.bench.report.BenchReport;
import org.cabrank.bench.report.CellResult;
import org.cabrank.bench.report.ContenderResult;

/** A reason to read figures with care. {@code lines} are the affected contenders and cells. */
public record Caution(String title, List<String> lines) {

    public static List<Caution> of(BenchReport report) {
        return Stream.of(
                        new Caution("Left out", leftOut(report.leftOut())),
                        new Caution(
                                "The load generator may have been the bottleneck",
                                lines(report, ContenderResult::generatorLimited)),
                        new Caution("Still compiling while measured", lines(report, Caution::compiling)))
                .filter(caution -> !caution.lines.isEmpty())
                .toList();
    }

    public static List<String> leftOut(Map<String, String> reasons) {
        return reasons.entrySet().stream()
                .map(entry -> entry.getKey() + ": " + entry.getValue())
                .toList();
    }

    private static List<String> lines(BenchReport report, Function<ContenderResult, String> reason) {
        List<String> lines = new ArrayList<>();
        for (CellResult cell : report.cells()) {
            for (ContenderResult result : cell.contenders()) {
                String words = reason.apply(result);
                if (words != null) {
                    lines.add(cell.cell() + ", " + result.contender() + ": " + words);
                }
            }
        }
        return lines;
    }

    private static String compiling(ContenderResult result) {
        return result.compiling()
                ? String.format(Locale.ROOT, "%.0f %% of its CPU time", result.compilerShare() * 100)
                : null;
    }
}
