package org.cabrank.bench.load;

import java.util.Map;
import org.HdrHistogram.Histogram;

/**
 * Result of a run.
 *
 * @param answers number of verified answers in the measured interval. Streaming counts returned chunks, and random chunks count when sent.
 * @param bytes number of verified bytes in the measured interval
 * @param latencies latencies in ns of the answers in the measured interval. A latency counts from the due time of the request, or of
 *     the connect for churn. Streaming has latencies of whole chunks, and random chunks have none.
 * @param fastLatencies latencies of requests whose handlers did not block; null without HTTP, where they are unknown
 * @param errors number of errors of each kind in the whole run
 */
public record LoadResult(
        long answers,
        long bytes,
        long elapsedNs,
        Histogram latencies,
        Histogram fastLatencies,
        Map<String, Long> errors,
        GeneratorEffort effort) {

    public LoadResult(
            long answers,
            long bytes,
            long elapsedNs,
            Histogram latencies,
            Map<String, Long> errors,
            GeneratorEffort effort) {
        this(answers, bytes, elapsedNs, latencies, null, errors, effort);
    }

    public double answersPerSecond() {
        return elapsedNs == 0 ? 0 : answers * 1e9 / elapsedNs;
    }

    public double bytesPerSecond() {
        return elapsedNs == 0 ? 0 : bytes * 1e9 / elapsedNs;
    }
}
