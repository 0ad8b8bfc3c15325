package org.cabrank.bench.load;

import java.util.Map;
import org.HdrHistogram.Histogram;

/**
 * What came of a run.
 *
 * @param answers verified answers in the measured interval; whole chunks when streaming; chunks sent, with random chunks
 * @param bytes verified bytes in the measured interval
 * @param elapsedNs its length
 * @param latencies in ns, of the answers in the measured interval: from the time at which a request was meant to be sent, or a
 *     churning connection to connect; of whole chunks when streaming; empty with random chunks
 * @param errors how often each thing went wrong in the whole run; empty when every request got its right answer
 * @param effort what it took of the generator
 */
public record LoadResult(
        long answers,
        long bytes,
        long elapsedNs,
        Histogram latencies,
        Map<String, Long> errors,
        GeneratorEffort effort) {

    public double answersPerSecond() {
        return elapsedNs == 0 ? 0 : answers * 1e9 / elapsedNs;
    }

    public double bytesPerSecond() {
        return elapsedNs == 0 ? 0 : bytes * 1e9 / elapsedNs;
    }
}
