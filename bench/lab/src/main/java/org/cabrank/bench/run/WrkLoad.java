package org.cabrank.bench.run;

import java.io.IOException;
import java.io.InputStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.util.Map;
import java.util.TreeMap;
import java.util.concurrent.TimeUnit;
import java.util.stream.Collectors;
import org.cabrank.bench.load.GeneratorEffort;
import org.cabrank.bench.load.GeneratorLimit;
import org.cabrank.bench.load.LoadTraffic;
import org.cabrank.bench.measure.AllowedCpus;
import org.cabrank.bench.measure.ProcessSample;
import org.cabrank.bench.measure.ProcessUsage;
import org.cabrank.bench.report.RunRecord.Measured;
import org.cabrank.bench.report.RunRecord.Usage;

/**
 * HTTP load by wrk: one process for each interval. wrk counts from its first connection on and cannot exclude a warm-up, so
 * no load precedes the measured time.
 */
final class WrkLoad implements Loader, AutoCloseable {

    private static final String SCRIPT = "wrk.lua";
    private static final String OPENSSL_CONFIGURATION = "wrk-openssl.cnf";
    private static final int PASSING_TOGETHER = 64;
    private static final int PASSING_TIMES = 8;
    /** Over TLS each of them makes a handshake, which takes longer than all else. */
    private static final int PASSING_TIMES_TLS = 1;

    private static final String LENGTH = "answers of another length";
    /** Named bound: runs of wrk for one interval. */
    private static final int ATTEMPTS_MAX = 3;

    private static final String GONE = "ended while it was measured: ";

    private final Stage stage;
    private final int threads;
    private Path script;

    /** Version, cipher suite and group that wrk offers; null as long as no server has spoken TLS. */
    private Path openSslConfiguration;

    /** @param threads as {@link Stage#loadThreads} takes them */
    WrkLoad(Stage stage, int threads) {
        this.stage = stage;
        this.threads = threads;
    }

    @Override
    public Outcome run(ServerProcess server, LoadTraffic traffic, long warmupNs, long durationNs, Watch watch)
            throws ChildFailedException, IOException, InterruptedException {
        int answerBytes = answerBytes(server);
        for (int attempt = 1; ; attempt++) {
            try (WrkProcess wrk = start(server, traffic, durationNs)) {
                Outcome outcome = measure(wrk, server, traffic, durationNs, watch, answerBytes);
                if (wrk.endedInTime()) {
                    return outcome;
                }
                if (attempt == ATTEMPTS_MAX) {
                    throw wrk.endedLate();
                }
            }
        }
    }

    /**
     * Opens and closes connections during a warm-up by wrk. A window of such a warm-up is long and has few connections, so
     * that the server's code for opening and closing them would run too rarely to be compiled, and would be compiled while
     * the server is measured.
     */
    @Override
    public void comeAndGo(ServerProcess server) throws ChildFailedException {
        try {
            int times = server.tls() == null ? PASSING_TIMES : PASSING_TIMES_TLS;
            for (int i = 0; i < times; i++) {
                PassingClients.pass(server.address().resolve(), server.tls(), PASSING_TOGETHER);
            }
        } catch (IOException wrong) {
            throw server.failed("gave no answer to some of its clients: " + wrong.getMessage());
        }
    }

    private static int answerBytes(ServerProcess server) throws ChildFailedException {
        try {
            return PlaintextProbe.answerBytes(server.address().resolve(), server.tls());
        } catch (IOException wrong) {
            throw server.failed("gave a wrong answer: " + wrong.getMessage());
        }
    }

    private WrkProcess start(ServerProcess server, LoadTraffic traffic, long durationNs)
            throws ChildFailedException, IOException, InterruptedException {
        if (script == null) {
            script = written(SCRIPT, ".lua");
        }
        if (server.tls() != null && openSslConfiguration == null) {
            openSslConfiguration = written(OPENSSL_CONFIGURATION, ".cnf");
        }
        Path program = Wrk.program().orElseThrow(() -> new IOException(Wrk.obstacle()));
        WrkProcess wrk = new WrkProcess(
                stage,
                program,
                script,
                server.address(),
                server.tls() == null ? null : openSslConfiguration,
                traffic,
                threads(traffic.connections()),
                durationNs);
        boolean ready = false;
        try {
            wrk.awaitReady();
            ready = true;
            return wrk;
        } finally {
            if (!ready) {
                wrk.close();
            }
        }
    }

