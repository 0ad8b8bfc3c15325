package org.cabrank.lf;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import java.util.concurrent.atomic.AtomicLong;
import org.cabrank.lf.fixture.Await;
import org.cabrank.lf.handle.Deactivation;
import org.junit.jupiter.api.Test;

/** Cancelling against expiring, with real threads: each timer either runs or is cancelled. */
class TimerRaceTest {
    private static final int TIMERS = 20_000;
    private static final int PERIODIC = 500;
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
        assertTrue(cancelled > 0 && expected > 0, () -> expected + " of " + TIMERS + " timers ran: there was no race");
        assertEquals(expected, calls.get());
        assertEquals(expected, all.stream().mapToLong(Timer::runs).sum());
    }

    /** One of the last few: some of them are due, some are not, some are over. */
    private static Timer timerOf(List<Timer> all, Random random) {
        return all.get(all.size() - 1 - random.nextInt(Math.min(8, all.size())));
    }

    /**
     * A call that is under way, or about to begin, when the timer is cancelled is finished; after that call none begins. A
     * timer of the same period that is not cancelled shows that there was time for more calls.
     */
    @Test
    void periodicTimerIsNotCalledAgainOnceItIsCancelled() {
        Random random = new Random();
        MemoryHandleSet set = new MemoryHandleSet(Deactivation.CLAIM);
        LeaderFollowersPool pool =
                new LeaderFollowersPool(set, PoolConfig.of("timers", 2).withPromotion(Promotion.eager()));
        pool.start();
        Timers timers = new Timers(set);
        List<Timer> all = new ArrayList<>();
        List<AtomicLong> calls = new ArrayList<>();
        List<Long> callsWhenCancelled = new ArrayList<>();
        int underWay = 0;
        for (int i = 0; i < PERIODIC; i++) {
            AtomicLong own = new AtomicLong();
            Timer timer = timers.every(
                    Duration.ofNanos(random.nextInt(DELAY_MAX_NS)),
                    Duration.ofNanos(1 + random.nextInt(DELAY_MAX_NS)),
                    each -> own.incrementAndGet());
            long enough = random.nextInt(4);
            assertTrue(Await.until(Await.PATIENCE, () -> own.get() >= enough), timer::toString);
            assertTrue(timer.cancel());
            all.add(timer);
            calls.add(own);
            callsWhenCancelled.add(own.get());
            underWay += set.handleCount();
        }
        awaitCallsOfAnother(timers);
        assertTrue(Await.until(Await.PATIENCE, () -> set.handleCount() == 0));
        pool.close();
        set.close();
        assertTrue(all.stream().noneMatch(Timer::isActive));
        assertTrue(underWay > 0, "every timer had left before the next one was made");
        assertTrue(calls.stream().mapToLong(AtomicLong::get).sum() >= PERIODIC, "hardly any timer was called");
        for (int i = 0; i < PERIODIC; i++) {
            long called = calls.get(i).get();
            long before = callsWhenCancelled.get(i);
            assertTrue(called <= before + 1, () -> called - before + " calls began after the timer was cancelled");
            assertEquals(called, all.get(i).runs());
        }
    }

    private static void awaitCallsOfAnother(Timers timers) {
        Timer another = timers.every(Duration.ofNanos(DELAY_MAX_NS), each -> {});
        assertTrue(Await.until(Await.PATIENCE, () -> another.runs() >= 20));
        assertTrue(another.cancel());
    }
}
