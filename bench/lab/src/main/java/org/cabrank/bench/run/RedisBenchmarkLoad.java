package org.cabrank.bench.run;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.InetSocketAddress;
import java.nio.charset.StandardCharsets;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import org.cabrank.bench.load.GeneratorEffort;
import org.cabrank.bench.load.GeneratorLimit;
import org.cabrank.bench.load.LoadTraffic;
import org.cabrank.bench.load.RedisTest;
import org.cabrank.bench.measure.AllowedCpus;
import org.cabrank.bench.measure.ProcessSample;
import org.cabrank.bench.measure.ProcessUsage;
import org.cabrank.bench.report.RunRecord.Latency;
import org.cabrank.bench.report.RunRecord.Measured;

/**
 * Load by redis-benchmark: one process for each interval, with one thread. The program takes a number of requests and not a time, so the
 * number follows from the rate of the interval before.
 */
final class RedisBenchmarkLoad implements Loader {
    private static final int PASSING_TOGETHER = 64;
    private static final int PASSING_TIMES = 8;
    private static final long LOOK_NS = 5_000_000;

    /** Time in ns that a run may take in addition to the time that it was meant to take. */
    private static final long END_TIMEOUT_NS = 60_000_000_000L;

    /** The program keeps its {@code -n} in an int. */
    private static final long REQUESTS_MAX = Integer.MAX_VALUE;

    /** Named bound: runs that find the rate of a server that was not measured yet. */
    private static final int CALIBRATIONS_MAX = 12;

    /** Factor between these runs. */
    private static final int GROWTH = 4;

    private static final double NS_PER_SECOND = 1e9;

    private final Stage stage;

    /** Requests per second by server and traffic. */
    private final Map<String, Double> rates = new HashMap<>();

    RedisBenchmarkLoad(Stage stage) {
        this.stage = stage;
    }

    /** A run of the program. {@code lastLoad} was taken shortly before the end: a process that has ended tells nothing. */
    private record Run(RedisBenchmarkResult result, ProcessSample firstLoad, ProcessSample lastLoad) {}

    @Override
    public Outcome run(ServerProcess server, LoadTraffic traffic, long warmupNs, long durationNs, Watch watch)
            throws ChildFailedException, IOException, InterruptedException {
        if (traffic.redis() != RedisTest.GET_BESIDE_SLEEP) {
            return measure(server, traffic, durationNs, watch);
        }
        SleepingClient sleeper = SleepingClient.start(address(server));
        try {
            return measure(server, traffic, durationNs, watch);
        } finally {
            sleeper.close();
        }
    }

    private static InetSocketAddress address(ServerProcess server) throws IOException {
        return server.address().resolve();
    }

    /** Opens and closes connections during a warm-up, of which the windows have too few. */
    @Override
    public void comeAndGo(ServerProcess server) throws ChildFailedException {
        try {
            for (int i = 0; i < PASSING_TIMES; i++) {
                SleepingClient.ping(address(server), PASSING_TOGETHER);
            }
        } catch (IOException wrong) {
            throw server.failed("gave no answer to some of its clients: " + wrong.getMessage());
        }
    }

    /** Returns the number of requests that last about as long as wanted. */
    private long requests(ServerProcess server, LoadTraffic traffic, long durationNs)
            throws ChildFailedException, IOException, InterruptedException {
        String key = server.pid() + " " + traffic.redis() + " " + traffic.depth() + " " + traffic.connections();
        long least = (long) traffic.connections() * traffic.depth();
        Double rate = rates.get(key);
        long requests = least;
        for (int i = 0; rate == null && i < CALIBRATIONS_MAX; i++) {
            Run run = run(server, traffic, requests, durationNs);
            if (run.result.elapsedNs() * GROWTH >= durationNs || i + 1 == CALIBRATIONS_MAX) {
                rate = run.result.perSecond();
            }
            requests *= GROWTH;
        }
        rates.put(key, rate);
        return Math.min(REQUESTS_MAX, Math.max(least, Math.round(rate * durationNs / NS_PER_SECOND)));
    }

