package org.cabrank.bench.load;

/**
 * Lets a worker's connections come a few at a time: thousands at once would overrun the server's accept queue, and the
 * kernel makes whoever finds it full try again a second later, and then two seconds, and so on into what is measured.
 * Belongs to its worker's thread.
 *
 * <p>A connection is on its way from its connect(2) until it has settled: with its first answer, which shows that the
 * server has accepted it, or by failing. The second request of each waits until all have come, for otherwise the
 * established connections would keep the server from accepting the rest. A rate begins at the same time.
 */
final class RampUp {

    /**
     * Named bound: connections of one worker that may be on their way at a time; below any sensible accept queue, and
     * enough to keep a server busy. A larger crowd would have a server take memory that its idle connections do not need.
     */
    static final int ON_THEIR_WAY_MAX = 32;

    private final int connections;
    private final long timeoutNs;
    private int begun;
    private int settled;
    private long progressAtNs;

    /** {@code timeoutNs}: how long nothing may settle before the rest is given up. */
    RampUp(int connections, long timeoutNs, long nowNs) {
        this.connections = connections;
        this.timeoutNs = timeoutNs;
        progressAtNs = nowNs;
    }

    /** The index of a connection to begin now, or -1 when it is not the time. */
    int next() {
        return begun < connections && begun - settled < ON_THEIR_WAY_MAX ? begun++ : -1;
    }

    void settled(long nowNs) {
        settled++;
        progressAtNs = nowNs;
    }

    boolean complete() {
        return settled == connections;
    }

    boolean stalled(long nowNs) {
        return !complete() && nowNs - progressAtNs > timeoutNs;
    }
}
