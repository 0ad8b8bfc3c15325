package org.cabrank.lf.figures;

import java.time.Duration;
import java.util.List;
import org.cabrank.lf.observe.Contention;
import org.cabrank.lf.observe.LatencyCounters;
import org.cabrank.lf.observe.LeadershipCounters;
import org.cabrank.lf.observe.Liveness;
import org.cabrank.lf.observe.PoolCounters;
import org.cabrank.lf.observe.ThreadStatus;

/** A pool as JMX beans and meters see it. Any thread may call any method; no method takes a lock that a pool thread takes. */
public interface ObservedPool {

    /** The configuration as text; {@code threads} is the maximum. */
    record Settings(int threads, String promotion, String order, String waiting, boolean latencyMeasured) {}

    String name();

    Settings settings();

    boolean isTerminated();

    Liveness liveness(Duration limit);

    Throwable failure();

    List<ThreadStatus> threads();

    int handleCount();

    /** Number of waits and submissions that the kernel refused for the moment and that were tried again. */
    long kernelRetries();

    PoolCounters counters();

    LeadershipCounters leadershipCounters();

    /** Latencies; empty if the configuration does not measure them. */
    LatencyCounters latencyCounters();

    Contention contention();
}
