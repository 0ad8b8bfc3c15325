package org.cabrank.bench.jmh;

import java.time.Duration;
import org.cabrank.lf.PoolConfig;
import org.cabrank.lf.Promotion;
import org.openjdk.jmh.annotations.Benchmark;
import org.openjdk.jmh.annotations.OperationsPerInvocation;
import org.openjdk.jmh.annotations.Param;
import org.openjdk.jmh.annotations.Scope;
import org.openjdk.jmh.annotations.Setup;
import org.openjdk.jmh.annotations.State;
import org.openjdk.jmh.annotations.TearDown;

/**
 * Time from an event to the takeover by a follower. Promotion is deferred, and the handler blocks without requesting a promotion. So no
 * thread waits for events.
 *
 * <p>Trap: Here every handler blocks, so the watcher is alert and looks 16 times in {@code maxGap}. After a calm period, the watcher looks
 * only twice, and the first takeover takes up to {@code maxGap}. A handler waits only until it has a successor, so its own time has no
 * effect on the result.
 */
@State(Scope.Benchmark)
public class TakeoverBenchmark {
    private static final int BATCH = 8;

    @Param({"200", "2000"})
    private int maxGapUs;

    private final Object change = new Object();

    /** Guarded by {@link #change}. */
    private Thread leader;

    private SuppliedPool pool;

    @Setup
    public void start() {
        PoolConfig config =
                PoolConfig.of("takeover", 2).withPromotion(Promotion.deferred(Duration.ofNanos(maxGapUs * 1_000L)));
        pool = new SuppliedPool(
                config, SuppliedSet.Count.NEW_LEADERS, this::noteNewLeader, (handle, ready) -> awaitSuccessor());
    }

    private void noteNewLeader() {
        synchronized (change) {
            leader = Thread.currentThread();
            change.notifyAll();
        }
    }

    private void awaitSuccessor() throws InterruptedException {
        synchronized (change) {
            while (leader == Thread.currentThread()) {
                change.wait();
            }
        }
    }

    @TearDown
    public void stop() {
        pool.close();
    }

    @Benchmark
    @OperationsPerInvocation(BATCH)
    public void takeover() throws InterruptedException {
        pool.run(BATCH);
    }
}
