package org.cabrank.bench.run;

import java.io.IOException;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import org.cabrank.bench.load.HttpGet;
import org.cabrank.bench.load.LoadTraffic;
import org.cabrank.bench.report.GeneratorReport;
import org.cabrank.bench.report.RunRecord.Measured;

/** Load from this program's own generator: one process for all intervals, replaced if it fails. */
final class GeneratedLoad implements AutoCloseable {

    /** @param failure the reason why the numbers are invalid; null if they are valid */
    record Outcome(Measured measured, String failure) {}

    /** Observes a server outside the measured time, so that the observer need not hurry. */
    @FunctionalInterface
    interface Watch {

        Watch NOBODY = () -> null;

        /** Called after the interval, while all connections exist. Returns user-space bytes per idle connection; null if not measured. */
        Double whileConnected() throws ChildFailedException, InterruptedException;
    }

    private static final int WARMUP_CONNECTIONS = 64;
    private static final int WARMUP_BYTES = 64;

    private final Stage stage;
    private final int threads;
    private final long warmupNs;
    private LoadProcess generator;

    /** {@code threads}: as in {@link Stage#loadThreads}. {@code warmupNs}: time until a new generator's code is compiled. */
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

    /** Connects, loads {@code server} for {@code warmupNs} and then {@code durationNs}, which is measured, and disconnects. */
    Outcome run(ServerProcess server, LoadTraffic traffic, long warmupNs, long durationNs, Watch watch)
            throws ChildFailedException, IOException, InterruptedException {
        boolean done = false;
        try {
            Outcome outcome = measure(server, traffic, warmupNs, durationNs, watch);
            done = true;
            return outcome;
        } finally {
            if (!done) {
                // The state of the generator is unknown: it may not expect another request.
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

    /** Adds the length of the server's answers, which a generator over HTTP must know. */
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
