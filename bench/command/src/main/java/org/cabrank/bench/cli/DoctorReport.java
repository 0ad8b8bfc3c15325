package org.cabrank.bench.cli;

import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import org.cabrank.bench.text.Colours;
import org.cabrank.pinning.doctor.Finding;
import org.cabrank.pinning.doctor.Severity;

/** @param findings the gravest first */
public record DoctorReport(List<Finding> findings) {
    private static final int FORMAT = 1;

    /** @param format grows when the meaning of a field changes */
    public record Json(int format, List<JsonFinding> findings) {}

    /** @param severity problem, warning, note, unknown or ok */
    public record JsonFinding(
            String id, String severity, String subject, String finding, String effect, String remedy) {}

    public DoctorReport {
        findings = List.copyOf(findings);
    }

    public Json json() {
        return new Json(
                FORMAT,
                findings.stream()
                        .map(finding -> new JsonFinding(
                                finding.id(),
                                finding.severity().word(),
                                finding.subject(),
                                finding.finding(),
                                finding.effect(),
                                finding.remedy()))
                        .toList());
    }

    public boolean hasWarnings() {
        return findings.stream().anyMatch(finding -> finding.severity().compareTo(Severity.WARNING) <= 0);
    }

    /** Returns a paragraph for each finding, followed by the number of findings of each severity. */
    public String text(Colours colours) {
        StringBuilder text = new StringBuilder();
        for (Finding finding : findings) {
            text.append(label(finding.severity(), colours)).append("  ").append(finding.subject());
            text.append(": ").append(finding.finding()).append('\n');
            append(text, "effect", finding.effect());
            append(text, "remedy", finding.remedy());
        }
        List<String> counts = new ArrayList<>();
        for (Severity severity : Severity.values()) {
            long count = findings.stream()
                    .filter(finding -> finding.severity() == severity)
                    .count();
            if (count > 0) {
                counts.add(count + " " + severity.word()
                        + (count > 1 && severity.compareTo(Severity.UNKNOWN) < 0 ? "s" : ""));
            }
        }
        return text.append('\n').append(String.join(", ", counts)).append('\n').toString();
    }

    private static void append(StringBuilder text, String name, String words) {
        if (!words.isEmpty()) {
            text.append("         ").append(name).append(": ").append(words).append('\n');
        }
    }

    private static String label(Severity severity, Colours colours) {
        String label = String.format(Locale.ROOT, "%-7s", severity.word());
        return switch (severity) {
            case PROBLEM -> colours.alarm(label);
            case WARNING -> colours.caution(label);
            case NOTE, UNKNOWN -> colours.strong(label);
            case OK -> colours.calm(label);
        };
    }
}
