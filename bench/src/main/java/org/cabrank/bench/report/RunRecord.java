package org.cabrank.bench.report;

import java.util.Map;

/**
 * The raw numbers of one contender in one round.
 *
 * @param round from 1
 * @param position its place in the order of this round, from 1
 * @param failure why there are no numbers; null when there are
 * @param log the last lines of what the contender wrote to standard error; empty when the run went well
 * @param details what the contender said of itself when it started
 * @param startToFirstAnswerNs from spawning the process to the first echoed byte
 * @param calibration of the simulated work in the contender's process; null where there is none
 * @param measured what was measured; null after a failure
 */
public record RunRecord(
        int round,
        int position,
        String contender,
        String failure,
        String log,
        String details,
        long startToFirstAnswerNs,
        Calibration calibration,
        Measured measured) {

    /** A run that came to no measurement. */
    public static RunRecord notMeasured(int round, int position, String contender, String failure, String log) {
        return new RunRecord(round, position, contender, failure, log, "", 0, null, null);
    }

    public boolean failed() {
        return failure != null;
    }

    /**
     * @param answers verified answers in the measured interval
     * @param elapsedNs its length
     * @param serverAllocatedBytes what the server's threads allocated on the heap in it
     * @param histogram all latencies in ns, as HdrHistogram's compressed base64
     * @param errors what went wrong, by name; a run with errors counts as failed
     */
    public record Measured(
            long answers,
            long elapsedNs,
            Latency latency,
            Usage server,
            long serverAllocatedBytes,
            Usage load,
            String histogram,
            Map<String, Long> errors) {

        public double requestsPerSecond() {
            return answers * 1e9 / elapsedNs;
        }
    }

    /** Percentiles, and the standard deviation. */
    public record Latency(long p50Ns, long p99Ns, long p999Ns, long maxNs, double stdDevNs) {}

    /**
     * How long a step of simulated work takes in one process.
     *
     * @param disagreement between two measurements in it, relative
     */
    public record Calibration(double nsPerStep, double disagreement) {}

    /**
     * What a process used in the measured interval.
     *
     * @param cpuNs time on CPUs, exact (schedstat), of all threads
     * @param ringThreadsNs the part of it that the kernel's threads for io_uring rings took (iou-sqp, iou-wrk)
     * @param userTicks timer ticks that met it in user mode: they divide {@code cpuNs}, by sampling
     * @param systemTicks timer ticks that met it in kernel mode
     * @param switches context switches, voluntary or not
     * @param elapsedNs between the two samples
     */
    public record Usage(
            long cpuNs, long ringThreadsNs, long userTicks, long systemTicks, long switches, long elapsedNs) {

        public double cpusBusy() {
            return elapsedNs == 0 ? 0 : (double) cpuNs / elapsedNs;
        }
    }
}
