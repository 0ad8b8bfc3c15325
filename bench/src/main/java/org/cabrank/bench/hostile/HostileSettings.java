package org.cabrank.bench.hostile;

import java.util.List;
import org.cabrank.affinity.CpuList;

/**
 * The parameters of the experiment.
 *
 * @param backends that serve, one after the other
 * @param durationNs each of the two measured intervals
 * @param rate requests per second of the well-behaved client
 * @param crowd the hostile connections
 * @param directMemoryMiB direct memory that the server may use, in MiB
 * @param serverCpus null: one CPU
 * @param loadCpus null: one or two others, where there are any
 */
public record HostileSettings(
        List<String> backends,
        long durationNs,
        long rate,
        Crowd crowd,
        int directMemoryMiB,
        CpuList serverCpus,
        CpuList loadCpus) {

    static final int CONNECTIONS = 16;
    private static final int RATE_MAX = 1_000_000;

    /** @throws IllegalArgumentException with a message that says what is expected */
    public HostileSettings {
        backends = List.copyOf(backends);
        if (durationNs <= 0) {
            throw new IllegalArgumentException("--duration is 0: nothing would be measured");
        }
        if (rate < 1 || rate > RATE_MAX) {
            throw new IllegalArgumentException("--rate is " + rate + ", expected 1 to " + RATE_MAX);
        }
        if (directMemoryMiB < 1) {
            throw new IllegalArgumentException("--direct-memory is " + directMemoryMiB + ", expected 1 or more");
        }
    }

    /**
     * Hostile connections of each kind.
     *
     * @param halfOpen send nothing
     * @param unread send one byte of a request, and no more
     * @param neverRead send requests as fast as they are taken, and never read an answer
     * @param dribble send a byte in each round
     * @param resetsPerRound connections that are opened in each round, send more than one request, and are reset
     */
    public record Crowd(int halfOpen, int unread, int neverRead, int dribble, int resetsPerRound) {
        /** From one round to the next, in ns. */
        static final long ROUND_NS = 10_000_000;

        /** 10,000 half-open, 1,500 that leave a byte unread, 200 that never read, 300 that dribble, 200 resets per second. */
        public static final Crowd DEFAULT = new Crowd(10_000, 1_500, 200, 300, 2);

        public Crowd {
            if (halfOpen < 0 || unread < 0 || neverRead < 0 || dribble < 0 || resetsPerRound < 0) {
                throw new IllegalArgumentException("hostile connections are 0 or more");
            }
        }

        /** Connections that stand at a time. */
        public int standing() {
            return halfOpen + unread + neverRead + dribble;
        }

        public Crowd withHalfOpen(int count) {
            return new Crowd(count, unread, neverRead, dribble, resetsPerRound);
        }
    }
}
