package org.cabrank.bench.load.datagram;

import java.util.Map;
import org.cabrank.bench.load.GeneratorEffort;
import org.cabrank.bench.load.LoadReport;

/**
 * Result of the load generator for datagrams, as a JSON file. The counts are those of {@link DatagramResult}.
 *
 * @param target address of the server as the user has typed it
 * @param beginMs begin of the measured interval by the machine's clock, in ms since 1970
 * @param latency percentiles of {@code latencies}, for readers without HdrHistogram; null if no answer came
 * @param latencies histogram of the latencies in ns, in the compressed encoding of HdrHistogram, as Base64
 * @param limit reason to consider the generator the bottleneck; null if there is none
 */
public record DatagramReport(
        int format,
        String target,
        Traffic traffic,
        long beginMs,
        long endMs,
        long elapsedNs,
        long sent,
        long received,
        long lost,
        double lossRatio,
        long reordered,
        long duplicated,
        long wrong,
        long late,
        long drops,
        double sentPerSecond,
        double answersPerSecond,
        Map<String, Long> errors,
        LoadReport.Percentiles latency,
        String latencies,
        GeneratorEffort effort,
        String limit) {

    public static final int FORMAT = 1;

    /** The settings of a {@link DatagramLoad} except for the target. */
    public record Traffic(
            int sizeBytes,
            int flows,
            int window,
            long ratePerSecond,
            int burst,
            boolean segmented,
            int threads,
            long lossTimeoutNs) {
        static Traffic of(DatagramLoad load) {
            return new Traffic(
                    load.sizeBytes(),
                    load.flows(),
                    load.window(),
                    load.ratePerSecond(),
                    load.burst(),
                    load.segmented(),
                    load.threads(),
                    load.lossTimeoutNs());
        }
    }

    public static DatagramReport of(
            String target, DatagramLoad load, long beginMs, long endMs, DatagramResult result, String limit) {
        return new DatagramReport(
                FORMAT,
                target,
                Traffic.of(load),
                beginMs,
                endMs,
                result.elapsedNs(),
                result.sent(),
                result.received(),
                result.lost(),
                result.lossRatio(),
                result.reordered(),
                result.duplicated(),
                result.wrong(),
                result.late(),
                result.drops(),
                result.sentPerSecond(),
                result.answersPerSecond(),
                result.errors(),
                LoadReport.Percentiles.of(result.latencies()),
                LoadReport.encoded(result.latencies()),
                result.effort(),
                limit);
    }
}
