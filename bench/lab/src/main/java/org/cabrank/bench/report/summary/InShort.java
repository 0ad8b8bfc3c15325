package org.cabrank.bench.report.summary;

import org.cabrank.bench.report.BenchReport;
import org.cabrank.bench.report.Target;

/** The summary of the page, for the terminal. */
public final class InShort {

    private InShort() {}

    /** A line for each scenario, and for each target for which something was measured. */
    public static String of(BenchReport report) {
        StringBuilder lines = new StringBuilder();
        contests(lines, report);
        targets(lines, report);
        return lines.toString();
    }

    private static void contests(StringBuilder lines, BenchReport report) {
        lines.append("In short (the best of Cabrank's modes against the best Java peer):\n");
        for (Headline headline : Headline.of(report)) {
            lines.append("  ")
                    .append(headline.scenario().name())
                    .append(": ")
                    .append(headline.words())
                    .append('\n');
        }
        CostSentence.of(report)
                .ifPresent(words -> lines.append("  ").append(words).append('\n'));
        lines.append("  ").append(NoiseFloor.of(report).words()).append('\n');
        if (report.precision() != null) {
            lines.append("  ").append(report.precision().words()).append('\n');
        }
    }

    private static void targets(StringBuilder lines, BenchReport report) {
        for (Target target : report.targets()) {
            if (target.outcome() != Target.Outcome.NOT_MEASURED) {
                lines.append("  ")
                        .append(word(target.outcome()))
                        .append(": ")
                        .append(target.bar())
                        .append(" (")
                        .append(target.words())
                        .append(")\n");
            }
        }
    }

    private static String word(Target.Outcome outcome) {
        return switch (outcome) {
            case REACHED -> "reached";
            case MISSED -> "missed";
            case CANNOT_TELL -> "cannot tell";
            case NOT_MEASURED -> "not measured";
        };
    }
}
