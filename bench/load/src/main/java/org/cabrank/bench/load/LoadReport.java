package org.cabrank.bench.load;

import java.nio.ByteBuffer;
import java.util.Arrays;
import java.util.Base64;
import java.util.Map;
import java.util.TreeMap;
import org.HdrHistogram.Histogram;

/**
 * Result of a load generator, as a JSON file. The counts are those of {@link LoadResult}.
 *
 * @param latency percentiles of {@code latencies}, for readers without HdrHistogram; null if no latency was measured
 * @param latencies histogram of the latencies in ns, in the compressed encoding of HdrHistogram, as Base64
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
     * @param target address of the server as the user has typed it
     * @param beginMs begin of the measured interval by the machine's clock, in ms since 1970
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

    public static String encoded(Histogram latencies) {
        ByteBuffer bytes = ByteBuffer.allocate(latencies.getNeededByteBufferCapacity());
        int length = latencies.encodeIntoCompressedByteBuffer(bytes);
        return Base64.getEncoder().encodeToString(Arrays.copyOf(bytes.array(), length));
    }
}
