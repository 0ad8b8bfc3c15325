package org.cabrank.bench.load;

import java.util.Map;
import org.HdrHistogram.Histogram;

/**
 * What came of a run.
 *
 * @param answers verified answers in the measured interval; chunks sent, with random chunks
 * @param bytes verified bytes in the measured interval
 * @param elapsedNs its length
 * @param latencies in ns, of the answers in the measured interval; empty with random chunks
 * @param errors how often each thing went wrong in the whole run; empty when every request got its right answer
 */
public record LoadResult(long answers, long bytes, long elapsedNs, Histogram latencies, Map<String, Long> errors) {

    public double answersPerSecond() {
        return elapsedNs == 0 ? 0 : answers * 1e9 / elapsedNs;
    }

    public double bytesPerSecond() {
        return elapsedNs == 0 ? 0 : bytes * 1e9 / elapsedNs;
    }
}
