package org.cabrank.bench.report.summary;

import java.util.ArrayList;
import java.util.List;
import org.cabrank.bench.report.BenchReport;
import org.cabrank.bench.report.RunRecord;

/** Formats the summary of the page as text for the terminal. */
public final class InShort {

    private InShort() {}

    public static String of(BenchReport report) {
        StringBuilder lines = new StringBuilder();
        BackendSentences.of(report).forEach(words -> lines.append(words).append('\n'));
        lines.append("The best of Cabrank's modes against the best other Java server:\n");
        List<Headline> headlines = Headline.of(report);
        for (Headline headline : headlines) {
            lines.append("  ")
                    .append(headline.scenario().name())
                    .append(": ")
                    .append(headline.text())
                    .append('\n');
        }
        facts(report, headlines)
                .forEach(words -> lines.append("  ").append(words).append('\n'));
        return lines.toString();
    }

    public static List<String> facts(BenchReport report, List<Headline> headlines) {
        List<String> facts = new ArrayList<>();
        long failed = report.runs().stream().filter(RunRecord::failed).count();
        if (failed > 0) {
            facts.add(failed + " of " + report.runs().size() + " measurements failed.");
        }
        CostSentence.of(report).ifPresent(facts::add);
        facts.add(NoiseFloor.of(report).text());
        Duel.remedy(headlines.stream()
                        .flatMap(headline -> headline.duels().stream())
                        .toList())
                .ifPresent(facts::add);
        return facts;
    }
}
