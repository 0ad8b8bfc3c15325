package org.cabrank.lf.figures;

import java.time.Duration;
import java.util.List;
import org.cabrank.lf.observe.Contention;
import org.cabrank.lf.observe.LatencyCounters;
import org.cabrank.lf.observe.LeadershipCounters;
import org.cabrank.lf.observe.Liveness;
import org.cabrank.lf.observe.PoolCounters;
import org.cabrank.lf.observe.ThreadStatus;

/** The part of a pool that JMX beans and meters read. Any thread may call any method. No method takes a lock that a pool thread takes. */
public interface ObservedPool {

    /** The configuration of the pool for display. {@code threads} is the maximum number of threads. */
    record Settings(int threads, String promotion, String order, String waiting, boolean latencyMeasured) {}

    String name();

    Settings settings();

    boolean isTerminated();

    Liveness liveness(Duration limit);

    Throwable failure();

    List<ThreadStatus> threads();

    int handleCount();

    long kernelRetries();

    PoolCounters counters();

    LeadershipCounters leadershipCounters();

    LatencyCounters latencyCounters();

    Contention contention();
}