    private Outcome measure(ServerProcess server, LoadTraffic traffic, long durationNs, Watch watch)
            throws ChildFailedException, IOException, InterruptedException {
        long requests = requests(server, traffic, durationNs);
        server.askOnce();
        ServerWords words = ServerWords.before(server);
        watch.intervalBegins();
        ProcessSample before = sample(server);
        Run run = run(server, traffic, requests, durationNs);
        ProcessUsage serverUse = sample(server).since(before);
        ProcessUsage load = run.lastLoad.since(run.firstLoad);
        watch.intervalEnds();
        words.after();
        Double bytesPerConnection = watch.whileConnected();
        RedisBenchmarkResult result = run.result;
        rates.replaceAll(
                (key, rate) -> key.startsWith(server.pid() + " " + traffic.redis() + " " + traffic.depth() + " ")
                        ? Double.valueOf(result.perSecond())
                        : rate);
        return new Outcome(
                new Measured(
                        result.requests(),
                        result.elapsedNs(),
                        new Latency(
                                result.p50Ns(),
                                result.p99Ns(),
                                result.latencies().getValueAtPercentile(99.9),
                                result.maxNs(),
                                result.latencies().getStdDeviation()),
                        Recorded.usage(serverUse),
                        words.allocatedBytes(),
                        Recorded.usage(load),
                        Recorded.compressed(result.latencies()),
                        Map.of(),
                        words.counts(),
                        bytesPerConnection,
                        GeneratorLimit.words(
                                new GeneratorEffort(load.elapsedNs(), load.cpuNs(), 1, 0, 0, 0),
                                stage.cpus().load().size(),
                                new GeneratorLimit.Server(
                                        serverUse.cpusBusy(), serverUse.busiestThread(), cpus(server)))),
                null);
    }

    /** Sends that many requests, which are meant to take {@code durationNs} at most. */
    private Run run(ServerProcess server, LoadTraffic traffic, long requests, long durationNs)
            throws ChildFailedException, IOException, InterruptedException {
        String program = RedisBenchmark.program()
                .orElseThrow(() -> new IOException(RedisBenchmark.obstacle()))
                .toString();
        InetSocketAddress address = address(server);
        ProcessBuilder command = new ProcessBuilder(List.of(
                        program,
                        "-h",
                        address.getAddress().getHostAddress(),
                        "-p",
                        String.valueOf(address.getPort()),
                        "-t",
                        traffic.redis().argument(),
                        "-c",
                        String.valueOf(traffic.connections()),
                        "-P",
                        String.valueOf(traffic.depth()),
                        "-n",
                        String.valueOf(requests),
                        "-e"))
                .redirectErrorStream(true);
        Process process = stage.pinning().start(command, stage.cpus().load());
        stage.children().add(process);
        try {
            process.getOutputStream().close();
            CompletableFuture<String> output = CompletableFuture.supplyAsync(() -> output(process));
            ProcessSample first = ProcessSample.of(process.pid());
            ProcessSample last = first;
            long beginNs = System.nanoTime();
            while (!process.waitFor(LOOK_NS, TimeUnit.NANOSECONDS)) {
                last = sample(process.pid(), last);
                if (System.nanoTime() - beginNs > durationNs + END_TIMEOUT_NS) {
                    throw server.failed("has not answered all requests of redis-benchmark within 60 s of the time that"
                            + " they were meant to take");
                }
            }
            return new Run(RedisBenchmarkResult.parse(output.join(), requests), first, last);
        } catch (IllegalArgumentException wrong) {
            throw server.failed(
                    "was not measured: " + wrong.getMessage() + " (ended with status " + process.exitValue() + ")");
        } finally {
            process.destroyForcibly();
        }
    }

    private static String output(Process process) {
        try {
            return new String(process.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
        } catch (IOException broken) {
            throw new UncheckedIOException(broken);
        }
    }

    /** Returns the former sample of a process that has ended. */
    private static ProcessSample sample(long pid, ProcessSample former) {
        try {
            return ProcessSample.of(pid);
        } catch (IOException ended) {
            return former;
        }
    }

    private static ProcessSample sample(ServerProcess server) throws ChildFailedException {
        try {
            return ProcessSample.of(server.pid());
        } catch (IOException gone) {
            throw server.failed("ended while it was measured: " + gone.getMessage());
        }
    }

    private static int cpus(ServerProcess server) throws ChildFailedException {
        try {
            return AllowedCpus.of(server.pid()).size();
        } catch (IOException gone) {
            throw server.failed("ended while it was measured: " + gone.getMessage());
        }
    }
}
