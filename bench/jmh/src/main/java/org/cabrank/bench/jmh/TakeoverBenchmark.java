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
 * Time without a watching thread when a handler blocks under deferred promotion without requesting a promotion: from the event to the
 * takeover by a follower.
 *
 * <p>Traps: every handler blocks here, so the watcher is alert and reads the word 16 times in {@code maxGap}; after a calm period it reads
 * the word twice, and the first takeover takes up to {@code maxGap}. A handler waits for its successor only, so the result is determined by
 * the watcher's reads and not by the handler's own time.
 */
@State(Scope.Benchmark)
public class TakeoverBenchmark {
    private static final int BATCH = 8;

    @Param({"200", "2000"})
    private int maxGapUs;

    private final Object change = new Object();

    /** Guarded by {@link #change}. A counter of leaders would not do: a thread may be deposed before its handler has read the counter. */
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
