package org.cabrank.bench.report.compare;

import java.util.List;
import java.util.Locale;
import org.cabrank.bench.report.ContenderKind;
import org.cabrank.bench.report.Metric;
import org.cabrank.bench.report.Table;
import org.cabrank.bench.report.statistics.Verdict;
import org.cabrank.bench.report.summary.ReportFormats;

/** Printed output of {@code cabrank bench --compare}. */
public final class ChangesTable {

    private ChangesTable() {}

    /** The table, what differs besides, and a last line with the verdict. */
    public static String render(BeforeAfter both) {
        StringBuilder text = new StringBuilder();
        both.differences().forEach(line -> text.append(line).append('\n'));
        if (!both.differences().isEmpty()) {
            text.append('\n');
        }
        Table table = new Table(List.of(
                "cell, contender", "measure", "before", "after", "change", "interval", "noise floors", "verdict"));
        for (Change change : both.changes()) {
            if (shown(change, both)) {
                table.add(List.of(
                        change.cell() + " " + change.contender(),
                        change.metric().label(),
                        ReportFormats.of(change.before()),
                        ReportFormats.of(change.after()),
                        ReportFormats.ratio(change.factor().median()) + (change.relative() ? "" : "*"),
                        ReportFormats.range(change.factor()),
                        ReportFormats.percentOff(change.noiseBefore()) + ", "
                                + ReportFormats.percentOff(change.noiseAfter()),
                        text(change)));
            }
        }
        return text.append(table.render())
                .append(notes(both))
                .append(conclusion(both))
                .append('\n')
                .toString();
    }

    /**
     * Returns true if the change is printed: the cell's headline metric always, other metrics if they became better or
     * worse.
     */
    private static boolean shown(Change change, BeforeAfter both) {
        boolean headline = both.after()
                .cellInfo(change.cell())
                .filter(cell -> Metric.headline(cell) == change.metric())
                .isPresent();
        return headline || change.verdict() == Verdict.BETTER || change.verdict() == Verdict.WORSE;
    }

    private static String text(Change change) {
        return switch (change.verdict()) {
            case BETTER -> "better";
            case WORSE -> "worse";
            case NO_DIFFERENCE_SEEN -> "no difference seen";
            case TOO_FEW_PAIRS -> "too few rounds to tell";
        };
    }

    private static String notes(BeforeAfter both) {
        return String.format(
                Locale.ROOT,
                "change: after in terms of before, of the ratios to %s in the same round and slice (*: as measured).%n"
                        + "interval: %.0f %%, of %s. A difference also has to exceed both noise floors.%n",
                both.after().baseline(),
                BeforeAfter.LEVEL * 100,
                "Welch's t over the rounds of both");
    }

    private static String conclusion(BeforeAfter both) {
        long worse = both.regressions().size();
        long better = both.changes().stream()
                .filter(change -> change.verdict() == Verdict.BETTER && change.kind() == ContenderKind.CABRANK)
                .count();
        if (worse == 0 && better == 0) {
            return "Cabrank: no difference seen.";
        }
        return "Cabrank: better in " + better + ", worse in " + worse + " of "
                + both.changes().stream()
                        .filter(change -> change.kind() == ContenderKind.CABRANK)
                        .count()
                + " comparisons.";
    }
}
