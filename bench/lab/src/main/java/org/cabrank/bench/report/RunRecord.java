package org.cabrank.bench.report;

import java.util.Map;

/**
 * Raw numbers of one contender in one measured interval.
 *
 * @param round number of the round, from 1
 * @param cell id of the cell; empty if the run belongs to no cell yet
 * @param slice number of the slice in the round, from 1; runs of one cell with the same round and slice make pairs. {@link #UNCOMPARED}: a
 *     run that is not compared
 * @param position place in the order of this round, from 1
 * @param failure the reason why there are no valid numbers; null if the run succeeded
 * @param log the last lines that the contender wrote to standard error; empty if the run succeeded
 * @param details facts that the contender reported at its start
 * @param startToFirstAnswerNs time from spawning the process to the first echoed byte
 * @param measured null after a failure
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

    /** Number of a slice whose figures do not count. */
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

    /** True if the run succeeded and its times are comparable with those of other runs. */
    public boolean compared() {
        return !failed() && slice != UNCOMPARED;
    }

    /**
     * @param answers number of verified answers in the measured interval
     * @param serverAllocatedBytes bytes that the server's threads allocated on the heap; -1 for a program without a JVM
     * @param histogram all latencies in ns, as HdrHistogram's compressed base64
     * @param errors number of errors by name; a run with errors counts as failed
     * @param idleBytesPerConnection the server's user-space memory for each idle connection; null if not measured
     * @param generatorLimited the load generator's reason to consider itself the bottleneck; null if there is none
     * @param fast the requests whose handlers did not block; null if answers do not show them
     * @param datagrams null for another load
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

    /** Garbage collections of the server; null for a program without a JVM. {@code pauseNs}: in whole ms for each collector. */
    public record Counts(Long collections, Long pauseNs) {}

    /** Requests whose handlers did not block, if some handlers block. {@code histogram}: in ns, as HdrHistogram's compressed base64. */
    public record FastRequests(Latency latency, String histogram) {}

    /** Percentiles, and the standard deviation. */
    public record Latency(long p50Ns, long p99Ns, long p999Ns, long maxNs, double stdDevNs) {}

    /**
     * Resources that a process used in the measured interval.
     *
     * @param cpuNs CPU time of all threads, exact (schedstat)
     * @param ringThreadsNs part of {@code cpuNs} used by the kernel's threads for io_uring rings (iou-sqp, iou-wrk)
     * @param compilerNs part of {@code cpuNs} used by the JIT compiler: a high figure means that code was not fully compiled
     * @param userTicks timer ticks in user mode: a sample of the division of {@code cpuNs}
     * @param switches voluntary and involuntary context switches
     * @param migrations moves of threads between CPUs; -1 if the kernel does not report them
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
