package org.cabrank.bench.report.compare;

import java.util.List;
import java.util.Locale;
import java.util.stream.Collectors;
import org.cabrank.bench.report.ContenderKind;
import org.cabrank.bench.report.Metric;
import org.cabrank.bench.report.Table;
import org.cabrank.bench.report.statistics.Verdict;
import org.cabrank.bench.report.summary.ReportFormats;

/** Printed output of {@code cabrank bench --compare}. */
public final class ChangesTable {

    private ChangesTable() {}

    public static String render(BeforeAfter both) {
        StringBuilder text = new StringBuilder();
        both.differences().forEach(line -> text.append(line).append('\n'));
        if (!both.differences().isEmpty()) {
            text.append('\n');
        }
        Table table =
                new Table(List.of("cell, contender", "measure", "before", "after", "change", "interval", "verdict"));
        for (Change change : both.changes()) {
            if (shown(change, both)) {
                table.add(List.of(
                        change.cell() + " " + change.contender(),
                        change.metric().label(),
                        ReportFormats.of(change.before()),
                        ReportFormats.of(change.after()),
                        ReportFormats.ratio(change.factor().median()) + (change.relative() ? "" : "*"),
                        ReportFormats.range(change.factor()),
                        change.verdict().word()));
            }
        }
        return text.append(table.render())
                .append(notes(both))
                .append(conclusion(both))
                .append('\n')
                .toString();
    }

    private static boolean shown(Change change, BeforeAfter both) {
        boolean headline = both.after()
                .cellInfo(change.cell())
                .filter(cell -> Metric.headline(cell) == change.metric())
                .isPresent();
        return headline || change.verdict().differs();
    }

    private static String notes(BeforeAfter both) {
        return String.format(
                Locale.ROOT,
                "change: after in terms of before, of the ratios to %s in the same round and slice (*: as measured).%n"
                        + "interval: %.0f %%, of Welch's t over the rounds of both. A difference also has to exceed the"
                        + " noise of both runs.%n",
                both.after().baseline(),
                BeforeAfter.LEVEL * 100);
    }

    private static String conclusion(BeforeAfter both) {
        List<Change> own = both.changes().stream()
                .filter(change -> change.kind() == ContenderKind.CABRANK)
                .toList();
        List<Change> worse = both.regressions();
        long better = count(own, Verdict.BETTER);
        long untold = count(own, Verdict.CANNOT_TELL) + count(own, Verdict.TOO_FEW_PAIRS);
        String answer = worse.isEmpty()
                ? "Cabrank did not become slower"
                : "Cabrank became slower: "
                        + worse.stream()
                                .map(change ->
                                        change.metric().label() + " of " + change.contender() + " in " + change.cell())
                                .collect(Collectors.joining("; "));
        return answer + " (" + worse.size() + " worse, " + better + " better of " + own.size() + " comparisons)."
                + (untold == 0
                        ? ""
                        : " " + untold + " of them cannot tell a difference of 5 %: measure both runs on a machine that"
                                + " does nothing else, with more --run-time.");
    }

    private static long count(List<Change> changes, Verdict verdict) {
        return changes.stream().filter(change -> change.verdict() == verdict).count();
    }
}
