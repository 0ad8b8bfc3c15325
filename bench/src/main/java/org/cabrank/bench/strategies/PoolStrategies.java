package org.cabrank.bench.strategies;

import java.io.IOException;
import java.util.ArrayList;
import java.util.EnumMap;
import java.util.List;
import java.util.Map;
import org.cabrank.bench.contender.Contender;
import org.cabrank.bench.contender.ContenderUnavailableException;
import org.cabrank.bench.report.BenchReport;
import org.cabrank.bench.report.RunRecord;
import org.cabrank.bench.run.Experiment;
import org.cabrank.bench.run.Participant;
import org.cabrank.bench.run.Runner;
import org.cabrank.bench.run.Stage;
import org.cabrank.bench.text.Durations;
import org.cabrank.kernel.Kernel;

/** The comparison of strategies: runs the grid round by round, as long as there is time. */
public final class PoolStrategies extends Experiment<StrategyRun, StrategiesReport> {

    private final StrategySettings settings;
    private final List<StrategySchedule.Turn> turns;

    /** @throws IllegalArgumentException when the settings ask for CPUs that this process may not use */
    public PoolStrategies(StrategySettings settings, Output output, Kernel kernel) throws IOException {
        this(settings, StrategySchedule.of(settings).turns(), output, kernel);
    }

    private PoolStrategies(StrategySettings settings, List<StrategySchedule.Turn> turns, Output output, Kernel kernel)
            throws IOException {
        super(
                output,
                new Stage(kernel, settings.runs().serverCpus(), settings.runs().loadCpus()),
                settings.runs().rounds(),
                turns.size(),
                settings.runs().turnNs());
        this.settings = settings;
        this.turns = turns;
    }

    @Override
    public boolean run() throws IOException, InterruptedException {
        say(settings.cells().size() + (settings.cells().size() == 1 ? " cell, " : " cells, ") + turns.size()
                + " runs, about "
                + Math.max(1, Math.round(turns.size() * settings.runs().turnNs() / 60e9)) + " min, "
                + Durations.format(settings.maxTimeNs()) + " at most.");
        return super.run();
    }

    @Override
    protected void takeTurns() throws IOException, InterruptedException {
        long startNs = System.nanoTime();
        try (Runner runner = runner(settings.runs())) {
            for (StrategySchedule.Turn turn : turns) {
                if (System.nanoTime() - startNs + settings.runs().turnNs() > settings.maxTimeNs()) {
                    stop("Stopped after " + finished().size() + " of " + turns.size() + " runs, because "
                            + Durations.format(settings.maxTimeNs()) + " are over (--max-time).");
                    return;
                }
                if (!take(turn.strategy().label() + " with " + turn.cell(), turn.round(), () -> run(turn, runner))) {
                    return;
                }
            }
        }
    }

    private StrategyRun run(StrategySchedule.Turn turn, Runner runner) throws IOException, InterruptedException {
        Contender contender = turn.strategy().contender();
        RunRecord run;
        try {
            run = runner.run(turn.round(), turn.position(), contender, settings.server(turn.cell()));
        } catch (ContenderUnavailableException notHere) {
            // A comparison without one of its sides has failed.
            run = RunRecord.notMeasured(turn.round(), turn.position(), contender.name(), notHere.getMessage(), "");
        }
        return new StrategyRun(turn.cell(), turn.strategy(), run);
    }

    @Override
    protected boolean failed(StrategyRun run) {
        return run.run().failed();
    }

    @Override
    protected String table(StrategiesReport report) {
        return StrategiesTable.render(report);
    }

    @Override
    protected StrategiesReport report(List<StrategyRun> finished, boolean complete) {
        List<CellSummary> summary = new ArrayList<>();
        for (Cell cell : settings.cells()) {
            for (Strategy strategy : cell.strategies(settings.strategies())) {
                summary.add(CellSummary.of(cell, strategy, finished));
            }
        }
        Map<Strategy, BenchReport.ContenderInfo> strategies = new EnumMap<>(Strategy.class);
        settings.strategies()
                .forEach(strategy -> strategies.put(
                        strategy, Participant.of(strategy.contender()).info(stage().heapFlags())));
        return new StrategiesReport(
                StrategiesReport.FORMAT,
                stage().startedAt(),
                complete,
                arguments(),
                stage().versions(),
                stage().reportedMachine(),
                stage().reportedJvm(),
                stage().reportedCpus(),
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
                settings.runs().rounds(),
                settings.runs().warmupNs(),
                settings.runs().durationNs(),
                settings.runs().connections(),
                settings.runs().sizeBytes(),
                settings.runs().loadThreads(stage()),
                settings.slow().permille(),
                settings.slow().timeNs(),
                settings.maxGapNs());
    }
}
