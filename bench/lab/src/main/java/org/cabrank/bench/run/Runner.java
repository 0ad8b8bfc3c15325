package org.cabrank.bench.run;

import java.io.IOException;
import java.util.concurrent.TimeUnit;
import java.util.function.Consumer;
import org.cabrank.bench.contender.Contender;
import org.cabrank.bench.contender.ContenderUnavailableException;
import org.cabrank.bench.contender.ServerSettings;
import org.cabrank.bench.report.RunRecord;

/**
 * Measures one server after the other with one load generator. Every run has a fresh server process. No contender is
 * measured beside the threads of another, and the spread over the rounds includes the differences between starts (inlining
 * decisions of the compiler, layout of memory).
 */
public final class Runner implements AutoCloseable {

    /** Until the generator is compiled, even on a busy machine. */
    private static final long GENERATOR_WARMUP_NS = TimeUnit.SECONDS.toNanos(4);

    private final Stage stage;
    private final RunnerSettings runs;
    private final Failures failures;
    private final GeneratedLoad load;

    /** @param say receives a line about each failure */
    public Runner(Stage stage, RunnerSettings runs, Consumer<String> say) {
        this.stage = stage;
        this.runs = runs;
        failures = new Failures(say);
        load = new GeneratedLoad(stage, runs.loadThreads(stage), GENERATOR_WARMUP_NS);
    }

    /**
     * Starts {@code contender}, measures it and ends it. A failure is recorded and reported.
     *
     * @throws ContenderUnavailableException if the contender cannot run on this machine
     */
    public RunRecord run(int round, int position, Contender contender, ServerSettings settings)
            throws IOException, InterruptedException {
        RunRecord record = warmLoadUp(round, position, contender, settings);
        if (record == null) {
            record = measure(round, position, contender, settings);
        }
        if (record.failed() && !stage.ending()) {
            failures.tell(record, "round " + record.round());
        }
        return record;
    }

    /**
     * A fresh generator's first run compiles its code, at the cost of whoever is measured with it: not recorded. Null when
     * the generator is warm; otherwise the failure, which is the contender's, and the next one warms the generator up.
     */
    private RunRecord warmLoadUp(int round, int position, Contender contender, ServerSettings settings)
            throws IOException, InterruptedException {
        if (!load.cold()) {
            return null;
        }
        try (ServerProcess server = start(contender, settings)) {
            load.prepare(server);
            return null;
        } catch (ChildFailedException failure) {
            return RunRecord.notMeasured(
                    round, position, contender.name(), "warming up: " + failure.getMessage(), failure.log());
        }
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
            Loader.Outcome outcome =
                    load.run(server, runs.traffic(), runs.warmupNs(), runs.durationNs(), Loader.Watch.NOBODY);
            return new RunRecord(
                    round,
                    position,
                    contender.name(),
                    outcome.failure(),
                    outcome.failure() == null ? "" : server.logTail(),
                    server.details(),
                    server.startToFirstAnswerNs(),
                    server.calibration(),
                    outcome.measured());
        } catch (ChildFailedException failure) {
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

    /** Ends the load generator. */
    @Override
    public void close() {
        load.close();
    }
}
