package org.cabrank.bench.run;

import java.io.IOException;
import java.nio.file.Path;
import java.util.List;
import java.util.concurrent.TimeUnit;
import org.cabrank.bench.load.LoadTraffic;
import org.cabrank.bench.measure.ProcessSample;
import org.cabrank.bench.text.HostPort;
import org.cabrank.kernel.Errno;
import org.cabrank.kernel.Events;

/**
 * One run of wrk, from its start to its results. It knows whole seconds only, but ends early when it is interrupted: within
 * 100 ms, its threads look as often whether they are to end. What it then says is of the time that it really took.
 */
final class WrkProcess implements AutoCloseable {

    private static final String READY = "ready ";
    private static final String CONNECTING = "connections";
    private static final String MEASURED = "measured ";
    private static final String RESULT = "result ";
    private static final String LATENCIES = "latencies";
    /** Maximum number of wrk's own lines: two at the beginning, a table at the end. */
    private static final int OWN_LINES_MAX = 32;

    private static final long START_TIMEOUT_NS = TimeUnit.SECONDS.toNanos(60);
    /** Less than the time after which it ends by itself: an interruption that it did not hear of does not go unnoticed. */
    private static final long END_TIMEOUT_NS = TimeUnit.SECONDS.toNanos(20);
    /** Longer than it takes to end: by then it has not heard. */
    private static final long HEARD_NS = TimeUnit.SECONDS.toNanos(1);

    private static final long ASLEEP_TIMEOUT_NS = TimeUnit.SECONDS.toNanos(1);

    private static final long BY_ITSELF_NS = TimeUnit.SECONDS.toNanos(30);
    /** Time in s that wrk waits for an answer; wrk keeps a counter for each microsecond of it. */
    private static final long ANSWER_TIMEOUT_S = 10;

    private final Stage stage;
    private final Child child;
    private double cpuSecondsBefore;
    private double cpuSecondsAfter;
    private boolean endedInTime = true;

    /**
     * Starts {@code program} with {@code script}, not yet its load.
     *
     * @param openSslConfiguration file for OpenSSL, if the server speaks TLS; null: plain text
     * @param threads a divisor of the connections: wrk leaves out what is left over
     * @param durationNs after which {@link #end} is going to be called
     */
    WrkProcess(
            Stage stage,
            Path program,
            Path script,
            HostPort server,
            Path openSslConfiguration,
            LoadTraffic traffic,
            int threads,
            long durationNs)
            throws IOException {
        this.stage = stage;
        List<String> command = List.of(
                program.toString(),
                "--threads=" + threads,
                "--connections=" + traffic.connections(),
                "--duration=" + TimeUnit.NANOSECONDS.toSeconds(durationNs + BY_ITSELF_NS) + "s",
                "--timeout=" + ANSWER_TIMEOUT_S + "s",
                "--script=" + script,
                (openSslConfiguration == null ? "http://" : "https://") + server + "/");
        ProcessBuilder wrk = new ProcessBuilder(command);
        if (openSslConfiguration != null) {
            wrk.environment().put("OPENSSL_CONF", openSslConfiguration.toString());
        }
        child = new Child("wrk", wrk, stage.pinning(), stage.cpus().load(), stage.children());
    }

    /** Waits until it can begin. */
    void awaitReady() throws ChildFailedException, InterruptedException {
        cpuSecondsBefore = Double.parseDouble(child.await(READY, START_TIMEOUT_NS));
    }

    ProcessSample sample() throws ChildFailedException {
        try {
            return ProcessSample.of(child.pid());
        } catch (IOException gone) {
            throw child.failed("ended while it was needed: " + gone.getMessage());
        }
    }

    /** Lets it connect and load the server; returns when it has begun to. */
    void begin() throws ChildFailedException, InterruptedException {
        child.send("go");
        ownLinesTo(line -> line.endsWith(CONNECTING), START_TIMEOUT_NS);
    }

    /**
     * Ends the load; returns when its threads have ended. All connections still stand.
     *
     * <p>Its first thread sleeps as long as the load is to last, and an interruption ends that sleep. One that comes before it
     * sleeps ends the load as well, but then it sleeps all the same, and counts that as time of the load.
     */
    void end() throws ChildFailedException, IOException, InterruptedException {
        awaitAsleep();
        interrupt();
        for (long waitedNs = 0; !child.speaks(HEARD_NS) && waitedNs < END_TIMEOUT_NS; waitedNs += HEARD_NS) {
            endedInTime = false;
            interrupt();
        }
        cpuSecondsAfter = Double.parseDouble(
                ownLinesTo(line -> line.startsWith(MEASURED), END_TIMEOUT_NS).substring(MEASURED.length()));
    }

    private void awaitAsleep() throws InterruptedException {
        long startNs = System.nanoTime();
        while (!asleep() && System.nanoTime() - startNs < ASLEEP_TIMEOUT_NS) {
            TimeUnit.MILLISECONDS.sleep(1);
        }
    }

    /** Returns true if wrk's first thread is blocked, or wrk has ended; its next line of output shows which. */
    private boolean asleep() {
        try {
            return ProcessSample.firstThreadRests(child.pid());
        } catch (IOException ended) {
            return true;
        }
    }

    private void interrupt() throws IOException {
        int result = stage.kernel().kill(Math.toIntExact(child.pid()), Events.SIGINT);
        // A process that has ended needs no signal; its next line of output shows the result.
        if (result != -Errno.ESRCH) {
            Errno.check("kill", result);
        }
    }

    /** Returns true if wrk slept no longer than it sent load; otherwise its result covers a different time. */
    boolean endedInTime() {
        return endedInTime;
    }

    ChildFailedException endedLate() {
        return child.failed("was interrupted before it slept, again and again");
    }

    /** CPU time in ns that wrk used while it sent load: exact, although the threads that sent it have ended. */
    long cpuNs() {
        return Math.round((cpuSecondsAfter - cpuSecondsBefore) * 1e9);
    }

    /** Reads wrk's result. */
    WrkResult result() throws ChildFailedException, InterruptedException {
        child.send("result");
        String result = child.await(RESULT, END_TIMEOUT_NS);
        try {
            return WrkResult.parse(result, child.await(LATENCIES, END_TIMEOUT_NS));
        } catch (IllegalArgumentException garbled) {
            throw child.failed("said what cannot be read: " + garbled.getMessage());
        }
    }

    private interface Wanted {
        boolean is(String line);
    }

    private String ownLinesTo(Wanted wanted, long timeoutNs) throws ChildFailedException, InterruptedException {
        String line = child.await("", timeoutNs);
        for (int lines = 1; !wanted.is(line); lines++) {
            if (lines == OWN_LINES_MAX) {
                throw child.failed("said more than it was asked: " + line);
            }
            line = child.await("", timeoutNs);
        }
        return line;
    }

    @Override
    public void close() {
        child.close();
    }
}
