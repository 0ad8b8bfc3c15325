package org.cabrank.bench.strategies;

import java.io.IOException;
import java.io.PrintStream;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.EnumMap;
import java.util.List;
import java.util.Map;
import org.cabrank.bench.report.BenchReport;
import org.cabrank.bench.report.JsonFile;
import org.cabrank.bench.report.RunRecord;
import org.cabrank.bench.run.Bench;
import org.cabrank.bench.run.Progress;
import org.cabrank.bench.run.Runner;
import org.cabrank.bench.run.Stage;
import org.cabrank.bench.text.Durations;
import org.cabrank.kernel.Kernel;

/**
 * The experiment from beginning to end: runs the grid round by round, prints the tables and writes the JSON file. When the
 * user ends it early, its children are killed, and what was finished is printed and written.
 */
public final class PoolStrategies {

    private final StrategySettings settings;
    private final List<StrategySchedule.Turn> turns;
    private final List<String> arguments;
    private final Path jsonFile;
    private final PrintStream out;
    private final Stage stage;
    private final double turnNs;
    private final Progress progress;
    private final List<StrategyRun> runs = new ArrayList<>();

    /**
     * @param arguments of the command line, for the report
     * @throws IllegalArgumentException when the settings ask for CPUs that this process may not use
     */
    public PoolStrategies(
            StrategySettings settings,
            List<String> arguments,
            Path jsonFile,
            PrintStream out,
            PrintStream err,
            Kernel kernel)
            throws IOException {
        this.settings = settings;
        this.arguments = List.copyOf(arguments);
        this.jsonFile = jsonFile;
        this.out = out;
        turns = StrategySchedule.of(settings).turns();
        stage = new Stage(kernel, settings.serverCpus(), settings.loadCpus());
        turnNs = settings.warmupNs() + settings.durationNs() + Progress.TURN_OVERHEAD_NS;
        progress = new Progress(err, Progress.onTerminal(), turns.size(), turnNs, System.nanoTime());
    }

    /** Runs it; true when every run went well. */
    public boolean run() throws IOException, InterruptedException {
        out.println(settings.cells().size() + " cells, " + turns.size() + " runs, about "
                + Math.max(1, Math.round(turns.size() * turnNs / 60e9)) + " min, "
                + Durations.format(settings.maxTimeNs()) + " at most.");
        stage.run(out, this::runGrid, this::endEarly);
        boolean complete = runs().size() == turns.size();
        progress.clear();
        if (!complete) {
            out.println("Stopped after " + runs().size() + " of " + turns.size() + " runs, because "
                    + Durations.format(settings.maxTimeNs()) + " are over (--max-time).");
        }
        publish(complete);
        return runs().stream().noneMatch(run -> run.run().failed());
    }

    private void runGrid() throws IOException, InterruptedException {
        Runner.Load load = new Runner.Load(
                settings.connections(),
                settings.sizeBytes(),
                loadThreads(),
                settings.warmupNs(),
                settings.durationNs());
        long startNs = System.nanoTime();
        try (Runner runner = new Runner(stage, load, progress::say)) {
            for (StrategySchedule.Turn turn : turns) {
                if (System.nanoTime() - startNs + turnNs > settings.maxTimeNs()) {
                    return;
                }
                String who = turn.strategy().label() + " with " + turn.cell();
                progress.begins(who, turn.round(), settings.rounds(), System.nanoTime());
                RunRecord record = runner.run(
                        turn.round(), turn.position(), turn.strategy().contender(), settings.server(turn.cell()));
                if (stage.ending()) {
                    return;
                }
                synchronized (runs) {
                    runs.add(new StrategyRun(turn.cell(), turn.strategy(), record));
                }
                progress.ended();
            }
        }
    }

    private int loadThreads() {
        return stage.loadThreads(settings.loadThreads(), settings.connections());
    }

    private List<StrategyRun> runs() {
        synchronized (runs) {
            return List.copyOf(runs);
        }
    }

    private void endEarly() {
        progress.clear();
        out.println("Ended early: this is what was finished.");
        try {
            publish(false);
        } catch (IOException notWritten) {
            out.println("cannot write " + jsonFile + ": " + notWritten.getMessage());
        }
        out.flush();
    }

    private void publish(boolean complete) throws IOException {
        StrategiesReport report = report(complete);
        if (!report.runs().isEmpty()) {
            out.println();
            out.print(StrategiesTable.render(report));
            JsonFile.write(report, jsonFile);
            out.println("Raw numbers: " + jsonFile);
        }
        out.flush();
    }

    private StrategiesReport report(boolean complete) {
        List<StrategyRun> finished = runs();
        List<CellSummary> summary = new ArrayList<>();
        for (Cell cell : settings.cells()) {
            for (Strategy strategy : cell.strategies(settings.strategies())) {
                summary.add(CellSummary.of(cell, strategy, finished));
            }
        }
        Map<Strategy, BenchReport.ContenderInfo> strategies = new EnumMap<>(Strategy.class);
        settings.strategies().forEach(strategy -> strategies.put(strategy, Bench.info(strategy.contender())));
        return new StrategiesReport(
                StrategiesReport.FORMAT,
                stage.startedAt(),
                complete,
                arguments,
                stage.versions(),
                stage.reportedMachine(),
                stage.reportedJvm(),
                stage.reportedCpus(),
                reportedSettings(),
                strategies,
                StrategiesTable.RULE,
                summary,
                finished);
    }

    private StrategiesReport.Settings reportedSettings() {
        return new StrategiesReport.Settings(
                settings.threads(),
                settings.workNs(),
                settings.rounds(),
                settings.warmupNs(),
                settings.durationNs(),
                settings.connections(),
                settings.sizeBytes(),
                loadThreads(),
                settings.slow().permille(),
                settings.slow().timeNs(),
                settings.maxGapNs());
    }
}
