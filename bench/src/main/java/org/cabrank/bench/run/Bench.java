package org.cabrank.bench.run;

import java.io.IOException;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.concurrent.ConcurrentSkipListMap;
import java.util.stream.Stream;
import org.cabrank.bench.contender.Contender;
import org.cabrank.bench.contender.ContenderUnavailableException;
import org.cabrank.bench.contender.Contenders;
import org.cabrank.bench.report.BenchReport;
import org.cabrank.bench.report.BenchTable;
import org.cabrank.bench.report.ContenderSummary;
import org.cabrank.bench.report.RunRecord;
import org.cabrank.kernel.Kernel;

/** The comparison of contenders: in each round every contender once. */
public final class Bench extends Experiment<RunRecord, BenchReport> {

    private final BenchSettings settings;
    /** Who cannot run here, and why. */
    private final Map<String, String> leftOut = new ConcurrentSkipListMap<>();

    /** @throws IllegalArgumentException when the settings ask for CPUs that this process may not use */
    public Bench(BenchSettings settings, Output output, Kernel kernel) throws IOException {
        super(
                output,
                new Stage(kernel, settings.serverCpus(), settings.loadCpus()),
                settings.rounds(),
                settings.rounds() * settings.contenders().size(),
                settings.warmupNs() + settings.durationNs() + Progress.TURN_OVERHEAD_NS);
        this.settings = settings;
    }

    @Override
    protected void takeTurns() throws IOException, InterruptedException {
        Runner.Load load = new Runner.Load(
                settings.connections(),
                settings.sizeBytes(),
                loadThreads(),
                settings.generatorWarmupNs(),
                settings.warmupNs(),
                settings.durationNs());
        try (Runner runner = runner(load)) {
            for (Schedule.Turn turn :
                    Schedule.of(settings.contenders(), settings.rounds()).turns()) {
                if (!takeOrLeaveOut(turn, runner)) {
                    return;
                }
            }
        }
        if (leftOut.size() == settings.contenders().size()) {
            stop(BenchTable.leftOut(leftOut) + "Nobody is left: nothing was measured.");
        }
    }

    private boolean takeOrLeaveOut(Schedule.Turn turn, Runner runner) throws IOException, InterruptedException {
        String name = turn.contender().name();
        if (leftOut.containsKey(name)) {
            leaveOut();
            return true;
        }
        try {
            return take(
                    name,
                    turn.round(),
                    () -> runner.run(turn.round(), turn.position(), turn.contender(), settings.server()));
        } catch (ContenderUnavailableException notHere) {
            leftOut.put(name, notHere.getMessage());
            leaveOut();
            return true;
        }
    }

    @Override
    protected boolean failed(RunRecord run) {
        return run.failed();
    }

    @Override
    protected String table(BenchReport report) {
        return BenchTable.render(report);
    }

    private int loadThreads() {
        return stage().loadThreads(settings.loadThreads(), settings.connections());
    }

    @Override
    protected BenchReport report(List<RunRecord> runs, boolean complete) {
        List<ContenderSummary> summary = present()
                .map(name -> ContenderSummary.of(name, baseline(), runs))
                .toList();
        return new BenchReport(
                BenchReport.FORMAT,
                stage().startedAt(),
                complete,
                arguments(),
                stage().versions(),
                stage().reportedMachine(),
                stage().reportedJvm(),
                stage().reportedCpus(),
                reportedSettings(),
                settings.contenders().stream().map(Bench::info).toList(),
                new TreeMap<>(leftOut),
                baseline(),
                summary,
                runs);
    }

    private Stream<String> present() {
        return settings.contenders().stream().map(Contender::name).filter(name -> !leftOut.containsKey(name));
    }

    /** Netty's epoll where it runs, else whoever comes first. */
    private String baseline() {
        return present()
                .filter(Contenders.BASELINE::equals)
                .findFirst()
                .orElseGet(() -> present().findFirst().orElseThrow());
    }

    private BenchReport.Settings reportedSettings() {
        return new BenchReport.Settings(
                settings.rounds(),
                settings.warmupNs(),
                settings.durationNs(),
                settings.connections(),
                settings.sizeBytes(),
                loadThreads(),
                settings.server().slow().permille(),
                settings.server().slow().timeNs(),
                settings.server().threads(),
                settings.server().maxGapNs());
    }

    /** What the report says of a contender. */
    public static BenchReport.ContenderInfo info(Contender contender) {
        return new BenchReport.ContenderInfo(
                contender.name(),
                contender.tuning(),
                contender.jvmFlags(Runtime.version().feature()));
    }
}
