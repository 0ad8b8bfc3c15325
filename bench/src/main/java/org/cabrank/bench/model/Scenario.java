package org.cabrank.bench.model;

/**
 * A machine, a layout and a load.
 *
 * @param cores of the machine
 * @param coresPerNode of each memory node
 * @param shards handle sets
 * @param threads of each shard; thread T of shard S is at home on core S * threads + T, modulo cores
 * @param eager whether leaders promote before each event; else when they have been in one handler for {@code maxGapNs}
 * @param maxGapNs of deferred promotion
 * @param connections shared evenly among the shards
 * @param thinkNs the mean time from an answer to the connection's next request
 * @param workNs of each request on a core
 * @param slowPermille that many of 1,000 requests block their thread besides
 * @param slowNs for so long, without a core
 * @param loadThreads of the load generator; 0: it is part of the time between requests
 * @param loadCores of its own; 0: it shares the server's
 * @param loadNs that one of its threads needs for each request
 * @param requests how many are simulated; the first tenth is not counted
 * @param seed of the random numbers
 */
public record Scenario(
        int cores,
        int coresPerNode,
        int shards,
        int threads,
        boolean eager,
        double maxGapNs,
        int connections,
        double thinkNs,
        double workNs,
        int slowPermille,
        double slowNs,
        int loadThreads,
        int loadCores,
        double loadNs,
        int requests,
        long seed) {

    public Scenario {
        if (cores < 1 || coresPerNode < 1 || shards < 1 || threads < 1 || connections < 1) {
            throw new IllegalArgumentException("cores, shards, threads and connections must be 1 or more each");
        }
        if (requests < 10) {
            throw new IllegalArgumentException("requests is " + requests + ", expected 10 or more");
        }
    }

    /** Of a thread's home core. */
    int node(int shard, int thread) {
        return (shard * threads + thread) % cores / coresPerNode;
    }

    public Scenario withEager(boolean otherEager) {
        return new Scenario(
                cores,
                coresPerNode,
                shards,
                threads,
                otherEager,
                maxGapNs,
                connections,
                thinkNs,
                workNs,
                slowPermille,
                slowNs,
                loadThreads,
                loadCores,
                loadNs,
                requests,
                seed);
    }
}
