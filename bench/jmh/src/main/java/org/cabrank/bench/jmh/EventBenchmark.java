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
 * What does a pool add to an event when nobody has to be woken: in a pool of one thread, and with a standby that watches under
 * deferred promotion? What {@link HandOffBenchmark} takes more than that is what deferred promotion saves.
 *
 * <p>Trap: one event a wait, so waits without a kernel are in it as well, which a service makes once for many events.
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
