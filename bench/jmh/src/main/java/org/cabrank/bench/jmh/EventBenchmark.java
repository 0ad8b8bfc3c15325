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
 * Cost of an event in a pool that wakes no thread: with one thread, and with a leader and a follower under deferred promotion.
 *
 * <p>Trap: the figure includes a wait for each event (without a system call), while a service waits once for many events.
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
