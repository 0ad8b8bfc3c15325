package org.cabrank.bench.report.html;

import java.io.IOException;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import org.cabrank.bench.report.compare.BeforeAfter;
import org.cabrank.bench.report.compare.Change;
import org.cabrank.bench.report.compare.ChangesTable;
import org.cabrank.bench.report.statistics.Interval;
import org.cabrank.bench.report.summary.ReportFormats;

/** Two reports as a page: what has changed, with its intervals. */
public final class ComparePage {

    private ComparePage() {}

    public static void write(BeforeAfter both, Path file) throws IOException {
        HtmlReport.writePage(render(both), file);
    }

    /** The page. */
    public static String render(BeforeAfter both) {
        HtmlTable table = new HtmlTable(
                "Before and after",
                3,
                List.of("cell", "contender", "measure", "before", "after", "change", "", "verdict", "noise floors"));
        Forest forest = Forest.of(both.changes().stream()
                .filter(Change::relative)
                .map(Change::factor)
                .toList());
        for (Change change : both.changes()) {
            if (ChangesTable.shown(change, both)) {
                String tone = Summary.tone(change.verdict());
                table.rawRow(List.of(
                        Html.text(change.cell()),
                        Html.text(change.contender()),
                        Html.text(change.metric().label()),
                        ReportFormats.of(change.before()),
                        ReportFormats.of(change.after()),
                        ReportFormats.interval(change.factor()) + (change.relative() ? "" : "*"),
                        "<span class=\"wide\">" + forest.bar(change.factor(), noise(change), tone) + "</span>",
                        "<span class=\"verdict " + tone + "\">" + ChangesTable.words(change) + "</span>",
                        ReportFormats.percentOff(change.noiseBefore()) + ", "
                                + ReportFormats.percentOff(change.noiseAfter())));
            }
        }
        return HtmlReport.page(
                "Cabrank bench, before and after",
                Template.named("compare.html")
                        .fill(Map.of(
                                "before", both.before().startedAt(),
                                "after", both.after().startedAt(),
                                "conclusion", ChangesTable.conclusion(both),
                                "differ", !both.differences().isEmpty(),
                                "differences", both.differences(),
                                "scale", forest.scale(),
                                "table", table.render())),
                null);
    }

    private static Interval noise(Change change) {
        double far = Math.max(change.noiseBefore(), change.noiseAfter());
        return new Interval(1, 1 / far, far, change.factor().level(), 0, "");
    }
}
