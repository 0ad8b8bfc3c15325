package org.cabrank.bench.jmh;

import org.cabrank.lf.PoolConfig;
import org.openjdk.jmh.annotations.Benchmark;
import org.openjdk.jmh.annotations.OperationsPerInvocation;
import org.openjdk.jmh.annotations.Param;
import org.openjdk.jmh.annotations.Scope;
import org.openjdk.jmh.annotations.Setup;
import org.openjdk.jmh.annotations.State;
import org.openjdk.jmh.annotations.TearDown;

/**
 * Cost of an event in a pool that wakes no other thread. The pool has one thread, or a leader and a follower with deferred promotion.
 *
 * <p>Trap: Here the leader waits for each event, but a real server waits once for many events. The wait makes no system call.
 */
@State(Scope.Benchmark)
public class EventBenchmark {
    private static final int BATCH = 10_000;

    @Param({"1", "2"})
    private int threads;

    private SuppliedPool pool;
    private long handled;

    @Setup
    public void start() {
        pool = new SuppliedPool(
                PoolConfig.of("event", threads), SuppliedSet.Count.EVENTS, (handle, ready) -> handled += ready);
    }

    @TearDown
    public void stop() {
        pool.close();
    }

    @Benchmark
    @OperationsPerInvocation(BATCH)
    public void event() throws InterruptedException {
        pool.run(BATCH);
    }
}
