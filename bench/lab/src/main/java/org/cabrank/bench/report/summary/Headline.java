package org.cabrank.bench.report.summary;

import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import org.cabrank.bench.report.BenchReport;
import org.cabrank.bench.report.ScenarioInfo;
import org.cabrank.bench.report.statistics.Verdict;

/** Result of one scenario, for the summary of a report. */
public record Headline(ScenarioInfo scenario, List<Duel> duels) {

    /** One for each scenario in which Cabrank and a Java peer have been measured side by side. */
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

    /** One or two sentences. */
    public String words() {
        if (duels.size() == 1) {
            return duels.get(0).words();
        }
        List<String> parts = new ArrayList<>();
        add(parts, Verdict.BETTER, "Cabrank is ahead in ");
        add(parts, Verdict.WORSE, "behind in ");
        add(parts, Verdict.NO_DIFFERENCE_SEEN, "no difference seen in ");
        add(parts, Verdict.TOO_FEW_PAIRS, "too few pairs to tell in ");
        String sentence = String.join(", ", parts) + " of " + duels.size() + ".";
        return Character.toUpperCase(sentence.charAt(0)) + sentence.substring(1);
    }

    private void add(List<String> parts, Verdict verdict, String words) {
        long count = count(verdict);
        if (count > 0) {
            parts.add(words + (parts.isEmpty() ? count + (count == 1 ? " cell" : " cells") : Long.toString(count)));
        }
    }

    public long count(Verdict verdict) {
        return duels.stream().filter(duel -> duel.verdict() == verdict).count();
    }
}
