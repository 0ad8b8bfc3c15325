package org.cabrank.bench.report.summary;

import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import org.cabrank.bench.report.BenchReport;
import org.cabrank.bench.report.ScenarioInfo;
import org.cabrank.bench.report.statistics.Verdict;

/** Result of one scenario, for the summary of a report. */
public record Headline(ScenarioInfo scenario, List<Duel> duels) {

    /** Returns a headline for each scenario that has both Cabrank and a Java peer. */
    public static List<Headline> of(BenchReport report) {
        return report.scenarios().stream()
                .map(scenario -> new Headline(
                        scenario,
                        scenario.cells().stream()
                                .map(cell -> Duel.in(cell, report))
                                .flatMap(Optional::stream)
                                .toList()))
                .filter(headline -> !headline.duels().isEmpty())
                .toList();
    }

    public String text() {
        if (duels.size() == 1) {
            return duels.get(0).text();
        }
        return "Cabrank: " + counts(duels) + ".";
    }

    /** Returns a text such as {@code better in 2 cells, worse in 1 of 3}. */
    private static String counts(List<Duel> duels) {
        List<String> parts = new ArrayList<>();
        for (Verdict verdict : Verdict.values()) {
            long count = count(duels, verdict);
            if (count > 0) {
                parts.add(verdict.word() + " in " + count + (parts.isEmpty() ? count == 1 ? " cell" : " cells" : ""));
            }
        }
        return String.join(", ", parts) + " of " + duels.size();
    }

    public long count(Verdict verdict) {
        return count(duels, verdict);
    }

    private static long count(List<Duel> duels, Verdict verdict) {
        return duels.stream().filter(duel -> duel.verdict() == verdict).count();
    }
}
