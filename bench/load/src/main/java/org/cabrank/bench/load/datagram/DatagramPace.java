package org.cabrank.bench.load.datagram;

/**
 * Due times of the datagrams of one worker at a fixed rate, independently of the server: a datagram that cannot be sent in time keeps
 * its due time (coordinated omission).
 */
final class DatagramPace {
    private final double burstIntervalNs;
    private final int burst;
    private long startNs;

    /** Number of the next datagram of the worker. */
    private long next;

    /**
     * @param ratePerSecond datagrams per second of the worker
     * @param burst datagrams with the same due time
     */
    DatagramPace(double ratePerSecond, int burst) {
        this.burst = burst;
        this.burstIntervalNs = burst * 1e9 / ratePerSecond;
    }

    void begin(long nowNs) {
        startNs = nowNs;
    }

    /** Due time of the datagram that is {@code ahead} behind the next one, of System.nanoTime. */
    long dueNs(int ahead) {
        return startNs + (long) ((next + ahead) / burst * burstIntervalNs);
    }

    /** Returns the number of datagrams that are due, at most {@code max}. */
    int due(long nowNs, int max) {
        int count = 0;
        while (count < max && dueNs(count) - nowNs <= 0) {
            count++;
        }
        return count;
    }

    /** {@code count} datagrams have been sent, or were refused. */
    void passed(int count) {
        next += count;
    }
}
