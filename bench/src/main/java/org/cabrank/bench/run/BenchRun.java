package org.cabrank.bench.run;

import java.io.IOException;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.TimeUnit;
import org.cabrank.bench.contender.Contender;
import org.cabrank.bench.report.GeneratorReport;
import org.cabrank.bench.report.RunRecord;
import org.cabrank.bench.report.RunRecord.Measured;

/**
 * Runs the schedule, one contender at a time, and keeps what came of it. Every run has a fresh server process: no
 * contender is measured while another one's threads still live beside it, and the spread over the rounds includes what
 * differs from start to start (what the compiler chose to inline, where memory came to lie).
 */
final class BenchRun {

    /** Until the generator is compiled, even on a busy machine. */
    private static final long LOAD_WARMUP_NS = TimeUnit.SECONDS.toNanos(4);

    private final BenchSettings settings;
    private final CpuPlan cpus;
    private final JvmCommand jvm;
    private final Pinning pinning;
    private final Children children;
    private final Progress progress;
    private final int loadThreads;
    private final List<RunRecord> records = new ArrayList<>();
    private final Set<String> logsShown = new HashSet<>();
    private LoadProcess load;

    BenchRun(
            BenchSettings settings,
            CpuPlan cpus,
            JvmCommand jvm,
            Pinning pinning,
            Children children,
            Progress progress) {
        this.settings = settings;
        this.cpus = cpus;
        this.jvm = jvm;
        this.pinning = pinning;
        this.children = children;
        this.progress = progress;
        loadThreads = loadThreads(settings, cpus);
    }

    static int loadThreads(BenchSettings settings, CpuPlan cpus) {
        int wanted = settings.loadThreads() == 0 ? cpus.load().size() : settings.loadThreads();
        return Math.min(wanted, settings.connections());
    }

    /** What has been recorded so far. Any thread. */
    List<RunRecord> records() {
        synchronized (records) {
            return List.copyOf(records);
        }
    }

    /** Runs everything; returns early when the children are being ended. */
    void run(Schedule schedule) throws IOException, InterruptedException {
        try {
            for (Schedule.Turn turn : schedule.turns()) {
                if (load == null) {
                    warmLoadUp(turn.contender());
                }
                progress.begins(turn, settings.rounds(), System.nanoTime());
                RunRecord record = run(turn);
                if (children.ending()) {
                    return;
                }
                keep(record);
                progress.ended();
            }
        } finally {
            closeLoad();
        }
    }

    /** A fresh generator's first run compiles its code, at the cost of whoever is measured with it: not recorded. */
    private void warmLoadUp(Contender contender) throws IOException, InterruptedException {
        load = new LoadProcess(jvm, pinning, cpus.load(), children);
        try (ServerProcess server = start(contender)) {
            load.begin(server, settings.connections(), settings.sizeBytes(), loadThreads);
            sleep(Math.max(settings.warmupNs(), LOAD_WARMUP_NS));
            load.beginMeasuring();
            load.endMeasuring();
            load.finish();
        } catch (ChildFailedException failure) {
            // The same contender runs next and its failure is recorded then; the generator starts anew.
            progress.say("warming the load generator up: " + failure.getMessage());
            closeLoad();
            load = new LoadProcess(jvm, pinning, cpus.load(), children);
        }
    }

    private RunRecord run(Schedule.Turn turn) throws IOException, InterruptedException {
        ServerProcess server;
        try {
            server = start(turn.contender());
        } catch (ChildFailedException failure) {
            return failed(turn, failure.getMessage(), failure.log(), "", 0);
        }
        try (server) {
            return measure(turn, server);
        } catch (ChildFailedException failure) {
            closeLoad();
            String log = server.logTail();
            return failed(
                    turn,
                    server.alive() ? failure.getMessage() : turn.contender().name() + " ended while it was measured",
                    log.isEmpty() ? failure.log() : log,
                    server.details(),
                    server.startToFirstAnswerNs());
        }
    }

    private ServerProcess start(Contender contender) throws IOException, ChildFailedException, InterruptedException {
        return ServerProcess.start(contender, settings.server(), jvm, pinning, cpus.server(), children);
    }

    private RunRecord measure(Schedule.Turn turn, ServerProcess server)
            throws ChildFailedException, InterruptedException {
        load.begin(server, settings.connections(), settings.sizeBytes(), loadThreads);
        // The first question loads the classes that answer it: during the warm-up that costs nobody anything.
        server.allocatedBytes();
        sleep(settings.warmupNs());
        long allocatedBefore = server.allocatedBytes();
        load.beginMeasuring();
        sleep(settings.durationNs());
        load.endMeasuring();
        long allocatedBytes = server.allocatedBytes() - allocatedBefore;
        GeneratorReport report = load.finish();
        return record(turn, server, report, allocatedBytes);
    }

    private static RunRecord record(
            Schedule.Turn turn, ServerProcess server, GeneratorReport report, long allocatedBytes) {
        String failure = failure(report);
        Measured measured = new Measured(
                report.answers(),
                report.elapsedNs(),
                report.latency(),
                report.server(),
                allocatedBytes,
                report.load(),
                report.histogram(),
                report.errors());
        return new RunRecord(
                turn.round(),
                turn.position(),
                turn.contender().name(),
                failure,
                failure == null ? "" : server.logTail(),
                server.details(),
                server.startToFirstAnswerNs(),
                measured);
    }

    /** Null when every request got its right answer. */
    private static String failure(GeneratorReport report) {
        if (!report.errors().isEmpty()) {
            StringBuilder words = new StringBuilder();
            for (Map.Entry<String, Long> error : report.errors().entrySet()) {
                words.append(words.isEmpty() ? "" : ", ")
                        .append(error.getKey())
                        .append(" (")
                        .append(error.getValue());
                words.append(" times)");
            }
            return report.firstWrongAnswer() == null
                    ? words.toString()
                    : words + ", first: " + report.firstWrongAnswer();
        }
        return report.answers() == 0 ? "not one answer in the measured interval" : null;
    }

    private static RunRecord failed(Schedule.Turn turn, String why, String log, String details, long startNs) {
        return new RunRecord(turn.round(), turn.position(), turn.contender().name(), why, log, details, startNs, null);
    }

    private void keep(RunRecord record) {
        if (record.failed()) {
            progress.say(record.contender() + " failed in round " + record.round() + ": " + record.failure());
            // A contender that cannot start says the same in every round.
            if (!record.log().isEmpty() && logsShown.add(record.contender() + record.failure())) {
                progress.say(record.log().indent(4).stripTrailing());
            }
        }
        synchronized (records) {
            records.add(record);
        }
    }

    private void closeLoad() {
        if (load != null) {
            load.close();
            load = null;
        }
    }

    private static void sleep(long ns) throws InterruptedException {
        TimeUnit.NANOSECONDS.sleep(ns);
    }
}
