package org.cabrank.bench.load;

/**
 * Opens a worker's connections a few at a time. Thousands at once would overrun the server's accept queue, and the kernel would repeat a
 * refused connect only after 1 s. Used by the worker's thread. A connection is under way from its connect(2) until its first answer, which
 * shows that the server has accepted it, or until its failure. Further requests would delay the accepts. So they begin only when no
 * connection is under way.
 */
final class RampUp {

    /** Fits into any accept queue, and keeps a server busy. More would make a server allocate memory that idle connections do not need. */
    static final int UNDER_WAY_MAX = 32;

    private final int connections;
    private final long timeoutNs;
    private int begun;
    private int finished;
    private long progressAtNs;

    RampUp(int connections, long timeoutNs, long nowNs) {
        this.connections = connections;
        this.timeoutNs = timeoutNs;
        progressAtNs = nowNs;
    }

    int next() {
        return begun < connections && begun - finished < UNDER_WAY_MAX ? begun++ : -1;
    }

    void finished(long nowNs) {
        finished++;
        progressAtNs = nowNs;
    }

    boolean complete() {
        return finished == connections;
    }

    boolean stalled(long nowNs) {
        return !complete() && nowNs - progressAtNs > timeoutNs;
    }
}
