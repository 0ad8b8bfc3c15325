package org.cabrank.bench.levels;

import org.cabrank.affinity.CpuList;

/**
 * What is measured.
 *
 * @param rounds how often each arrangement runs
 * @param warmupNs load before each measured interval
 * @param durationNs the measured interval
 * @param threads of the server, an even number: half for each level where there are two pools
 * @param workNs computing per request
 * @param urgentRate urgent requests per second
 * @param bulkConnections each of which has a request under way all the time
 * @param serverCpus null: one CPU
 * @param loadCpus null: one or two others, where there are any
 */
public record LevelsSettings(
        int rounds,
        long warmupNs,
        long durationNs,
        int threads,
        long workNs,
        long urgentRate,
        int bulkConnections,
        CpuList serverCpus,
        CpuList loadCpus) {

    /** So many that the rate does not fail for want of a free one, even where an answer takes 20 ms. */
    static final int URGENT_CONNECTIONS = 32;

    static final int SIZE_BYTES = 64;
    private static final int ROUNDS_MAX = 1_000;
    private static final int THREADS_MAX = 64;

    public LevelsSettings {
        check("rounds", rounds, ROUNDS_MAX);
        check("threads", threads, THREADS_MAX);
        check("urgent rate", urgentRate, 1_000_000);
        if (threads % 2 != 0) {
            throw new IllegalArgumentException("threads is " + threads + ", expected an even number, to share out");
        }
        if (durationNs <= 0) {
            throw new IllegalArgumentException("--duration is 0: nothing would be measured");
        }
    }

    private static void check(String what, long value, long most) {
        if (value < 1 || value > most) {
            throw new IllegalArgumentException(what + " is " + value + ", expected 1 to " + most);
        }
    }
}
