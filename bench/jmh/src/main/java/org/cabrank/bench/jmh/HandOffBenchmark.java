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
 * What does it cost to give leadership to a follower that sleeps, by the order in which followers are chosen? From one thread that
 * has leadership to the next, with a whole pool around it: claim, hand-over, wake-up, and the handler that returns meanwhile
 * and lines its thread up again.
 *
 * <p>Under {@code eager} promotion the pool promotes before each event. Under {@code deferred} promotion it does so when a handler
 * asks for it, as this one does at once; to a standby that is chosen, the wake-up of the next standby comes on top.
 *
 * <p>Traps: what is counted is threads that lead after another did, not promotions, so one that finds nobody does not make the
 * figure better. It makes it worse: on a busy machine followers that were preempted are late to line up, and the events that
 * their leader meanwhile processes without a hand-over are in the figure, some 0.1 µs each, which were 60 for a hand-off
 * there. A follower that has not fallen asleep yet is cheaper; with handlers that take no time there would be many, if waking
 * up did not take longer than they do. The third thread is there so that the orders have a choice. The standby's timer, once
 * in a millisecond, is part of the policy.
 */
@State(Scope.Benchmark)
public class HandOffBenchmark {
    private static final int BATCH = 500;
    private static final int THREADS = 3;

    /** When leadership is handed on. */
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
