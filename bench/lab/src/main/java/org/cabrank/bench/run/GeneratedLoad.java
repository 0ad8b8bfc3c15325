package org.cabrank.bench.run;

import java.io.IOException;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import org.cabrank.bench.load.HttpGet;
import org.cabrank.bench.load.LoadTraffic;
import org.cabrank.bench.report.GeneratorReport;
import org.cabrank.bench.report.RunRecord.Measured;

/** Generates load with one process for all intervals. If the process fails, the next interval starts a new one. */
final class GeneratedLoad implements AutoCloseable {

    /** @param failure reason why the numbers are invalid. Null if they are valid. */
    record Outcome(Measured measured, String failure) {}

    /** Observes a server after the measured time, so that a slow observation does not affect the figures. */
    @FunctionalInterface
    interface Watch {

        Watch NOBODY = () -> null;

        /** Called while all connections exist. Returns the user-space bytes per idle connection. May return null. */
        Double whileConnected() throws ChildFailedException, InterruptedException;
    }

    private static final int WARMUP_CONNECTIONS = 64;
    private static final int WARMUP_BYTES = 64;

    private final Stage stage;
    private final int threads;
    private final long warmupNs;
    private LoadProcess generator;

    GeneratedLoad(Stage stage, int threads, long warmupNs) {
        this.stage = stage;
        this.threads = threads;
        this.warmupNs = warmupNs;
    }

    boolean cold() {
        return generator == null;
    }

    /** Warms up a new generator, so that its compiler does not disturb the first measurement. */
    void prepare(ServerProcess server) throws ChildFailedException, IOException, InterruptedException {
        if (cold()) {
            run(server, LoadTraffic.pingPong(WARMUP_CONNECTIONS, WARMUP_BYTES), 0, warmupNs, Watch.NOBODY);
        }
    }

    /** Loads {@code server} for {@code warmupNs}, measures for {@code durationNs}, and disconnects. */
    Outcome run(ServerProcess server, LoadTraffic traffic, long warmupNs, long durationNs, Watch watch)
            throws ChildFailedException, IOException, InterruptedException {
        boolean done = false;
        try {
            Outcome outcome = measure(server, traffic, warmupNs, durationNs, watch);
            done = true;
            return outcome;
        } finally {
            if (!done) {
                // After a failure, the generator may not be ready for another request.
                close();
            }
        }
    }

    private Outcome measure(ServerProcess server, LoadTraffic traffic, long warmupNs, long durationNs, Watch watch)
            throws ChildFailedException, IOException, InterruptedException {
        if (generator == null) {
            generator =
                    new LoadProcess(stage.jvm(), stage.pinning(), stage.cpus().load(), stage.children());
        }
        generator.begin(server, inProtocol(server, traffic), stage.loadThreads(threads, traffic.connections()));
        server.askOnce();
        TimeUnit.NANOSECONDS.sleep(warmupNs);
        ServerWords words = ServerWords.before(server);
        generator.beginMeasuring();
        TimeUnit.NANOSECONDS.sleep(durationNs);
        generator.endMeasuring();
        words.after();
        Double bytesPerConnection = watch.whileConnected();
        GeneratorReport report = generator.finish();
        return new Outcome(
                new Measured(
                        report.answers(),
                        report.elapsedNs(),
                        report.latency(),
                        report.server(),
                        words.allocatedBytes(),
                        report.load(),
                        report.histogram(),
                        report.errors(),
                        words.counts(),
                        bytesPerConnection,
                        report.generatorLimited(),
                        report.fast(),
                        report.datagrams()),
                failure(report));
    }

    /** If the protocol is HTTP, adds the length of the server's answers, by which the generator recognizes right answers. */
    private static LoadTraffic inProtocol(ServerProcess server, LoadTraffic traffic) throws ChildFailedException {
        if (!server.protocol().isHttp()) {
            return traffic;
        }
        try {
            int answerBytes = PlaintextProbe.answerBytes(server.address().resolve(), server.tls());
            return traffic.withHttp(new HttpGet(server.address().toString(), answerBytes));
        } catch (IOException wrong) {
            throw server.failed("gave a wrong answer: " + wrong.getMessage());
        }
    }

    /** Returns null if every request got its right answer. */
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

    @Override
    public void close() {
        if (generator != null) {
            generator.close();
            generator = null;
        }
    }
}
