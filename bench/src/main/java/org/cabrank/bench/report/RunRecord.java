package org.cabrank.bench.report;

import java.util.List;
import java.util.Map;

/**
 * The raw numbers of one contender in one measured interval: of one cell, in one slice of one round.
 *
 * @param round from 1
 * @param cell the id of the cell; empty in experiments that have none
 * @param slice of the round, from 1; those of one cell with the same round and slice make pairs. {@link #COUNTING}: events
 *     of the server were counted in it, which slowed it down, so that its times are not compared
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
        String cell,
        int slice,
        int position,
        String contender,
        String failure,
        String log,
        String details,
        long startToFirstAnswerNs,
        Calibration calibration,
        Measured measured) {

    /** The slice in which events are counted. */
    public static final int COUNTING = 0;

    /** A run of an experiment without cells. */
    public RunRecord(
            int round,
            int position,
            String contender,
            String failure,
            String log,
            String details,
            long startToFirstAnswerNs,
            Calibration calibration,
            Measured measured) {
        this(round, "", 1, position, contender, failure, log, details, startToFirstAnswerNs, calibration, measured);
    }

    /** A run that came to no measurement. */
    public static RunRecord notMeasured(int round, int position, String contender, String failure, String log) {
        return new RunRecord(round, position, contender, failure, log, "", 0, null, null);
    }

    /** The same, as part of a cell. */
    public RunRecord in(String itsCell, int itsSlice) {
        return new RunRecord(
                round,
                itsCell,
                itsSlice,
                position,
                contender,
                failure,
                log,
                details,
                startToFirstAnswerNs,
                calibration,
                measured);
    }

    public boolean failed() {
        return failure != null;
    }

    /** Whether it went well and its times are like those of the others. */
    public boolean compared() {
        return !failed() && slice != COUNTING;
    }

    /** The same with other numbers. */
    public RunRecord with(Measured others) {
        return new RunRecord(
                round,
                cell,
                slice,
                position,
                contender,
                failure,
                log,
                details,
                startToFirstAnswerNs,
                calibration,
                others);
    }

    /**
     * @param answers verified answers in the measured interval
     * @param elapsedNs its length
     * @param serverAllocatedBytes what the server's threads allocated on the heap in it; -1 of a program without a JVM
     * @param shards what each shard of the server came to in it; empty where the server does not tell
     * @param histogram all latencies in ns, as HdrHistogram's compressed base64
     * @param errors what went wrong, by name; a run with errors counts as failed
     * @param counts of the server in it; null where nothing counts them
     * @param idleBytesPerConnection of the server's user-space memory; null where there are no idle connections, and where it
     *     could not be weighed
     * @param generatorLimited why the load generator takes itself for the bottleneck; null when it does not
     */
    public record Measured(
            long answers,
            long elapsedNs,
            Latency latency,
            Usage server,
            long serverAllocatedBytes,
            Usage load,
            List<ShardLoad> shards,
            String histogram,
            Map<String, Long> errors,
            Counts counts,
            Double idleBytesPerConnection,
            String generatorLimited) {

        public Measured {
            shards = List.copyOf(shards);
        }

        /** Without counts, idle connections and the generator's word. */
        public Measured(
                long answers,
                long elapsedNs,
                Latency latency,
                Usage server,
                long serverAllocatedBytes,
                Usage load,
                List<ShardLoad> shards,
                String histogram,
                Map<String, Long> errors) {
            this(
                    answers,
                    elapsedNs,
                    latency,
                    server,
                    serverAllocatedBytes,
                    load,
                    shards,
                    histogram,
                    errors,
                    null,
                    null,
                    null);
        }

        /** The same with other counts. */
        public Measured with(Counts others) {
            return new Measured(
                    answers,
                    elapsedNs,
                    latency,
                    server,
                    serverAllocatedBytes,
                    load,
                    shards,
                    histogram,
                    errors,
                    others,
                    idleBytesPerConnection,
                    generatorLimited);
        }

        /** NaN of a program without a JVM. */
        public double allocatedBytesPerRequest() {
            return serverAllocatedBytes < 0 ? Double.NaN : (double) serverAllocatedBytes / answers;
        }

        public double requestsPerSecond() {
            return answers * 1e9 / elapsedNs;
        }
    }

    /**
     * What the server did in the measured interval, counted. Each is null where nothing counts it.
     *
     * @param systemCalls of all its threads
     * @param collections of garbage
     * @param pauseNs for which its threads stood still for them, in whole milliseconds for each collector
     * @param instructions retired, cycles and misses of the last cache, in user mode and in the kernel
     */
    public record Counts(
            Long systemCalls, Long collections, Long pauseNs, Long instructions, Long cycles, Long cacheMisses) {

        /** Of garbage collections only; null of a program without a JVM. */
        public static Counts ofCollections(Long collections, Long pauseNs) {
            return new Counts(null, collections, pauseNs, null, null, null);
        }

        /** The same with events; null is what was not counted. */
        public Counts withEvents(Long itsSystemCalls, Long itsInstructions, Long itsCycles, Long itsCacheMisses) {
            return new Counts(itsSystemCalls, collections, pauseNs, itsInstructions, itsCycles, itsCacheMisses);
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
     * @param compilerNs the part of it that the JVM's compiler took: code was not yet as fast as it gets
     * @param userTicks timer ticks that met it in user mode: they divide {@code cpuNs}, by sampling
     * @param systemTicks timer ticks that met it in kernel mode
     * @param switches context switches, voluntary or not
     * @param migrations of threads from one CPU to another; -1 where the kernel does not tell
     * @param elapsedNs between the two samples
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

        public double cpusBusy() {
            return elapsedNs == 0 ? 0 : (double) cpuNs / elapsedNs;
        }

        /** The part of its CPU time that its JVM's compiler took. */
        public double compilerShare() {
            return cpuNs == 0 ? 0 : (double) compilerNs / cpuNs;
        }

        /** NaN where the kernel does not tell. */
        public double migrationsPerSecond() {
            return migrations < 0 ? Double.NaN : migrations * 1e9 / elapsedNs;
        }
    }
}