    /** Each has as many connections: wrk would leave out what is left over. */
    private int threads(int connections) {
        int most = stage.loadThreads(threads, connections);
        while (connections % most != 0) {
            most--;
        }
        return most;
    }

    private static Path written(String name, String ending) throws IOException {
        Path file = Files.createTempFile("cabrank-", ending);
        // Also when the user ends the bench.
        file.toFile().deleteOnExit();
        try (InputStream resource = WrkLoad.class.getResourceAsStream(name)) {
            Files.copy(resource, file, StandardCopyOption.REPLACE_EXISTING);
        }
        return file;
    }

    private Outcome measure(
            WrkProcess wrk, ServerProcess server, LoadTraffic traffic, long durationNs, Watch watch, int answerBytes)
            throws ChildFailedException, IOException, InterruptedException {
        server.askOnce();
        ServerWords words = ServerWords.before(server);
        int serverCpus = cpus(server);
        watch.intervalBegins();
        ProcessSample loadBefore = wrk.sample();
        ProcessSample serverBefore = sample(server);
        wrk.begin();
        TimeUnit.NANOSECONDS.sleep(durationNs);
        wrk.end();
        ProcessUsage serverUse = sample(server).since(serverBefore);
        Usage load = exact(Recorded.usage(wrk.sample().since(loadBefore)), wrk.cpuNs());
        watch.intervalEnds();
        words.after();
        Double bytesPerConnection = watch.whileConnected();
        WrkResult result = wrk.result();
        Map<String, Long> errors = errors(result, traffic.connections(), answerBytes);
        return new Outcome(
                new Measured(
                        result.answers(),
                        result.elapsedNs(),
                        Recorded.latency(result.latencies()),
                        Recorded.usage(serverUse),
                        words.allocatedBytes(),
                        load,
                        Recorded.compressed(result.latencies()),
                        errors,
                        words.counts(),
                        bytesPerConnection,
                        GeneratorLimit.words(
                                new GeneratorEffort(
                                        load.elapsedNs(), load.cpuNs(), threads(traffic.connections()), 0, 0, 0),
                                stage.cpus().load().size(),
                                new GeneratorLimit.Server(
                                        serverUse.cpusBusy(), serverUse.busiestThread(), serverCpus))),
                failure(result, errors));
    }

    private static int cpus(ServerProcess server) throws ChildFailedException {
        try {
            return AllowedCpus.of(server.pid()).size();
        } catch (IOException gone) {
            throw server.failed(GONE + gone.getMessage());
        }
    }

    private static ProcessSample sample(ServerProcess server) throws ChildFailedException {
        try {
            return ProcessSample.of(server.pid());
        } catch (IOException gone) {
            throw server.failed(GONE + gone.getMessage());
        }
    }

    /** The threads that loaded the server have ended: what they took is known to wrk itself more exactly than by ticks. */
    private static Usage exact(Usage sampled, long cpuNs) {
        return new Usage(
                cpuNs,
                sampled.ringThreadsNs(),
                sampled.compilerNs(),
                sampled.userTicks(),
                sampled.systemTicks(),
                sampled.switches(),
                sampled.migrations(),
                sampled.elapsedNs());
    }

    /**
     * wrk takes only a status from 400 on for an error and does not look at contents. But all right answers have one length,
     * and at the end each connection may have received a part of one more.
     */
    static Map<String, Long> errors(WrkResult result, int connections, int answerBytes) {
        Map<String, Long> errors = new TreeMap<>(result.errors());
        long least = result.answers() * answerBytes;
        long most = least + (long) connections * answerBytes;
        if (errors.isEmpty() && (result.bytes() < least || result.bytes() > most)) {
            errors.put(LENGTH, 1L);
        }
        return errors;
    }

    /** Null when every answer that came was right. */
    private static String failure(WrkResult result, Map<String, Long> errors) {
        if (!errors.isEmpty()) {
            return errors.entrySet().stream()
                    .map(error -> error.getKey().equals(LENGTH)
                            ? LENGTH
                            : error.getKey() + " (" + error.getValue() + " times)")
                    .collect(Collectors.joining(", "));
        }
        return result.answers() == 0 ? "not one answer in the measured interval" : null;
    }

    @Override
    public void close() throws IOException {
        if (script != null) {
            Files.deleteIfExists(script);
            script = null;
        }
        if (openSslConfiguration != null) {
            Files.deleteIfExists(openSslConfiguration);
            openSslConfiguration = null;
        }
    }
}
