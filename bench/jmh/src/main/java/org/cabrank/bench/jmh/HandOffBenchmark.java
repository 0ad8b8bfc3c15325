package org.cabrank.bench.jmh;

import org.cabrank.lf.EventHandler;
import org.cabrank.lf.LeaderFollowersPool;
import org.cabrank.lf.PoolConfig;
import org.cabrank.lf.Promotion;
import org.cabrank.lf.PromotionOrder;
import org.openjdk.jmh.annotations.Benchmark;
import org.openjdk.jmh.annotations.OperationsPerInvocation;
import org.openjdk.jmh.annotations.Param;
import org.openjdk.jmh.annotations.Scope;
import org.openjdk.jmh.annotations.Setup;
import org.openjdk.jmh.annotations.State;
import org.openjdk.jmh.annotations.TearDown;

/**
 * Cost of handing leadership over to a sleeping follower, for each promotion order. Measured from one leading thread to the
 * next, in a whole pool: claim, hand-over, wake-up, and the previous leader's handler that returns and lines its thread up
 * again.
 *
 * <p>Under {@code eager} promotion the pool promotes before each event. Under {@code deferred} promotion the handler
 * requests the promotion at once.
 *
 * <p>Traps: the benchmark counts threads that lead after another thread did, not promotions, so a promotion that finds no
 * follower does not improve the figure. It makes the figure worse: on a busy machine, preempted followers line up late, and
 * the leader processes events without a hand-over, some 0.1 µs each; 60 such events for each hand-over were measured. A
 * follower that has not fallen asleep yet is cheaper to promote; this would be frequent with handlers that take no time, if
 * waking up did not take longer than such a handler. The third thread gives the orders a choice. The watcher's timer, once
 * in 1 ms, is part of the policy.
 */
@State(Scope.Benchmark)
public class HandOffBenchmark {
    private static final int BATCH = 500;
    private static final int THREADS = 3;

    /** Time of the hand-over. */
    public enum Policy {
        EAGER,
        DEFERRED
    }

    /** To whom. */
    public enum Order {
        LIFO(PromotionOrder.lifo()),
        FIFO(PromotionOrder.fifo()),
        ANY(PromotionOrder.any()),
        PRIORITY(PromotionOrder.priority());

        private final PromotionOrder order;

        Order(PromotionOrder order) {
            this.order = order;
        }
    }

    @Param
    private Policy policy;

    @Param
    private Order order;

    private SuppliedPool supplied;
    private LeaderFollowersPool pool;

    @Setup
    public void start() {
        boolean eager = policy == Policy.EAGER;
        EventHandler handler = eager ? (handle, ready) -> {} : (handle, ready) -> pool.promoteNewLeader();
        PoolConfig config = PoolConfig.of("hand-off", THREADS)
                .withPromotion(eager ? Promotion.eager() : Promotion.deferred())
                .withOrder(order.order);
        supplied = new SuppliedPool(config, SuppliedSet.Count.NEW_LEADERS, handler);
        pool = supplied.pool();
    }

    @TearDown
    public void stop() {
        supplied.close();
    }

    @Benchmark
    @OperationsPerInvocation(BATCH)
    public void handOff() throws InterruptedException {
        supplied.run(BATCH);
    }
}
