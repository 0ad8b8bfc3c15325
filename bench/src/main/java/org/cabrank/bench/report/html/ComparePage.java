package org.cabrank.bench.report.html;

import java.io.IOException;
import java.nio.file.Path;
import java.util.List;
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
        String title = "Cabrank bench, before and after";
        String body = "<header><div><p class=\"brand\">Cabrank bench</p><h1>Before and after</h1><p class=\"meta\">"
                + Html.text(both.before().startedAt()) + " before, "
                + Html.text(both.after().startedAt())
                + " after</p></div><button id=\"theme\" type=\"button\" class=\"tool\">Theme: auto</button></header>\n"
                + "<section id=\"conclusion\" class=\"card\"><h2>" + Html.text(ChangesTable.conclusion(both))
                + "</h2><p class=\"hint\">A difference counts when its 99 % interval leaves out 1 and when it exceeds what the"
                + " baseline differs from itself in both reports (the shaded band). Ratios to the baseline are compared, except"
                + " the baseline itself (*).</p></section>\n" + differences(both.differences()) + changes(both);
        return HtmlReport.page(title, body, null);
    }

    private static String differences(List<String> differences) {
        if (differences.isEmpty()) {
            return "";
        }
        StringBuilder html =
                new StringBuilder("<section id=\"differences\" class=\"card\"><h2>In what else they differ</h2><ul>");
        differences.forEach(line -> html.append("<li>").append(Html.text(line)).append("</li>"));
        return html.append("</ul></section>\n").toString();
    }

    private static String changes(BeforeAfter both) {
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
        return "<section id=\"changes\" class=\"card\"><h2>Every cell</h2><p class=\"lead\">After in terms of before, on a"
                + " logarithmic scale " + forest.scale() + ".</p>" + table.render() + "</section>\n";
    }

    private static Interval noise(Change change) {
        double far = Math.max(change.noiseBefore(), change.noiseAfter());
        return new Interval(1, 1 / far, far, change.factor().level(), 0, "");
    }
}
