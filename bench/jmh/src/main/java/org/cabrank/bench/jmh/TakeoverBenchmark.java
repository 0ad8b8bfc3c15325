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
 * Under deferred promotion, for how long does nobody watch when a handler blocks without a word? From the event to the standby that
 * has taken leadership over.
 *
 * <p>Traps: one handler after the other blocks here, so the standby is alert and looks sixteen times in {@code maxGap}; after a
 * calm time it looks twice, and the first takeover takes up to the whole of it. A handler waits for its successor and for nothing
 * else, so that what is measured is the standby's looks and not the handler's own time.
 */
@State(Scope.Benchmark)
public class TakeoverBenchmark {
    private static final int BATCH = 8;

    @Param({"200", "2000"})
    private int maxGapUs;

    private final Object change = new Object();

    /**
     * Who has become leader last. With change. Not a count of leaders: a thread may be deposed before its handler has come so far
     * as to read one.
     */
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
