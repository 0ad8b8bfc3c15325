package org.cabrank.bench.run;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.cabrank.bench.load.LoadTraffic;

/**
 * HTTP/1.1 load by nghttp2's h2load, one process and one thread for each interval. The program reports requests per second and
 * no percentiles, so it is only there to check the rates of other generators.
 */
final class H2Load implements RateSource {

    static final ProgramOnPath PROGRAM = new ProgramOnPath("h2load", "nghttp2-client");

    private static final Pattern VERSION = Pattern.compile("h2load (.+)");
    private static final Pattern FINISHED = Pattern.compile("finished in [^,]+, ([0-9.]+) req/s");
    private static final Pattern REQUESTS = Pattern.compile(
            "requests: .* ([0-9]+) done, ([0-9]+) succeeded, ([0-9]+) failed, ([0-9]+) errored, ([0-9]+) timeout");

    private static final Pattern NOTHING = Pattern.compile("requests: 0 total");

    private static final long MS_NS = 1_000_000;

    /** Until all connections stand and have their first answer, for which h2load takes some 50 ms. */
    private static final long WARMUP_MS = 100;

    private static final long DURATION_MIN_MS = 250;

    /** Named bound: runs for one rate. A busy machine answers nothing for a while, and each run is twice as long. */
    private static final int ATTEMPTS_MAX = 5;

    private static final long END_TIMEOUT_MS = 60_000;

    private final Stage stage;

    H2Load(Stage stage) {
        this.stage = stage;
    }

    /** The version that the program reports; empty if unknown. */
    static Optional<String> version() {
        return PROGRAM.version(VERSION);
    }

    @Override
    public String name() {
        return "h2load";
    }

    @Override
    public double perSecond(ServerProcess server, LoadTraffic traffic, long durationNs)
            throws ChildFailedException, IOException, InterruptedException {
        long ms = Math.max(DURATION_MIN_MS, durationNs / MS_NS);
        for (int attempt = 1; ; attempt++, ms *= 2) {
            String output = output(server, traffic, ms);
            if (attempt == ATTEMPTS_MAX || !NOTHING.matcher(output).find()) {
                return perSecond(output);
            }
        }
    }

    private String output(ServerProcess server, LoadTraffic traffic, long durationMs)
            throws IOException, InterruptedException {
        String program = PROGRAM.path()
                .orElseThrow(() -> new IOException(PROGRAM.obstacle()))
                .toString();
        ProcessBuilder command = new ProcessBuilder(List.of(
                        program,
                        "--h1",
                        "--clients=" + traffic.connections(),
                        "--threads=1",
                        "--warm-up-time=" + WARMUP_MS + "ms",
                        "--duration=" + durationMs + "ms",
                        "http://" + server.address() + "/"))
                .redirectErrorStream(true);
        Process process = stage.pinning().start(command, stage.cpus().load());
        stage.children().add(process);
        try {
            process.getOutputStream().close();
            CompletableFuture<String> output = CompletableFuture.supplyAsync(() -> output(process));
            if (!process.waitFor(durationMs + END_TIMEOUT_MS, TimeUnit.MILLISECONDS)) {
                throw new IOException("h2load did not end within " + END_TIMEOUT_MS + " ms of its time");
            }
            return output.join();
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

    /**
     * Reads the requests per second from the program's output.
     *
     * @throws IOException if a request failed, or if the output is not h2load's
     */
    static double perSecond(String output) throws IOException {
        Matcher finished = FINISHED.matcher(output);
        Matcher requests = REQUESTS.matcher(output);
        if (!finished.find() || !requests.find()) {
            String last = output.lines().reduce((one, next) -> next).orElse("nothing");
            throw new IOException("h2load reported no rate: it printed '" + last + "' at the end");
        }
        if (Long.parseLong(requests.group(2)) == 0 || !requests.group(1).equals(requests.group(2))) {
            throw new IOException("h2load had requests that failed: " + requests.group());
        }
        return Double.parseDouble(finished.group(1));
    }
}
