package org.cabrank.bench.cli;

import java.io.PrintWriter;
import java.util.Locale;
import org.cabrank.bench.load.LoadReport;
import org.cabrank.bench.load.LoadReport.Percentiles;
import org.cabrank.bench.load.Pattern;
import org.cabrank.bench.text.Counted;
import org.cabrank.bench.text.Durations;

record LoadPrinter(PrintWriter out, PrintWriter err) {

    void print(LoadReport report) {
        out.printf(
                Locale.ROOT,
                "%,.0f %s, %,.1f MB/s each way, over %.1f s%n",
                report.answersPerSecond(),
                unit(report.generator().traffic().pattern()),
                report.bytesPerSecond() / 1e6,
                report.elapsedNs() / 1e9);
        latency(out, report.latency());
        out.flush();
        if (report.generator().limit() != null) {
            err.println("warning: " + report.generator().limit());
        }
        err.flush();
    }

    static void latency(PrintWriter out, Percentiles latency) {
        if (latency != null) {
            out.printf(
                    Locale.ROOT,
                    "latency p50 %s  p99 %s  p99.9 %s  max %s%n",
                    Durations.format(latency.p50Ns()),
                    Durations.format(latency.p99Ns()),
                    Durations.format(latency.p999Ns()),
                    Durations.format(latency.maxNs()));
        }
    }

    private static String unit(Pattern pattern) {
        return switch (pattern) {
            case STREAMING, RANDOM_CHUNKS -> "chunks/s";
            case CHURN -> "connections/s";
            case PING_PONG, BURSTS -> "requests/s";
        };
    }

    /** Prints the errors. Returns true if there were none and an answer arrived. {@code firstWrongAnswer} is null if it is not known. */
    boolean printErrors(LoadReport report, String firstWrongAnswer) {
        report.errors().forEach((kind, times) -> err.println("error: " + kind + ", " + Counted.of(times, "time")));
        if (firstWrongAnswer != null) {
            err.println("the first wrong answer: " + firstWrongAnswer);
        }
        boolean nothingCame = report.answers() == 0;
        if (nothingCame && report.errors().isEmpty()) {
            err.println("error: no answer came in the measured interval");
        }
        err.flush();
        return report.errors().isEmpty() && !nothingCame;
    }
}
