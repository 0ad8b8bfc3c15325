package org.cabrank.bench.report.html;

import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.StringJoiner;
import org.cabrank.bench.report.BenchReport;
import org.cabrank.bench.report.BenchReport.ContenderInfo;
import org.cabrank.bench.report.RunRecord;
import org.cabrank.bench.report.summary.ReportFormats;

final class Environment {

    private Environment() {}

    static Map<String, Object> values(BenchReport report) {
        StringJoiner command = new StringJoiner(" ", "scripts/cabrank ", "");
        report.arguments().forEach(argument -> command.add(quoted(argument)));
        return Map.of(
                "environment",
                entries(report),
                "noted",
                !report.notes().isEmpty(),
                "notes",
                report.notes(),
                "tuning",
                tuning(report),
                "command",
                command.toString());
    }

    private static List<Map<String, String>> entries(BenchReport report) {
        BenchReport.Machine machine = report.machine();
        BenchReport.Settings settings = report.settings();
        Map<String, String> entries = new LinkedHashMap<>();
        entries.put("CPU", machine.cpuModel() + ", online " + machine.cpusOnline());
        entries.put("Memory", String.format(Locale.ROOT, "%.1f GiB", machine.memoryKb() / 1048576.0));
        entries.put("Kernel", "Linux " + machine.kernelRelease() + ", " + machine.architecture());
        entries.put("JVM", report.jvm().version() + ", " + report.jvm().vendor());
        entries.put("JVM flags", String.join(" ", report.jvm().flags()));
        entries.putAll(report.versions());
        entries.put("CPUs of servers", report.cpus().server());
        entries.put("CPUs of the load", report.cpus().load());
        entries.put("Pinning", report.cpus().explanation());
        entries.put(
                "Measured",
                settings.rounds() + " rounds with fresh processes, " + settings.slices() + " slices of "
                        + ReportFormats.time(settings.durationNs()) + " in each cell, after "
                        + ReportFormats.time(settings.warmupNs()) + " of load");
        return entries.entrySet().stream()
                .filter(entry -> !entry.getValue().isBlank())
                .map(entry -> Map.of("name", entry.getKey(), "value", entry.getValue()))
                .toList();
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
        return table.render();
    }

    private static String quoted(String argument) {
        return argument.matches("[A-Za-z0-9_./:=,@%+-]+") ? argument : "'" + argument.replace("'", "'\\''") + "'";
    }
}
