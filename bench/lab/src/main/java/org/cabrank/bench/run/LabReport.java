package org.cabrank.bench.run;

import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import org.cabrank.bench.contender.LabTls;
import org.cabrank.bench.report.BenchReport;
import org.cabrank.bench.report.BenchReport.ContenderInfo;
import org.cabrank.bench.report.CellResult;
import org.cabrank.bench.report.CellSummaries;
import org.cabrank.bench.report.RunRecord;
import org.cabrank.bench.report.ScenarioInfo;
import org.cabrank.bench.scenario.Cell;
import org.cabrank.bench.scenario.Needs;
import org.cabrank.bench.scenario.Plan;

record LabReport(
        LabSettings settings, Plan plan, Participants participants, Rates rates, List<String> remarks, Stage stage) {

    BenchReport of(List<RunRecord> runs, List<String> arguments, boolean complete) {
        List<ScenarioInfo> scenarios = scenarios();
        String baseline = participants.baseline().name();
        List<String> names = participants.all().stream()
                .filter(participants::runs)
                .map(Participant::name)
                .toList();
        List<ContenderInfo> contenders = participants.all().stream()
                .map(who -> who.info(stage.heapFlags()))
                .toList();
        List<CellResult> cells = CellSummaries.of(scenarios, names, baseline, participants.controlName(), runs);
        Map<String, String> leftOut =
                new TreeMap<>(settings.measurements().feasible().leftOut());
        leftOut.putAll(participants.leftOut());
        return new BenchReport(
                BenchReport.FORMAT,
                stage.startedAt(),
                complete,
                arguments,
                stage.versions(),
                stage.reportedMachine(),
                stage.reportedJvm(),
                stage.reportedCpus(),
                reportedSettings(),
                scenarios,
                contenders,
                leftOut,
                notes(),
                baseline,
                participants.controlName(),
                cells,
                runs);
    }

    private List<ScenarioInfo> scenarios() {
        return settings.measurements().scenarios().stream()
                .map(scenario -> new ScenarioInfo(
                        scenario.name(),
                        scenario.shows(),
                        plan.cells().stream()
                                .filter(cell -> cell.scenario().equals(scenario.name()))
                                .map(cell -> cell.info(rates.capacity(cell)))
                                .toList()))
                .filter(scenario -> !scenario.cells().isEmpty())
                .toList();
    }

    private List<String> notes() {
        List<String> notes = new ArrayList<>();
        notes.add("Every server in a JVM was started with the same heap and collector: "
                + String.join(" ", stage.heapFlags()) + ".");
        for (Map.Entry<Needs, List<Cell>> group : plan.groups().entrySet()) {
            if (!stage.weighingFlags().isEmpty() && group.getValue().stream().anyMatch(Cell::weighs)) {
                notes.add("Those of the group '" + group.getKey().group() + "' also with "
                        + String.join(" ", stage.weighingFlags()) + ", to weigh connections.");
            }
        }
        if (plan.groups().keySet().stream().anyMatch(needs -> needs.protocol().overTls())) {
            notes.add(LabTls.text());
            notes.add(GeneratorTls.text());
        }
        notes.addAll(rates.notes());
        notes.addAll(remarks);
        return notes;
    }

    private BenchReport.Settings reportedSettings() {
        return new BenchReport.Settings(
                plan.rounds(),
                plan.slices(),
                plan.warmupNs(),
                plan.durationNs(),
                stage.loadThreads(settings.cpus().loadThreads(), Integer.MAX_VALUE),
                settings.server().shards().count(),
                settings.server().threads(),
                settings.server().placement().placement().toString());
    }
}
