package org.cabrank.bench.report.compare;

import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.TreeSet;
import java.util.stream.Collectors;
import org.cabrank.bench.report.BenchReport;
import org.cabrank.bench.report.CellInfo;
import org.cabrank.bench.report.CellResult;

final class Differences {

    private Differences() {}

    static List<String> of(BenchReport before, BenchReport after) {
        List<String> lines = new ArrayList<>();
        Map<String, Object> now = facts(after);
        facts(before).forEach((what, old) -> {
            if (!Objects.equals(old, now.get(what))) {
                lines.add("Different " + what + ": " + old + " before, " + now.get(what) + " after.");
            }
        });
        for (CellResult result : after.cells()) {
            CellInfo cell = after.cellInfo(result.cell()).orElse(null);
            CellInfo old = before.cellInfo(result.cell()).orElse(null);
            if (cell != null && old != null && !cell.withoutRate().equals(old.withoutRate())) {
                lines.add("The cell " + result.cell() + " was different before: " + old + ", and " + cell + " after.");
            }
        }
        only("before", names(before), names(after), lines);
        only("after", names(after), names(before), lines);
        if (!before.complete() || !after.complete()) {
            lines.add("The run " + (before.complete() ? "after" : "before") + " was ended early.");
        }
        return List.copyOf(lines);
    }

    private static Map<String, Object> facts(BenchReport report) {
        Map<String, Object> facts = new LinkedHashMap<>();
        facts.put("machine", report.machine());
        facts.put("JVM", report.jvm());
        facts.put("versions", report.versions());
        facts.put(
                "CPUs",
                report.cpus().server() + " for servers, " + report.cpus().load() + " for the load");
        facts.put("settings", report.settings());
        facts.put("baseline", report.baseline());
        return facts;
    }

    private static void only(String which, Set<String> own, Set<String> others, List<String> lines) {
        Set<String> only = new TreeSet<>(own);
        only.removeAll(others);
        if (!only.isEmpty()) {
            lines.add("Measured only " + which + ", and not compared: " + String.join(", ", only) + ".");
        }
    }

    private static Set<String> names(BenchReport report) {
        return report.cells().stream()
                .flatMap(cell -> cell.contenders().stream().map(contender -> cell.cell() + " " + contender.contender()))
                .collect(Collectors.toSet());
    }
}
