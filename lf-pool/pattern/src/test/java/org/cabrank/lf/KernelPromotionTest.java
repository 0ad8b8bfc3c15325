package org.cabrank.lf;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;

import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.cabrank.lf.observe.ThreadState;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** A pool in which every thread waits in the handle set (POSA2: concurrent handle set). */
@Timeout(60)
class KernelPromotionTest {
    private PoolFixture fixture;

    @AfterEach
    void close() {
        if (fixture != null) {
            fixture.close();
        }
    }

    private void pool(int threads) {
        fixture = new PoolFixture(threads, Promotion.kernel());
    }

    @Test
    void everyThreadWatches() {
        pool(3);
        fixture.join("a", "b", "c");
        assertEquals(
                Map.of("a", ThreadState.LEADER, "b", ThreadState.LEADER, "c", ThreadState.LEADER), fixture.states());
        assertEquals(3, fixture.set.awaits());
    }

    @Test
    void slowHandlersLeaveTheRestWatching() {
        pool(3);
        fixture.join("a", "b", "c");
        Gate gate = fixture.gate();
        fixture.report(fixture.slow("slow 1", gate));
        fixture.report(fixture.slow("slow 2", gate));
        fixture.report(fixture.quick("quick"));
        assertEquals(3, fixture.log.size());
        assertEquals(3, fixture.pool.counters().detected());
        assertEquals(0, fixture.pool.counters().promotions());
    }

    @Test
    void handleInProcessingIsNotDispatchedTwice() {
        pool(2);
        fixture.join("a", "b");
        Gate gate = fixture.gate();
        FakeHandle handle = fixture.slow("slow", gate);
        fixture.report(handle);
        fixture.report(handle);
        assertEquals(1, fixture.log.size());
        assertEquals(1, fixture.pool.counters().claimedAndMore());
        fixture.open(gate);
        assertEquals(4, fixture.log.size());
    }

    /** One wake-up may stand for several posts. */
    @Test
    void postsThatShareAWakeUpAreSharedOut() {
        pool(3);
        Gate gate = fixture.gate();
        FakeHandle first = fixture.slow("first", gate);
        FakeHandle second = fixture.slow("second", gate);
        fixture.join("a", "b", "c");
        fixture.time.change(() -> {
            first.post(Ready.POSTED);
            second.post(Ready.POSTED);
        });
        fixture.settle();
        assertEquals(2, fixture.log.size());
        assertEquals(
                2,
                Set.copyOf(fixture.log.stream()
                                .map(line -> line.substring(line.length() - 1))
                                .toList())
                        .size(),
                "by two threads: " + fixture.log);
    }

    @Test
    void timerThatIsMovedForwardIsSeenThoughTheWakeUpFoundAPostToo() {
        pool(2);
        Gate gate = fixture.gate();
        FakeHandle posted = fixture.slow("posted", gate);
        FakeHandle timed = fixture.quick("timed");
        fixture.join("a", "b");
        fixture.time.change(() -> {
            posted.post(Ready.POSTED);
            timed.scheduleTimer(fixture.time.nanoTime() + 1_000);
        });
        fixture.settle();
        fixture.advance(1_000);
        assertEquals(2, fixture.log.size(), fixture.log.toString());
    }

    /** The wake-up of a new timer reaches one thread; the other threads wait without a time-out, and would sleep through it. */
    @Test
    void timerFiresThoughTheThreadThatWaitsForItIsBusy() {
        for (int attempt = 0; attempt < 8; attempt++) { // which thread gets the event is the kernel's choice
            close();
            pool(2);
            fixture.join("a", "b");
            FakeHandle timed = fixture.quick("timed");
            timed.scheduleTimer(fixture.time.nanoTime() + 1_000);
            fixture.settle();
            fixture.report(fixture.slow("slow", fixture.gate()));
            fixture.advance(1_000);
            assertEquals(2, fixture.log.size(), fixture.log.toString());
        }
    }

    @Test
    void stopReachesEveryThread() {
        pool(3);
        fixture.join("a", "b", "c");
        fixture.pool.stop();
        fixture.awaitTerminated();
    }

    @Test
    void timedJoinEnds() {
        pool(2);
        fixture.join("a");
        JoiningThread guest = fixture.join("guest", Duration.ofNanos(500));
        fixture.advance(500);
        fixture.awaitLeft("guest");
        assertEquals(true, guest.timedOut());
    }

    @Test
    void thereIsNobodyToPromote() {
        pool(2);
        FakeHandle handle =
                fixture.set.register("handle", (h, ready) -> fixture.log.add("" + fixture.pool.promoteNewLeader()));
        fixture.join("a", "b");
        fixture.report(handle);
        assertEquals(List.of("false"), fixture.log);
    }

    @Test
    void severalSetsAreRefused() {
        assertThrows(
                IllegalArgumentException.class,
                () -> new PoolFixture(
                        PoolConfig.of("test", 4).withPromotion(Promotion.kernel()), Deactivation.CLAIM, 2));
    }
}
