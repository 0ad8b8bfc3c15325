package org.cabrank.bench.load;

/**
 * Opens a worker's connections a few at a time. Thousands at once would overrun the server's accept queue: the kernel repeats a refused
 * connect after 1 s, 2 s, and so on, and this wait would be measured. Belongs to its worker's thread.
 *
 * <p>A connection is under way from its connect(2) until its first answer, which shows that the server has accepted it, or until it fails.
 * Second requests and a rate begin when none is under way, because established connections would keep the server from accepting the rest.
 */
final class RampUp {

    /**
     * Named bound: connections of one worker that may be under way at a time. They fit into the accept queue of any server, and keep a
     * server busy. More would make a server allocate memory that idle connections do not need.
     */
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
