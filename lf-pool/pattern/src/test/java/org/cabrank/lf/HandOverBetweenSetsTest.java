package org.cabrank.lf;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.List;
import java.util.concurrent.atomic.AtomicReference;
import org.cabrank.lf.handle.Deactivation;
import org.cabrank.lf.handle.Handle;
import org.cabrank.lf.handle.Ready;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** Steps on which a descriptor that moves from one set to another relies, in virtual time. */
@Timeout(300)
class HandOverBetweenSetsTest {
    private PoolFixture fixture;
    private FakeHandleSet former;
    private FakeHandleSet other;
    private final AtomicReference<FakeHandle> next = new AtomicReference<>();

    @BeforeEach
    void join() {
        fixture = new PoolFixture(
                PoolConfig.of("test", 3).withPromotion(Promotion.deferred(PoolFixture.MAX_GAP)), Deactivation.CLAIM, 2);
        former = fixture.sets.get(0);
        other = fixture.sets.get(1);
        fixture.join("a", "b", "c");
    }

    @AfterEach
    void close() {
        fixture.close();
    }

    private void log(Handle handle, int ready) {
        fixture.log.add(handle + " " + Ready.describe(ready) + " by "
                + Thread.currentThread().getName());
    }

    /** Returns a handle whose handler registers its successor, waits at the gate, leaves, and activates the successor. */
    private FakeHandle goes(Gate beforeLeaving, int posted) {
        return former.register("former", (handle, ready) -> {
            log(handle, ready);
            FakeHandle successor = new FakeHandle(other, "next", this::log);
            other.dispatcher().admitInactive(successor);
            next.set(successor);
            beforeLeaving.pass();
            former.dispatcher().dismiss(handle);
            successor.post(posted);
            other.dispatcher().activate(successor);
        });
    }

    @Test
    void eventInTheNewSetWaitsUntilTheFormerHandleHasLeft() {
        Gate gate = fixture.gate();
        FakeHandle leaving = goes(gate, Ready.POSTED);
        fixture.report(leaving);
        fixture.report(next.get());
        assertEquals(List.of("former READ by a"), fixture.log, "the kernel reports in both sets, one is dispatched");
        fixture.open(gate);
        assertEquals(2, fixture.log.size(), fixture.log::toString);
        assertEquals("next " + Ready.describe(Ready.READ | Ready.POSTED) + " by b", fixture.log.get(1));
        assertEquals(0, former.handleCount());
        assertEquals(1, other.handleCount());
    }

    @Test
    void eventsOfTheFormerHandleAreStaleAndItsPostsWithoutEffect() {
        Gate gate = fixture.gate();
        FakeHandle leaving = goes(gate, Ready.POSTED);
        fixture.report(leaving);
        leaving.post(Ready.POSTED_2);
        fixture.open(gate);
        long stale = fixture.pool.counters().staleEvents();
        fixture.report(leaving);
        leaving.post(Ready.POSTED_3);
        fixture.awaitIdle();
        assertEquals(2, fixture.log.size(), fixture.log::toString);
        assertTrue(fixture.pool.counters().staleEvents() > stale);
        assertTrue(leaving.isClosed());
        assertEquals(List.of(), former.closed(), "the descriptor goes on");
    }

    @Test
    void timerOfTheFormerHandleDoesNotExpireAndThatOfTheNextDoes() {
        Gate gate = fixture.gate();
        FakeHandle leaving = goes(gate, Ready.POSTED);
        leaving.scheduleTimer(fixture.time.nanoTime() + 1_000_000_000);
        fixture.report(leaving);
        next.get().scheduleTimer(fixture.time.nanoTime() + 2_000_000_000);
        fixture.open(gate);
        fixture.log.clear();
        fixture.advance(1_500_000_000);
        assertEquals(List.of(), fixture.log);
        fixture.advance(1_000_000_000);
        assertEquals(1, fixture.log.size(), fixture.log::toString);
        assertTrue(fixture.log.get(0).startsWith("next TIMER"), fixture.log::toString);
    }
}
