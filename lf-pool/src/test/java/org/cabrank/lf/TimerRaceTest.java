package org.cabrank.lf;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import java.util.concurrent.atomic.AtomicLong;
import org.junit.jupiter.api.Test;

/** Cancelling against expiring, with real threads: each timer either runs or is cancelled. */
class TimerRaceTest {
    private static final int TIMERS = 20_000;
    private static final int DELAY_MAX_NS = 60_000;

    @Test
    void oneShotTimerIsEitherRunOrCancelled() {
        Random random = new Random();
        MemoryHandleSet set = new MemoryHandleSet(Deactivation.CLAIM);
        LeaderFollowersPool pool =
                new LeaderFollowersPool(set, PoolConfig.of("timers", 2).withPromotion(Promotion.eager()));
        pool.start();
        Timers timers = new Timers(set);
        AtomicLong calls = new AtomicLong();
        List<Timer> all = new ArrayList<>();
        long cancelled = 0;
        for (int i = 0; i < TIMERS; i++) {
            Timer timer = timers.after(Duration.ofNanos(random.nextInt(DELAY_MAX_NS)), each -> calls.incrementAndGet());
            all.add(timer);
            if (timerOf(all, random).cancel()) {
                cancelled++;
            }
        }
        long expected = TIMERS - cancelled;
        assertTrue(
                Await.until(Await.PATIENCE, () -> calls.get() == expected && set.handleCount() == 0),
                () -> calls + " calls, where " + expected + " were due, and " + set.handleCount() + " handles");
        pool.close();
        set.close();
        assertEquals(expected, calls.get());
        assertEquals(expected, all.stream().mapToLong(Timer::runs).sum());
    }

    /** One of the last few: some of them are due, some are not, some are over. */
    private static Timer timerOf(List<Timer> all, Random random) {
        return all.get(all.size() - 1 - random.nextInt(Math.min(8, all.size())));
    }

    @Test
    void periodicTimerIsNotCalledAgainOnceItIsCancelled() {
        Random random = new Random();
        MemoryHandleSet set = new MemoryHandleSet(Deactivation.CLAIM);
        LeaderFollowersPool pool =
                new LeaderFollowersPool(set, PoolConfig.of("timers", 2).withPromotion(Promotion.eager()));
        pool.start();
        Timers timers = new Timers(set);
        List<Timer> all = new ArrayList<>();
        for (int i = 0; i < 500; i++) {
            Timer timer = timers.every(
                    Duration.ofNanos(random.nextInt(DELAY_MAX_NS)),
                    Duration.ofNanos(1 + random.nextInt(DELAY_MAX_NS)),
                    each -> {});
            all.add(timer);
            long calls = random.nextInt(4);
            assertTrue(Await.until(Await.PATIENCE, () -> timer.runs() >= calls), timer::toString);
            assertTrue(timer.cancel());
        }
        assertTrue(Await.until(Await.PATIENCE, () -> set.handleCount() == 0));
        pool.close();
        set.close();
        assertTrue(all.stream().noneMatch(Timer::isActive));
    }
}
