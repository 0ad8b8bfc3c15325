package org.cabrank.lf.observe;

import java.util.List;

/**
 * A pool as JMX beans and health checks see it. Any thread may call every method; no method takes a lock that a thread of
 * the pool takes.
 *
 * <p>Only Cabrank implements this interface; releases may add methods to it.
 */
public interface ObservedPool extends WatchedPool {

    /**
     * The configuration as text.
     *
     * @param threads number of threads that take part at most
     */
    record Settings(int threads, String promotion, String order, String waiting, boolean latencyMeasured) {}

    /** Returns the pool's configuration as text. */
    Settings settings();

    /** Returns the failure that stopped the pool, or null. */
    Throwable failure();

    /** Returns the state of the threads that take part. */
    List<ThreadStatus> threads();

    /** Returns the number of handles that are registered in the pool's handle sets. */
    int handleCount();

    /** Returns the number of waits and submissions that the kernel has refused for now, and that were tried again. */
    long kernelRetries();

    /** Returns the pool's counters. */
    PoolCounters counters();

    /** Returns the costs of passing leadership on. */
    LeadershipCounters leadershipCounters();

    /** Returns the counts of offloaded work. */
    OffloadCounters offloadCounters();

    /** Returns the durations of events; empty where the configuration does not measure them. */
    LatencyCounters latencyCounters();

    /** Returns how much the pool's threads have waited for each other. */
    Contention contention();
}
