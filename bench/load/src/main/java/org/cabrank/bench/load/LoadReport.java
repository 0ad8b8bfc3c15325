package org.cabrank.bench.load;

import java.nio.ByteBuffer;
import java.util.Arrays;
import java.util.Base64;
import java.util.Map;
import java.util.TreeMap;
import org.HdrHistogram.Histogram;

/**
 * Result of a load generator in a JSON file.
 *
 * @param answers number of verified answers in the measured interval
 * @param bytes number of verified bytes in the measured interval
 * @param errors number of errors of each kind in the whole run
 * @param latency percentiles of {@code latencies}, for readers without HdrHistogram; null if none was measured
 * @param latencies latencies in ns: HdrHistogram's compressed encoding in Base64, as in HdrHistogram's logs
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
     * One run of one generator.
     *
     * @param id unique to this run
     * @param target address of the server as the user has typed it
     * @param beginMs the machine's clock at the begin of the measured interval, in ms since 1970
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

    /** Returns the compressed histogram in Base64. */
    public static String encoded(Histogram latencies) {
        ByteBuffer bytes = ByteBuffer.allocate(latencies.getNeededByteBufferCapacity());
        int length = latencies.encodeIntoCompressedByteBuffer(bytes);
        return Base64.getEncoder().encodeToString(Arrays.copyOf(bytes.array(), length));
    }
}
