package org.cabrank.bench.run;

import java.io.IOException;
import java.util.HashSet;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.TimeUnit;
import java.util.function.Consumer;
import org.cabrank.bench.contender.Contender;
import org.cabrank.bench.contender.ContenderUnavailableException;
import org.cabrank.bench.contender.ServerSettings;
import org.cabrank.bench.report.GeneratorReport;
import org.cabrank.bench.report.RunRecord;
import org.cabrank.bench.report.RunRecord.Measured;

/**
 * Measures one server after the other with one load generator. Every run has a fresh server process: no contender is
 * measured while another one's threads still live beside it, and the spread over the rounds includes what differs from
 * start to start (what the compiler chose to inline, where memory came to lie).
 */
public final class Runner implements AutoCloseable {

    /** Until the generator is compiled, even on a busy machine. */
    public static final long GENERATOR_WARMUP_NS = TimeUnit.SECONDS.toNanos(4);

    private final Stage stage;
    private final Load wanted;
    private final Consumer<String> say;
    private final Set<String> logsShown = new HashSet<>();
    private LoadProcess load;

    /**
     * What every server is loaded with.
     *
     * @param threads of the generator
     * @param generatorWarmupNs load before the first measured run of a generator's process; not part of any run
     * @param warmupNs load before the measured interval
     * @param durationNs the measured interval
     */
    public record Load(
            int connections, int sizeBytes, int threads, long generatorWarmupNs, long warmupNs, long durationNs) {}

    /** {@code say} is told in a line when something goes wrong. */
    public Runner(Stage stage, Load wanted, Consumer<String> say) {
        this.stage = stage;
        this.wanted = wanted;
        this.say = say;
    }

    /**
     * Starts {@code contender}, measures it and ends it. A failure is recorded, and told.
     *
     * @throws ContenderUnavailableException when the contender cannot run on this machine
     */
    public RunRecord run(int round, int position, Contender contender, ServerSettings settings)
            throws IOException, InterruptedException {
        RunRecord record = warmLoadUp(round, position, contender, settings);
        if (record == null) {
            record = measure(round, position, contender, settings);
        }
        if (record.failed() && !stage.ending()) {
            say.accept(record.contender() + " failed in round " + record.round() + ": " + record.failure());
            // A contender that cannot start says the same in every round.
            if (!record.log().isEmpty() && logsShown.add(record.contender() + record.failure())) {
                say.accept(record.log().indent(4).stripTrailing());
            }
        }
        return record;
    }

    /**
     * A fresh generator's first run compiles its code, at the cost of whoever is measured with it: not recorded. Null when
     * the generator is warm; otherwise the failure, which is the contender's, and the next one warms the generator up.
     */
    private RunRecord warmLoadUp(int round, int position, Contender contender, ServerSettings settings)
            throws IOException, InterruptedException {
        if (load != null) {
            return null;
        }
        try (ServerProcess server = start(contender, settings)) {
            load = startLoad();
            load.begin(server, wanted.connections(), wanted.sizeBytes(), wanted.threads());
            sleep(wanted.generatorWarmupNs());
            load.beginMeasuring();
            load.endMeasuring();
            load.finish();
            return null;
        } catch (ChildFailedException failure) {
            close();
            return RunRecord.notMeasured(
                    round, position, contender.name(), "warming up: " + failure.getMessage(), failure.log());
        }
    }

    private LoadProcess startLoad() throws IOException {
        return new LoadProcess(stage.jvm(), stage.pinning(), stage.cpus().load(), stage.children());
    }

    private ServerProcess start(Contender contender, ServerSettings settings)
            throws IOException, ChildFailedException, InterruptedException {
        return ServerProcess.start(
                contender, settings, stage.jvm(), stage.pinning(), stage.cpus().server(), stage.children());
    }

    private RunRecord measure(int round, int position, Contender contender, ServerSettings settings)
            throws IOException, InterruptedException {
        ServerProcess server;
        try {
            server = start(contender, settings);
        } catch (ChildFailedException failure) {
            return RunRecord.notMeasured(round, position, contender.name(), failure.getMessage(), failure.log());
        }
        try (server) {
            return measure(round, position, contender, server);
        } catch (ChildFailedException failure) {
            close();
            String log = server.logTail();
            return new RunRecord(
                    round,
                    position,
                    contender.name(),
                    server.alive() ? failure.getMessage() : contender.name() + " ended while it was measured",
                    log.isEmpty() ? failure.log() : log,
                    server.details(),
                    server.startToFirstAnswerNs(),
                    null,
                    null);
        }
    }

    private RunRecord measure(int round, int position, Contender contender, ServerProcess server)
            throws ChildFailedException, InterruptedException {
        load.begin(server, wanted.connections(), wanted.sizeBytes(), wanted.threads());
        // The first question loads the classes that answer it: during the warm-up that costs nobody anything.
        server.allocatedBytes();
        sleep(wanted.warmupNs());
        long allocatedBefore = server.allocatedBytes();
        load.beginMeasuring();
        sleep(wanted.durationNs());
        load.endMeasuring();
        long allocatedBytes = server.allocatedBytes() - allocatedBefore;
        GeneratorReport report = load.finish();
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
                round,
                position,
                contender.name(),
                failure,
                failure == null ? "" : server.logTail(),
                server.details(),
                server.startToFirstAnswerNs(),
                server.calibration(),
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

    /** Ends the load generator. */
    @Override
    public void close() {
        if (load != null) {
            load.close();
            load = null;
        }
    }

    private static void sleep(long ns) throws InterruptedException {
        TimeUnit.NANOSECONDS.sleep(ns);
    }
}
