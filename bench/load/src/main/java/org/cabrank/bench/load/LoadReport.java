package org.cabrank.bench.load;

import java.nio.ByteBuffer;
import java.util.Arrays;
import java.util.Base64;
import java.util.Map;
import java.util.TreeMap;
import org.HdrHistogram.Histogram;

/**
 * Result of a load generator as it stands in a JSON file.
 *
 * @param format version of this format, {@link #FORMAT}
 * @param generator the run
 * @param answers number of verified answers in the measured interval
 * @param bytes number of verified bytes likewise
 * @param elapsedNs length of the measured interval in ns
 * @param answersPerSecond number of verified answers per second
 * @param bytesPerSecond number of verified bytes per second
 * @param errors number of errors of each kind in the whole run; empty if every request got its right answer
 * @param latency percentiles of {@code latencies}, for readers without HdrHistogram; null if no latency was measured
 * @param latencies histogram of the latencies in ns: compressed encoding of HdrHistogram in Base64, as its logs have it
 */
public record LoadReport(
        int format,
        Generator generator,
        long answers,
        long bytes,
        long elapsedNs,
        double answersPerSecond,
        double bytesPerSecond,
        Map<String, Long> errors,
        Percentiles latency,
        String latencies) {

    public static final int FORMAT = 2;

    /**
     * A run of one generator.
     *
     * @param id differs from that of any other run
     * @param target address of the server, as the user has named it
     * @param tls true if the connections spoke TLS
     * @param traffic the load that it sent
     * @param beginMs clock of its machine at the begin of the measured interval, in ms since 1970
     * @param endMs likewise at the end
     * @param effort resources that it used
     * @param limit reason to consider this generator the bottleneck; null if there is none
     */
    public record Generator(
            String id,
            String target,
            boolean tls,
            LoadTraffic traffic,
            long beginMs,
            long endMs,
            GeneratorEffort effort,
            String limit) {}

    /** Percentiles in ns. */
    public record Percentiles(long p50Ns, long p99Ns, long p999Ns, long maxNs) {
        public static Percentiles of(Histogram latencies) {
            return latencies.getTotalCount() == 0
                    ? null
                    : new Percentiles(
                            latencies.getValueAtPercentile(50),
                            latencies.getValueAtPercentile(99),
                            latencies.getValueAtPercentile(99.9),
                            latencies.getMaxValue());
        }
    }

    /** Makes the report of one run. */
    public static LoadReport of(Generator generator, LoadResult result) {
        return new LoadReport(
                FORMAT,
                generator,
                result.answers(),
                result.bytes(),
                result.elapsedNs(),
                result.answersPerSecond(),
                result.bytesPerSecond(),
                new TreeMap<>(result.errors()),
                Percentiles.of(result.latencies()),
                encoded(result.latencies()));
    }

    /** Encodes a histogram as reports have it: compressed, in Base64. */
    public static String encoded(Histogram latencies) {
        ByteBuffer bytes = ByteBuffer.allocate(latencies.getNeededByteBufferCapacity());
        int length = latencies.encodeIntoCompressedByteBuffer(bytes);
        return Base64.getEncoder().encodeToString(Arrays.copyOf(bytes.array(), length));
    }
}
