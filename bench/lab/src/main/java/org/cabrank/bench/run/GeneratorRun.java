package org.cabrank.bench.run;

import java.util.Map;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.HdrHistogram.Histogram;
import org.cabrank.bench.load.GeneratorEffort;
import org.cabrank.bench.load.GeneratorLimit;
import org.cabrank.bench.measure.ProcessUsage;
import org.cabrank.bench.report.DatagramCounts;
import org.cabrank.bench.report.GeneratorReport;

/** A running load in the generator's process, which has received its first answers. */
interface GeneratorRun {

    /** @param latencyDelayNs time for which requests may have waited for the CPU of the load; latencies count afterwards */
    void beginMeasuring(long latencyDelayNs) throws InterruptedException;

    void endMeasuring();

    IntervalResult finish() throws InterruptedException;

    void end() throws InterruptedException;

    /**
     * Result of a measured interval; latencies in ns.
     *
     * @param firstWrongAnswer null if all answers were right
     * @param fastLatencies latencies of requests whose handlers did not block; null if answers do not show them
     * @param datagrams null for another load
     */
    record IntervalResult(
            long answers,
            long elapsedNs,
            Histogram latencies,
            Map<String, Long> errors,
            String firstWrongAnswer,
            GeneratorEffort effort,
            Histogram fastLatencies,
            DatagramCounts datagrams) {

        /** {@code server} and {@code load}: resources that these processes used in the interval. */
        GeneratorReport report(ProcessUsage server, ProcessUsage load, GeneratorLimit.Server serverUse) {
            return new GeneratorReport(
                    answers,
                    elapsedNs,
                    Recorded.latency(latencies),
                    Recorded.usage(server),
                    Recorded.usage(load),
                    Recorded.compressed(latencies),
                    errors,
                    firstWrongAnswer,
                    limit(serverUse),
                    Recorded.fast(fastLatencies),
                    datagrams);
        }

        private String limit(GeneratorLimit.Server serverUse) {
            String words = Stream.of(
                            GeneratorLimit.text(effort, Runtime.getRuntime().availableProcessors(), serverUse),
                            dropped())
                    .filter(each -> each != null)
                    .collect(Collectors.joining("; "));
            return words.isEmpty() ? null : words;
        }

        private String dropped() {
            return datagrams == null || datagrams.loadDrops() == 0
                    ? null
                    : "sockets of the load generator dropped " + datagrams.loadDrops()
                            + " answers for lack of room: they are among the lost";
        }
    }
}
