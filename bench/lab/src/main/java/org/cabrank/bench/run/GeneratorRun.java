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

/** A load that is running in the generator's process. It has received its first answers. */
interface GeneratorRun {

    /** @param latencyDelayNs latencies count only after this time, because earlier requests may have waited for the CPU */
    void beginMeasuring(long latencyDelayNs) throws InterruptedException;

    void endMeasuring();

    IntervalResult finish() throws InterruptedException;

    void end() throws InterruptedException;

    /** Latencies are in ns. {@code fastLatencies} is null if the load is not HTTP. {@code datagrams} is null if the load is not UDP. */
    record IntervalResult(
            long answers,
            long elapsedNs,
            Histogram latencies,
            Map<String, Long> errors,
            String firstWrongAnswer,
            GeneratorEffort effort,
            Histogram fastLatencies,
            DatagramCounts datagrams) {

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
