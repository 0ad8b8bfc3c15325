package org.cabrank.bench.report.summary;

import org.cabrank.bench.report.BenchReport;

/** The summary of the page, for the terminal. */
public final class InShort {

    private InShort() {}

    /** A line for each scenario, and what the run cost and could tell. */
    public static String of(BenchReport report) {
        StringBuilder lines = new StringBuilder();
        BackendSentences.of(report).forEach(words -> lines.append(words).append('\n'));
        lines.append("The best of Cabrank's modes against the best other Java server:\n");
        for (Headline headline : Headline.of(report)) {
            lines.append("  ")
                    .append(headline.scenario().name())
                    .append(": ")
                    .append(headline.text())
                    .append('\n');
        }
        CostSentence.of(report)
                .ifPresent(words -> lines.append("  ").append(words).append('\n'));
        lines.append("  ").append(NoiseFloor.of(report).text()).append('\n');
        Duel.imprecise(Headline.of(report).stream()
                        .flatMap(headline -> headline.duels().stream())
                        .toList())
                .ifPresent(words -> lines.append("  ").append(words).append('\n'));
        return lines.toString();
    }
}
