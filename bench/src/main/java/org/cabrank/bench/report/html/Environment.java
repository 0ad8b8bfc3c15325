package org.cabrank.bench.report.html;

import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.StringJoiner;
import org.cabrank.bench.report.BenchReport;
import org.cabrank.bench.report.BenchReport.ContenderInfo;
import org.cabrank.bench.report.RunRecord;
import org.cabrank.bench.report.summary.ReportFormats;

/** On what this was measured, what was tuned, and how to measure it again. */
final class Environment {

    private Environment() {}

    static String render(BenchReport report) {
        return environment(report) + tuning(report) + again(report);
    }

    private static String environment(BenchReport report) {
        BenchReport.Machine machine = report.machine();
        BenchReport.Settings settings = report.settings();
        StringBuilder html =
                new StringBuilder("<section id=\"environment\" class=\"card\"><h2>Where and how</h2>\n<dl>\n");
        entry(html, "CPU", machine.cpuModel() + ", online " + machine.cpusOnline());
        entry(html, "Memory", String.format(Locale.ROOT, "%.1f GiB", machine.memoryKb() / 1048576.0));
        entry(html, "Kernel", "Linux " + machine.kernelRelease() + ", " + machine.architecture());
        entry(html, "JVM", report.jvm().version() + ", " + report.jvm().vendor());
        entry(html, "JVM flags", String.join(" ", report.jvm().flags()));
        for (Map.Entry<String, String> version : report.versions().entrySet()) {
            entry(html, version.getKey(), version.getValue());
        }
        entry(html, "CPUs of servers", report.cpus().server());
        entry(html, "CPUs of the load", report.cpus().load());
        entry(html, "Pinning", report.cpus().explanation());
        entry(
                html,
                "Measured",
                settings.rounds() + " rounds with fresh processes, " + settings.slices() + " slices of "
                        + ReportFormats.time(settings.durationNs()) + " in each cell, after "
                        + ReportFormats.time(settings.warmupNs())
                        + " of load");
        html.append("</dl>\n");
        if (!report.notes().isEmpty()) {
            html.append("<ul>");
            report.notes()
                    .forEach(note -> html.append("<li>").append(Html.text(note)).append("</li>"));
            html.append("</ul>\n");
        }
        return html.append("</section>\n").toString();
    }

    private static void entry(StringBuilder html, String name, String value) {
        if (!value.isBlank()) {
            html.append("<dt>")
                    .append(Html.text(name))
                    .append("</dt><dd>")
                    .append(Html.text(value))
                    .append("</dd>\n");
        }
    }

    private static String tuning(BenchReport report) {
        HtmlTable table = new HtmlTable(
                "What was set for each contender", 4, List.of("contender", "tuned", "JVM flags on top", "ran on"));
        for (ContenderInfo info : report.contenders()) {
            String ranOn = report.runs().stream()
                    .filter(run -> run.contender().equals(info.name()) && !run.failed())
                    .map(RunRecord::details)
                    .findFirst()
                    .orElse(ReportFormats.NOTHING);
            table.row(List.of(info.name(), String.join("; ", info.tuning()), String.join(" ", info.jvmFlags()), ranOn));
        }
        return "<section id=\"tuning\" class=\"card\"><h2>What was tuned</h2><p class=\"lead\">All serve the same protocol with"
                + " the same socket options, and are set as their own documentation advises.</p>\n"
                + "<details><summary>Each contender's settings</summary>" + table.render() + "</details></section>\n";
    }

    private static String again(BenchReport report) {
        StringJoiner command = new StringJoiner(" ", "scripts/cabrank ", "");
        report.arguments().forEach(argument -> command.add(quoted(argument)));
        return "<section id=\"again\" class=\"card\"><h2>Measure it yourself</h2><pre tabindex=\"0\">"
                + Html.text(command.toString())
                + "</pre><p class=\"hint\">The JSON file of a run holds every figure of this page: <code>scripts/cabrank report"
                + " html FILE</code> makes the page of it, and <code>scripts/cabrank report compare BEFORE AFTER</code> compares"
                + " two. Ratios are medians of pairs from the same round and slice; their intervals come from order statistics"
                + " and assume no distribution. Runs far from the others are shown and never dropped.</p></section>\n"
                + "<footer>Charts by Chart.js " + Html.text(Asset.libraryVersion())
                + ", under the MIT licence, whose text stands in this file.</footer>\n";
    }

    /** An argument quoted for a shell. */
    private static String quoted(String argument) {
        return argument.matches("[A-Za-z0-9_./:=,@%+-]+") ? argument : "'" + argument.replace("'", "'\\''") + "'";
    }
}
