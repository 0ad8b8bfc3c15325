package org.cabrank.bench.load;

import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Base64;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.function.Function;
import java.util.zip.DataFormatException;
import org.HdrHistogram.Histogram;

/**
 * Result of one generator, or of several that loaded one server at the same time, as it stands in a JSON file.
 *
 * @param format version of this format, {@link #FORMAT}
 * @param generators the runs in it, at least one
 * @param answers number of verified answers in the measured intervals of all generators
 * @param bytes number of verified bytes likewise
 * @param elapsedNs length of the longest measured interval in ns
 * @param answersPerSecond sum of the rates of all generators
 * @param bytesPerSecond likewise
 * @param errors number of errors of each kind in the whole runs; empty if every request got its right answer
 * @param latency percentiles of {@code latencies}, for readers without HdrHistogram; null if no latency was measured
 * @param latencies histogram of the latencies in ns: compressed encoding of HdrHistogram in Base64, as its logs have it
 */
public record LoadReport(
        int format,
        List<Generator> generators,
        long answers,
        long bytes,
        long elapsedNs,
        double answersPerSecond,
        double bytesPerSecond,
        Map<String, Long> errors,
        Percentiles latency,
        String latencies) {

    /** Version of the format. */
    public static final int FORMAT = 1;

    private static final double TOGETHER_LEAST = 0.9;
    private static final double NS_PER_MS = 1e6;

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
        /** Returns null for a histogram without values. */
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

    /** A property in which the runs of one load agree, and the flag that sets it. */
    private record Property(String flag, Function<Generator, Object> value) {}

    private static final List<Property> SAME = List.of(
            new Property("--pattern", generator -> generator.traffic().pattern()),
            new Property("--size", generator -> generator.traffic().sizeBytes()),
            new Property("--depth", generator -> generator.traffic().depth()),
            new Property("--rate", generator -> generator.traffic().ratePerSecond()),
            new Property("--burst", generator -> generator.traffic().burstRequests()),
            new Property("--burst-interval", generator -> generator.traffic().burstIntervalNs() / NS_PER_MS + "ms"),
            new Property(
                    "reconnecting connections", generator -> generator.traffic().reconnecting()),
            new Property("--tls", Generator::tls));

    /** Makes the report of one run. */
    public static LoadReport of(Generator generator, LoadResult result) {
        return new LoadReport(
                FORMAT,
                List.of(generator),
                result.answers(),
                result.bytes(),
                result.elapsedNs(),
                result.answersPerSecond(),
                result.bytesPerSecond(),
                new TreeMap<>(result.errors()),
                Percentiles.of(result.latencies()),
                encoded(result.latencies()));
    }

    /**
     * Adds the counts, rates and histograms of several reports. A percentile of the result is that of all their latencies together.
     *
     * @param reports by their names, in the order of the messages; at least one
     * @throws IllegalArgumentException if the reports do not belong together, or a histogram is broken; the message names the reports
     */
    public static LoadReport merged(Map<String, LoadReport> reports) {
        requireOneLoad(reports);
        List<Generator> generators = new ArrayList<>();
        Map<String, Long> errors = new TreeMap<>();
        Histogram latencies = null;
        long answers = 0;
        long bytes = 0;
        long elapsedNs = 0;
        double answersPerSecond = 0;
        double bytesPerSecond = 0;
        for (Map.Entry<String, LoadReport> named : reports.entrySet()) {
            LoadReport report = named.getValue();
            generators.addAll(report.generators);
            report.errors.forEach((kind, times) -> errors.merge(kind, times, Long::sum));
            Histogram own = decoded(named.getKey(), report.latencies);
            if (latencies == null) {
                latencies = own;
            } else {
                latencies.add(own);
            }
            answers += report.answers;
            bytes += report.bytes;
            elapsedNs = Math.max(elapsedNs, report.elapsedNs);
            answersPerSecond += report.answersPerSecond;
            bytesPerSecond += report.bytesPerSecond;
        }
        return new LoadReport(
                FORMAT,
                generators,
                answers,
                bytes,
                elapsedNs,
                answersPerSecond,
                bytesPerSecond,
                errors,
                Percentiles.of(latencies),
                encoded(latencies));
    }

    private static void requireOneLoad(Map<String, LoadReport> reports) {
        String firstName = null;
        Generator first = null;
        Map<String, String> nameOfRun = new TreeMap<>();
        for (Map.Entry<String, LoadReport> named : reports.entrySet()) {
            for (Generator generator : named.getValue().generators) {
                String other = nameOfRun.put(generator.id(), named.getKey());
                if (other != null) {
                    throw new IllegalArgumentException("the same run is in " + other + " and in " + named.getKey()
                            + ", and would be counted twice: name it once");
                }
                if (first == null) {
                    firstName = named.getKey();
                    first = generator;
                }
                requireSame(firstName, first, named.getKey(), generator);
            }
        }
        if (first == null) {
            throw new IllegalArgumentException("there is no run to merge");
        }
    }

    private static void requireSame(String firstName, Generator first, String name, Generator generator) {
        for (Property property : SAME) {
            Object wanted = property.value.apply(first);
            Object found = property.value.apply(generator);
            if (!wanted.equals(found)) {
                throw new IllegalArgumentException("the runs do not fit together: " + property.flag + " is " + wanted
                        + " in " + firstName + ", but " + found + " in " + name + "; merge runs of the same load");
            }
        }
    }

    /**
     * Returns a warning if the generators did not measure at the same time, by the clocks of their machines: then the sums of rates
     * are of no moment. Null if they did.
     */
    public String apart() {
        long begin = Long.MIN_VALUE;
        long end = Long.MAX_VALUE;
        long longest = 0;
        for (Generator generator : generators) {
            begin = Math.max(begin, generator.beginMs);
            end = Math.min(end, generator.endMs);
            longest = Math.max(longest, generator.endMs - generator.beginMs);
        }
        long together = Math.max(0, end - begin);
        return together >= TOGETHER_LEAST * longest
                ? null
                : "the generators measured together for " + together + " of " + longest
                        + " ms only, so no server has had the sum of their rates: start them together, and let their machines"
                        + " synchronise their clocks";
    }

    /** The reasons to consider a generator the bottleneck, each with the run's id; empty if there are none. */
    public List<String> limits() {
        List<String> limits = new ArrayList<>();
        for (Generator generator : generators) {
            if (generator.limit != null) {
                limits.add(generators.size() == 1 ? generator.limit : generator.id + ": " + generator.limit);
            }
        }
        return limits;
    }

    /** Encodes a histogram as reports have it: compressed, in Base64. */
    public static String encoded(Histogram latencies) {
        ByteBuffer bytes = ByteBuffer.allocate(latencies.getNeededByteBufferCapacity());
        int length = latencies.encodeIntoCompressedByteBuffer(bytes);
        return Base64.getEncoder().encodeToString(Arrays.copyOf(bytes.array(), length));
    }

    private static Histogram decoded(String name, String latencies) {
        try {
            return Histogram.decodeFromCompressedByteBuffer(
                    ByteBuffer.wrap(Base64.getDecoder().decode(latencies)), 0);
        } catch (DataFormatException | RuntimeException broken) { // HdrHistogram throws several kinds
            throw new IllegalArgumentException(
                    "the latencies in " + name
                            + " are no histogram of HdrHistogram: write the file again with 'cabrank load" + " --json'",
                    broken);
        }
    }
}
