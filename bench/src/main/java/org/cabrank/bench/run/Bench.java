package org.cabrank.bench.run;

import java.io.IOException;
import java.io.PrintStream;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import org.cabrank.bench.contender.Contender;
import org.cabrank.bench.contender.Contenders;
import org.cabrank.bench.report.BenchReport;
import org.cabrank.bench.report.BenchTable;
import org.cabrank.bench.report.ContenderSummary;
import org.cabrank.bench.report.JsonFile;
import org.cabrank.bench.report.RunRecord;
import org.cabrank.kernel.Kernel;

/**
 * The bench from beginning to end: plans the CPUs, runs the rounds, prints the table and writes the JSON file. When the
 * user ends it early, its children are killed, and what was finished is printed and written.
 */
public final class Bench {

    private final BenchSettings settings;
    private final List<String> arguments;
    private final Path jsonFile;
    private final PrintStream out;
    private final Stage stage;
    private final Progress progress;
    private final List<RunRecord> records = new ArrayList<>();

    /**
     * @param arguments of the command line, for the report
     * @throws IllegalArgumentException when the settings ask for CPUs that this process may not use
     */
    public Bench(
            BenchSettings settings,
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
        stage = new Stage(kernel, settings.serverCpus(), settings.loadCpus());
        int turns = settings.rounds() * settings.contenders().size();
        double turnNs = settings.warmupNs() + settings.durationNs() + Progress.TURN_OVERHEAD_NS;
        progress = new Progress(err, Progress.onTerminal(), turns, turnNs, System.nanoTime());
    }

    /** Runs it; true when every run of every contender went well. */
    public boolean run() throws IOException, InterruptedException {
        stage.run(out, this::runRounds, this::endEarly);
        publish(true);
        return records().stream().noneMatch(RunRecord::failed);
    }

    private void runRounds() throws IOException, InterruptedException {
        Runner.Load load = new Runner.Load(
                settings.connections(),
                settings.sizeBytes(),
                loadThreads(),
                settings.warmupNs(),
                settings.durationNs());
        try (Runner runner = new Runner(stage, load, progress::say)) {
            for (Schedule.Turn turn :
                    Schedule.of(settings.contenders(), settings.rounds()).turns()) {
                progress.begins(turn.contender().name(), turn.round(), settings.rounds(), System.nanoTime());
                RunRecord record = runner.run(turn.round(), turn.position(), turn.contender(), settings.server());
                if (stage.ending()) {
                    return;
                }
                synchronized (records) {
                    records.add(record);
                }
                progress.ended();
            }
        }
    }

    private int loadThreads() {
        return stage.loadThreads(settings.loadThreads(), settings.connections());
    }

    private List<RunRecord> records() {
        synchronized (records) {
            return List.copyOf(records);
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
        progress.clear();
        BenchReport report = report(complete);
        if (!report.runs().isEmpty()) {
            out.println();
            out.print(BenchTable.render(report));
            JsonFile.write(report, jsonFile);
            out.println("Raw numbers: " + jsonFile);
        }
        out.flush();
    }

    private BenchReport report(boolean complete) {
        List<RunRecord> runs = records();
        List<ContenderSummary> summary = settings.contenders().stream()
                .map(contender -> ContenderSummary.of(contender.name(), baseline(), runs))
                .toList();
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
                settings.contenders().stream().map(Bench::info).toList(),
                baseline(),
                summary,
                runs);
    }

    /** Netty's epoll where it runs, else whoever runs first. */
    private String baseline() {
        return settings.contenders().stream()
                .map(Contender::name)
                .filter(Contenders.BASELINE::equals)
                .findFirst()
                .orElse(settings.contenders().get(0).name());
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
