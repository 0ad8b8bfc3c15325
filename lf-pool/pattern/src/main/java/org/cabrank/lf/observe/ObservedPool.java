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

    Settings settings();

    Throwable failure();

    List<ThreadStatus> threads();

    int handleCount();

    /** Returns the number of waits and submissions that the kernel has refused for now, and that were tried again. */
    long kernelRetries();

    PoolCounters counters();

    LeadershipCounters leadershipCounters();

    OffloadCounters offloadCounters();

    /** Returns the durations of events; empty where the configuration does not measure them. */
    LatencyCounters latencyCounters();

    Contention contention();
}
