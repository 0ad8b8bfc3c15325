package org.cabrank.bench.cli;

import java.io.IOException;
import java.io.PrintWriter;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Locale;
import java.util.concurrent.TimeUnit;
import org.cabrank.affinity.CpuList;
import org.cabrank.bench.load.GeneratorLimit;
import org.cabrank.bench.load.datagram.DatagramGenerator;
import org.cabrank.bench.load.datagram.DatagramLoad;
import org.cabrank.bench.load.datagram.DatagramReport;
import org.cabrank.bench.load.datagram.DatagramResult;
import org.cabrank.bench.report.JsonFile;
import org.cabrank.bench.text.Counted;

/** A run of {@code cabrank load --udp}. It fails if a larger share than {@code lossMax} (0 to 1) is lost. {@code cpus} may be null. */
record DatagramLoadRun(
        String target,
        DatagramLoad load,
        double lossMax,
        Duration warmup,
        Duration duration,
        CpuList cpus,
        Path json,
        PrintWriter out,
        PrintWriter err) {

    private static final double MB = 1e6;
    private static final double PERCENT = 100;

    /** Maximum wait for the first answer. The run continues without an answer. */
    private static final long FIRST_ANSWER_NS = TimeUnit.SECONDS.toNanos(1);

    /** Runs to the end or to Ctrl-C. Returns the exit status. */
    int run() throws InterruptedException, IOException {
        LoadTimes times = new LoadTimes(err);
        DatagramGenerator generator =
                DatagramGenerator.start(CommandMachine.kernel(), load, CommandMachine.pinningInTurn(cpus));
        try {
            if (generator.awaitAnswer(FIRST_ANSWER_NS) == DatagramGenerator.Start.REFUSED) {
                printErrors(generator.finish());
                return Errors.FAILED;
            }
            return measure(generator, times) ? 0 : Errors.FAILED;
        } finally {
            times.close();
        }
    }

    private boolean measure(DatagramGenerator generator, LoadTimes times) throws InterruptedException, IOException {
        times.pass("warm-up", warmup, generator::run);
        if (times.endedBeforeMeasuring()) {
            generator.finish();
            return false;
        }
        long beginMs = System.currentTimeMillis();
        generator.beginMeasuring();
        times.pass("measuring", duration, generator::run);
        generator.endMeasuring();
        long endMs = System.currentTimeMillis();
        DatagramResult result = generator.finish();
        times.printEnd();
        DatagramReport report = DatagramReport.of(target, load, beginMs, endMs, result, limit(result));
        print(report);
        boolean right = printErrors(result);
        if (json != null) {
            JsonFile.write(report, json);
        }
        return right;
    }

    private void print(DatagramReport report) {
        double perSecond = report.answersPerSecond();
        out.printf(
                Locale.ROOT,
                "%,.0f answers/s, %,.1f MB/s each way, over %.1f s%n",
                perSecond,
                perSecond * load.sizeBytes() / MB,
                report.elapsedNs() / 1e9);
        out.printf(
                Locale.ROOT,
                "sent %,d, lost %,d (%.3f %%), reordered %,d, duplicated %,d, late %,d%n",
                report.sent(),
                report.lost(),
                PERCENT * report.lossRatio(),
                report.reordered(),
                report.duplicated(),
                report.late());
        LoadPrinter.latency(out, report.latency());
        out.flush();
        if (report.limit() != null) {
            err.println("warning: " + report.limit());
        }
        if (report.drops() > 0) {
            err.printf(
                    Locale.ROOT,
                    "warning: the load generator's own sockets dropped %,d answers, which count as lost: raise sysctl"
                            + " net.core.rmem_max, or use more --threads%n",
                    report.drops());
        }
        err.flush();
    }

    private boolean printErrors(DatagramResult result) {
        result.errors().forEach((kind, times) -> err.println("error: " + kind + ", " + Counted.of(times, "time")));
        if (result.errors().containsKey("ECONNREFUSED")) {
            err.println("nothing listens on " + target
                    + " (UDP): is the server running? 'cabrank serve echo --udp' starts one");
        }
        if (load.segmented() && result.errors().keySet().stream().anyMatch(kind -> kind.contains("UDP_SEGMENT"))) {
            err.println("datagrams of " + load.sizeBytes()
                    + " bytes are too long for segments of this route: lower --size, or leave out --segments");
        }
        if (result.wrong() > 0) {
            err.printf(
                    Locale.ROOT,
                    "error: wrong answer, %,d times: another length or content than that of any datagram sent%n",
                    result.wrong());
        }
        boolean silent = result.received() == 0;
        if (silent && result.errors().isEmpty()) {
            err.println("error: no answer came: " + target
                    + " drops the datagrams, sends nothing back, or a firewall is between; 'cabrank serve echo --udp'"
                    + " answers");
        }
        boolean lossy = !silent && result.lossRatio() > lossMax;
        if (lossy) {
            err.printf(
                    Locale.ROOT,
                    "error: %,d of %,d datagrams were lost; --loss-max PERCENT allows for loss%n",
                    result.lost(),
                    result.sent());
        }
        err.flush();
        return result.errors().isEmpty() && result.wrong() == 0 && !silent && !lossy;
    }

    private String limit(DatagramResult result) {
        int usable = cpus == null ? Runtime.getRuntime().availableProcessors() : cpus.size();
        return GeneratorLimit.text(result.effort(), usable, null);
    }
}
