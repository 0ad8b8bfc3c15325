package org.cabrank.bench.report;

import java.util.Map;

/**
 * Raw numbers of one contender in one measured interval.
 *
 * @param cell id of the cell. Empty if the run belongs to no cell.
 * @param slice number of the slice in the round, from 1. {@link #UNCOMPARED} if the run is not compared.
 * @param position place in the order of this round, from 1
 * @param failure reason why there are no valid numbers. Null if the run succeeded.
 * @param log last lines of the contender's standard error. Empty if the run succeeded.
 * @param measured null if the run failed
 */
public record RunRecord(
        int round,
        String cell,
        int slice,
        int position,
        String contender,
        String failure,
        String log,
        String details,
        long startToFirstAnswerNs,
        Measured measured) {

    /** Number of a slice whose figures are discarded. */
    public static final int UNCOMPARED = 0;

    public RunRecord(
            int round,
            int position,
            String contender,
            String failure,
            String log,
            String details,
            long startToFirstAnswerNs,
            Measured measured) {
        this(round, "", 1, position, contender, failure, log, details, startToFirstAnswerNs, measured);
    }

    public static RunRecord notMeasured(int round, int position, String contender, String failure, String log) {
        return new RunRecord(round, position, contender, failure, log, "", 0, null);
    }

    public RunRecord in(String itsCell, int itsSlice) {
        return new RunRecord(
                round, itsCell, itsSlice, position, contender, failure, log, details, startToFirstAnswerNs, measured);
    }

    public boolean failed() {
        return failure != null;
    }

    public boolean compared() {
        return !failed() && slice != UNCOMPARED;
    }

    /**
     * Numbers of a successful run. A figure is null if it was not measured.
     *
     * @param serverAllocatedBytes bytes that the server's threads allocated on the heap. -1 without a JVM.
     * @param histogram all latencies in ns, compressed by HdrHistogram and encoded as base64
     * @param errors numbers of errors by name. A run with errors counts as failed.
     * @param generatorLimited reason why the load generator may have been the bottleneck, or null
     */
    public record Measured(
            long answers,
            long elapsedNs,
            Latency latency,
            Usage server,
            long serverAllocatedBytes,
            Usage load,
            String histogram,
            Map<String, Long> errors,
            Counts counts,
            Double idleBytesPerConnection,
            String generatorLimited,
            FastRequests fast,
            DatagramCounts datagrams) {

        public double requestsPerSecond() {
            return answers * 1e9 / elapsedNs;
        }
    }

    /** Both fields are null if the server has no JVM. {@code pauseNs} is a multiple of 1 ms. */
    public record Counts(Long collections, Long pauseNs) {}

    /** Requests whose handlers did not block. {@code histogram} has values in ns, compressed by HdrHistogram and encoded as base64. */
    public record FastRequests(Latency latency, String histogram) {}

    /** Percentiles, and the standard deviation. */
    public record Latency(long p50Ns, long p99Ns, long p999Ns, long maxNs, double stdDevNs) {}

    /**
     * Resources that a process used in the measured interval. {@code ringThreadsNs} (kernel threads for io_uring rings) and {@code
     * compilerNs} (JIT compiler) are parts of {@code cpuNs}. {@code migrations} is -1 if the kernel does not report them.
     */
    public record Usage(
            long cpuNs,
            long ringThreadsNs,
            long compilerNs,
            long userTicks,
            long systemTicks,
            long switches,
            long migrations,
            long elapsedNs) {

        public double compilerShare() {
            return cpuNs == 0 ? 0 : (double) compilerNs / cpuNs;
        }
    }
}
