package org.cabrank.lf.figures;

import java.time.Duration;
import java.util.List;
import org.cabrank.lf.observe.Contention;
import org.cabrank.lf.observe.LatencyCounters;
import org.cabrank.lf.observe.LeadershipCounters;
import org.cabrank.lf.observe.Liveness;
import org.cabrank.lf.observe.PoolCounters;
import org.cabrank.lf.observe.ThreadStatus;

/**
 * A pool as JMX beans and meters see it. Any thread may call every method; no method takes a lock that a thread of the pool takes.
 */
public interface ObservedPool {

    /**
     * The configuration as text.
     *
     * @param threads number of threads that take part at most
     */
    record Settings(int threads, String promotion, String order, String waiting, boolean latencyMeasured) {}

    String name();

    Settings settings();

    boolean isTerminated();

    /** Returns the problems of the pool that have lasted for {@code limit}. */
    Liveness liveness(Duration limit);

    Throwable failure();

    List<ThreadStatus> threads();

    int handleCount();

    /** Returns the number of waits and submissions that the kernel has refused for now, and that were tried again. */
    long kernelRetries();

    PoolCounters counters();

    LeadershipCounters leadershipCounters();

    /** Returns the durations of events; empty where the configuration does not measure them. */
    LatencyCounters latencyCounters();

    Contention contention();
}
