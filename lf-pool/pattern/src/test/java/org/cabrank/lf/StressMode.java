package org.cabrank.lf;

import java.time.Duration;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.concurrent.ThreadLocalRandom;
import org.cabrank.lf.handle.Deactivation;

/**
 * @param visitors threads join with short time-outs, again and again, instead of being started by the pool
 * @param oneLeader the sets prefer one leader
 * @param grows the pool starts with two threads, and ends what it has not needed for some milliseconds
 */
record StressMode(
        Promotion promotion,
        PromotionOrder order,
        Deactivation deactivation,
        int threads,
        int sets,
        Waiting waiting,
        boolean visitors,
        boolean oneLeader,
        boolean grows) {

    private StressMode(
            Promotion promotion,
            PromotionOrder order,
            Deactivation deactivation,
            int threads,
            int sets,
            Waiting waiting,
            boolean visitors,
            boolean oneLeader) {
        this(promotion, order, deactivation, threads, sets, waiting, visitors, oneLeader, false);
    }

    /** One set, whose pool grows. */
    private static StressMode growing(
            Promotion promotion, PromotionOrder order, Deactivation deactivation, int threads) {
        return new StressMode(promotion, order, deactivation, threads, 1, Waiting.block(), false, false, true);
    }

    /** By a priority that threads are born with; fails now and then, as users' comparators do. */
    private static final Comparator<Thread> PRIORITY = (one, other) -> {
        if (ThreadLocalRandom.current().nextInt(1_000) == 0) {
            throw new IllegalStateException("thrown by a comparator on purpose");
        }
        return Long.compare(one.getId() % 3, other.getId() % 3);
    };

    /** Every promotion in every order, by pools of several shapes. */
    static List<StressMode> of(Deactivation deactivation) {
        Promotion quick = Promotion.deferred(Duration.ofNanos(10_000));
        Promotion slow = Promotion.deferred(Duration.ofMillis(1));
        Waiting block = Waiting.block();
        Waiting spin = Waiting.spinThenBlock(Duration.ofNanos(20_000));
        List<PromotionOrder> orders = List.of(
                PromotionOrder.lifo(), PromotionOrder.fifo(), PromotionOrder.any(), PromotionOrder.priority(PRIORITY));
        List<StressMode> modes = new ArrayList<>();
        modes.add(new StressMode(slow, orders.get(0), deactivation, 1, 1, block, false, false));
        for (PromotionOrder order : orders) {
            for (Promotion promotion : List.of(Promotion.eager(), quick)) {
                modes.add(new StressMode(promotion, order, deactivation, 2, 1, block, false, false));
                modes.add(new StressMode(promotion, order, deactivation, 4, 1, block, false, false));
                modes.add(new StressMode(promotion, order, deactivation, 4, 1, block, true, false));
                modes.add(new StressMode(promotion, order, deactivation, 4, 3, block, false, false));
            }
            modes.add(new StressMode(slow, order, deactivation, 4, 2, block, true, false));
        }
        modes.add(new StressMode(Promotion.eager(), orders.get(0), deactivation, 2, 2, block, false, false));
        modes.add(new StressMode(Promotion.eager(), orders.get(0), deactivation, 2, 1, spin, true, false));
        modes.add(new StressMode(quick, orders.get(2), deactivation, 3, 2, spin, false, false));
        modes.add(new StressMode(quick, orders.get(0), deactivation, 4, 1, block, true, true));
        modes.add(new StressMode(quick, orders.get(1), deactivation, 4, 1, block, false, true));
        modes.add(growing(quick, orders.get(0), deactivation, 8));
        modes.add(growing(quick, orders.get(1), deactivation, 4));
        modes.add(growing(Promotion.eager(), orders.get(3), deactivation, 5));
        return modes;
    }
}
