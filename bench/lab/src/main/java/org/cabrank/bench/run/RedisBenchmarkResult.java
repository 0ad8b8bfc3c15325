package org.cabrank.bench.run;

import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.HdrHistogram.Histogram;

/**
 * Result of one run of redis-benchmark.
 *
 * @param requests number of answers
 * @param elapsedNs time of the run in ns, without the start of the program; 1 ms for a run within one tick of the program's clock
 * @param p50Ns median of the latency, as the program states it; so are the other percentiles
 * @param latencies latencies in ns by the program's percentiles: each is the upper end of its class
 */
record RedisBenchmarkResult(long requests, long elapsedNs, long p50Ns, long p99Ns, long maxNs, Histogram latencies) {
    private static final long LATENCY_NS_MAX = 60_000_000_000L;
    private static final int LATENCY_DIGITS = 3;
    private static final double NS_PER_MS = 1e6;
    private static final double NS_PER_SECOND = 1e9;

    /** Unit of the program's clock. Requests that are answered within one unit have a rate of "inf". */
    private static final long CLOCK_NS = 1_000_000;

    private static final String INFINITE = "inf";
    private static final Pattern RATE =
            Pattern.compile("throughput summary: ([\\d.]+|" + INFINITE + ") requests per second");
    private static final Pattern SUMMARY = Pattern.compile(
            "avg +min +p50 +p95 +p99 +max\\s+([\\d.]+) +([\\d.]+) +([\\d.]+) +([\\d.]+) +([\\d.]+) +([\\d.]+)");
    private static final Pattern CLASS =
            Pattern.compile("[\\d.]+% <= ([\\d.]+) milliseconds \\(cumulative count (\\d+)\\)");
    private static final String CLASSES_END = "Cumulative distribution of latencies";
    private static final String ERROR = "Error from server: ";

    /**
     * Reads what the program has printed about one test.
     *
     * @throws IllegalArgumentException if the server has answered with an error, or the text is something else
     */
    static RedisBenchmarkResult parse(String text, long requests) {
        int error = text.indexOf(ERROR);
        if (error >= 0) {
            throw new IllegalArgumentException("the server answers with an error: "
                    + text.substring(error + ERROR.length()).lines().findFirst().orElse(""));
        }
        String perSecond = found(RATE, text).group(1);
        Matcher summary = found(SUMMARY, text);
        Histogram latencies = new Histogram(1, LATENCY_NS_MAX, LATENCY_DIGITS);
        int end = text.indexOf(CLASSES_END);
        Matcher classes = CLASS.matcher(text).region(0, end < 0 ? text.length() : end);
        long before = 0;
        while (classes.find()) {
            long cumulative = Long.parseLong(classes.group(2));
            latencies.recordValueWithCount(ns(classes.group(1)), cumulative - before);
            before = cumulative;
        }
        return new RedisBenchmarkResult(
                requests,
                perSecond.equals(INFINITE)
                        ? CLOCK_NS
                        : Math.round(requests / Double.parseDouble(perSecond) * NS_PER_SECOND),
                ns(summary.group(3)),
                ns(summary.group(5)),
                ns(summary.group(6)),
                latencies);
    }

    private static Matcher found(Pattern pattern, String text) {
        Matcher matcher = pattern.matcher(text);
        if (!matcher.find()) {
            throw new IllegalArgumentException("redis-benchmark has printed no result: "
                    + text.lines()
                            .filter(line -> !line.isBlank())
                            .reduce((first, last) -> last)
                            .orElse("nothing"));
        }
        return matcher;
    }

    private static long ns(String ms) {
        return Math.max(1, Math.min(LATENCY_NS_MAX, Math.round(Double.parseDouble(ms) * NS_PER_MS)));
    }

    double perSecond() {
        return requests * NS_PER_SECOND / elapsedNs;
    }
}
