package org.cabrank.bench.cli;

import java.io.PrintWriter;
import java.util.Locale;
import org.cabrank.bench.load.LoadReport;
import org.cabrank.bench.load.datagram.FanOutSubscribers;
import org.cabrank.bench.text.Counted;
import org.cabrank.bench.text.Durations;

/**
 * Subscribers of a gateway that passes the datagrams of a run on, and the memory of the gateway.
 *
 * @param name address of the gateway as the user has named it
 * @param pid process of the gateway; 0: its memory is not measured
 */
record FanOutLoad(FanOutSubscribers subscribers, String name, long pid) {
    private static final double PERCENT = 100;
    private static final double MB = 1e6;

    /** Memory of the gateway in bytes; 0 if unknown. */
    long memory() {
        return pid == 0 ? 0 : ResidentMemory.residentBytes(pid);
    }

    /** Prints what the subscribers have seen. */
    void print(FanOutSubscribers.Outcome outcome, long memoryBegin, long memoryEnd, PrintWriter out) {
        out.printf(
                Locale.ROOT,
                "subscribers of %s: %,d frames, lost %,d (%.3f %%), reordered %,d, duplicated %,d, of other publishers or runs %,d%n",
                name,
                outcome.frames(),
                outcome.lost(),
                PERCENT * outcome.lossRatio(),
                outcome.reordered(),
                outcome.duplicated(),
                outcome.foreign());
        LoadReport.Percentiles latency = LoadReport.Percentiles.of(outcome.latencies());
        if (latency != null) {
            out.printf(
                    Locale.ROOT,
                    "datagram due to frame read p50 %s  p99 %s  p99.9 %s  max %s%n",
                    Durations.format(latency.p50Ns()),
                    Durations.format(latency.p99Ns()),
                    Durations.format(latency.p999Ns()),
                    Durations.format(latency.maxNs()));
        }
        if (pid != 0) {
            out.printf(
                    Locale.ROOT,
                    "resident memory of process %d: %,.1f MB at the begin of the measured interval, %,.1f MB at its end%n",
                    pid,
                    memoryBegin / MB,
                    memoryEnd / MB);
        }
        out.flush();
    }

    /** Prints what went wrong; true if nothing did. */
    boolean printErrors(FanOutSubscribers.Outcome outcome, double lossMax, PrintWriter err) {
        outcome.errors()
                .forEach((kind, times) -> err.println("error: subscriber: " + kind + ", " + Counted.of(times, "time")));
        if (outcome.errors().keySet().stream().anyMatch(kind -> kind.contains("ECONNREFUSED"))) {
            err.println(
                    "nothing listens on " + name + ": is the gateway running? 'cabrank serve udp-fanout' starts one");
        }
        if (outcome.starved() > 0) {
            err.println("error: " + Counted.of(outcome.starved(), "subscriber")
                    + " got no frame in the measured interval: has the gateway joined the group on the"
                    + " interface by which the datagrams leave? --interface names it on both sides");
        }
        boolean lossy = outcome.lossRatio() > lossMax;
        if (lossy) {
            err.printf(
                    Locale.ROOT,
                    "error: subscribers lost %s; --loss-max PERCENT allows for loss%n",
                    Counted.of(outcome.lost(), "datagram"));
        }
        err.flush();
        return outcome.errors().isEmpty() && outcome.starved() == 0 && !lossy;
    }
}
