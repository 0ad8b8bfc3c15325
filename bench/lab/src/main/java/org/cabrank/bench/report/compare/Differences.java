package org.cabrank.bench.report.compare;

import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.Set;
import java.util.TreeSet;
import java.util.function.Function;
import java.util.stream.Collectors;
import org.cabrank.bench.report.BenchReport;
import org.cabrank.bench.report.BenchReport.ContenderInfo;
import org.cabrank.bench.report.CellInfo;
import org.cabrank.bench.report.CellResult;
import org.cabrank.bench.report.summary.ReportFormats;

/** In what two reports differ besides their figures. */
final class Differences {

    private final BenchReport before;
    private final BenchReport after;
    private final List<String> lines = new ArrayList<>();

    private Differences(BenchReport before, BenchReport after) {
        this.before = before;
        this.after = after;
    }

    static List<String> of(BenchReport before, BenchReport after) {
        return new Differences(before, after).lines();
    }

    private List<String> lines() {
        differ("CPU", report -> report.machine().cpuModel());
        differ("CPUs online", report -> report.machine().cpusOnline());
        differ("memory in KiB", report -> report.machine().memoryKb());
        differ("architecture", report -> report.machine().architecture());
        differ("kernel", report -> report.machine().kernelRelease());
        differ("JVM", report -> report.jvm().version());
        differ("JVM's vendor", report -> report.jvm().vendor());
        differ("JVM flags", report -> String.join(" ", report.jvm().flags()));
        Set<String> parts = new TreeSet<>(before.versions().keySet());
        parts.addAll(after.versions().keySet());
        parts.forEach(
                part -> differ("version of " + part, report -> report.versions().get(part)));
        differ("CPUs of the servers", report -> report.cpus().server());
        differ("CPUs of the load", report -> report.cpus().load());
        differ("rounds", report -> report.settings().rounds());
        differ("slices", report -> report.settings().slices());
        differ("warm-up", report -> ReportFormats.time(report.settings().warmupNs()));
        differ(
                "measured interval",
                report -> ReportFormats.time(report.settings().durationNs()));
        differ("load threads", report -> report.settings().loadThreads());
        differ("shards", report -> report.settings().shards());
        differ("threads per shard", report -> report.settings().threadsPerShard());
        differ("max gap", report -> ReportFormats.time(report.settings().maxGapNs()));
        differ("placement", report -> report.settings().placement());
        cellsDiffer();
        if (!before.baseline().equals(after.baseline())) {
            lines.add("The baseline differs: " + before.baseline() + " before, " + after.baseline()
                    + " after. ReportFormats are compared as measured, good and bad days of the machine included.");
        }
        only("contender", report -> names(report));
        only("cell", report -> report.cells().stream().map(CellResult::cell).collect(Collectors.toSet()));
        unfinished(before, "The report before");
        unfinished(after, "The report after");
        return List.copyOf(lines);
    }

    private void differ(String what, Function<BenchReport, Object> value) {
        Object old = value.apply(before);
        Object now = value.apply(after);
        if (!Objects.equals(old, now)) {
            lines.add("Not the same " + what + ": " + shown(old) + " before, " + shown(now) + " after.");
        }
    }

    private static String shown(Object value) {
        return value == null || value.toString().isEmpty() ? "none" : value.toString();
    }

    private void cellsDiffer() {
        for (CellResult result : after.cells()) {
            CellInfo now = after.cellInfo(result.cell()).orElse(null);
            CellInfo old = before.cellInfo(result.cell()).orElse(null);
            if (now != null && old != null && !now.withoutRate().equals(old.withoutRate())) {
                lines.add(
                        "The cell " + result.cell() + " was not the same before: " + old + ", and " + now + " after.");
            } else if (now != null && old != null && now.ratePerSecond() != old.ratePerSecond()) {
                lines.add("The rate of " + result.cell() + " was " + ReportFormats.of(old.ratePerSecond())
                        + " requests/s before and " + ReportFormats.of(now.ratePerSecond()) + " after.");
            }
        }
    }

    private void only(String what, Function<BenchReport, Set<String>> names) {
        Set<String> old = new TreeSet<>(names.apply(before));
        Set<String> now = new TreeSet<>(names.apply(after));
        Set<String> onlyOld = new TreeSet<>(old);
        onlyOld.removeAll(now);
        now.removeAll(old);
        if (!onlyOld.isEmpty()) {
            lines.add("Only before, so not compared (" + what + "): " + String.join(", ", onlyOld) + ".");
        }
        if (!now.isEmpty()) {
            lines.add("Only after, so not compared (" + what + "): " + String.join(", ", now) + ".");
        }
    }

    private static Set<String> names(BenchReport report) {
        return report.contenders().stream()
                .map(ContenderInfo::name)
                .filter(name -> report.cells().stream()
                        .anyMatch(cell -> cell.contender(name).isPresent()))
                .collect(Collectors.toSet());
    }

    private void unfinished(BenchReport report, String which) {
        if (!report.complete()) {
            lines.add(which + " is of a bench that was ended early.");
        }
    }
}
