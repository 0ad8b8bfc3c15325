package org.cabrank.lf;

import static org.cabrank.lf.PoolFixture.GAP_NS;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;

import java.util.ArrayList;
import java.util.List;
import org.cabrank.lf.dispatch.HandleStates;
import org.cabrank.lf.handle.Deactivation;
import org.cabrank.lf.handle.Handle;
import org.cabrank.lf.handle.HandleSet;
import org.cabrank.lf.handle.Ready;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Posts and timers, which are no events of the kernel, with each way of waiting. */
@Timeout(300)
class PostsAndTimersTest {
    private PoolFixture fixture = PoolFixture.eager(3);

    @AfterEach
    void close() {
        fixture.close();
    }

    private FakeHandle telling(String name) {
        return fixture.set.register(name, (handle, ready) -> fixture.log.add(Ready.describe(ready)));
    }

    // ---- posts ----

    @Test
    void postFromAnotherThreadWakesTheLeader() {
        fixture.join("a");
        FakeHandle handle = telling("handle");
        int interrupts = fixture.set.interrupts();
        handle.post(Ready.POSTED_2);
        fixture.awaitIdle();
        assertEquals(List.of("POSTED_2"), fixture.log);
        assertEquals(interrupts + 1, fixture.set.interrupts());
    }

    @Test
    void postsThatComeTogetherAreOneCallAndOneWakeup() {
        fixture.join("a");
        Gate gate = fixture.gate();
        FakeHandle handle = telling("handle");
        fixture.report(fixture.slow("slow", gate));
        int interrupts = fixture.set.interrupts();
        handle.post(Ready.POSTED);
        handle.post(Ready.POSTED_2);
        handle.post(Ready.POSTED);
        assertEquals(interrupts, fixture.set.interrupts(), "nobody waits");
        fixture.log.clear();
        fixture.open(gate);
        assertEquals(List.of("slow ended by a", "POSTED|POSTED_2"), fixture.log);
    }

    @Test
    void postBeforeTheFirstThreadComesIsKept() {
        telling("handle").post(Ready.POSTED);
        fixture.join("a");
        assertEquals(List.of("POSTED"), fixture.log);
    }

    @ParameterizedTest
    @ValueSource(ints = {0, -1, 1 << 10, 1 << 14, 1 << 15, 1 << 31})
    void onlyBitsThatAHandlerMaySeeCanBePosted(int bits) {
        FakeHandle handle = telling("handle");
        assertThrows(IllegalArgumentException.class, () -> handle.post(bits));
        assertFalse(HandleStates.isClaimed(handle));
    }

    // ---- timers ----

    @Test
    void timerFiresAtItsTimeAndShortensTheLeadersWait() {
        fixture.join("a");
        FakeHandle handle = telling("handle");
        handle.scheduleTimer(fixture.set.nanoTime() + 500);
        fixture.awaitIdle();
        assertEquals(500, fixture.set.lastTimeoutNs());
        fixture.advance(499);
        assertEquals(List.of(), fixture.log);
        fixture.advance(1);
        assertEquals(List.of("TIMER"), fixture.log);
        assertEquals(HandleSet.FOREVER, fixture.set.lastTimeoutNs(), "it fires once");
    }

    @Test
    void earlierTimerWakesTheLeaderAndALaterOneDoesNot() {
        fixture.join("a");
        FakeHandle late = telling("late");
        FakeHandle early = telling("early");
        late.scheduleTimer(fixture.set.nanoTime() + 500);
        fixture.awaitIdle();
        int awaits = fixture.set.awaits();
        telling("later").scheduleTimer(fixture.set.nanoTime() + 600);
        fixture.awaitIdle();
        assertEquals(awaits, fixture.set.awaits());
        early.scheduleTimer(fixture.set.nanoTime() + 100);
        fixture.awaitIdle();
        assertEquals(100, fixture.set.lastTimeoutNs());
    }

    @Test
    void cancelledTimerDoesNotFire() {
        fixture.join("a");
        FakeHandle handle = telling("handle");
        handle.scheduleTimer(fixture.set.nanoTime() + 500);
        fixture.awaitIdle();
        handle.scheduleTimer(Handle.NO_DEADLINE);
        fixture.advance(1000);
        assertEquals(List.of(), fixture.log);
        assertEquals(HandleSet.FOREVER, fixture.set.lastTimeoutNs());
    }

    @Test
    void timerOfAClosedHandleDoesNotFire() {
        fixture.join("a");
        FakeHandle handle = telling("handle");
        handle.scheduleTimer(fixture.set.nanoTime() + 500);
        handle.close();
        fixture.awaitIdle();
        handle.scheduleTimer(fixture.set.nanoTime() + 500);
        fixture.advance(1000);
        assertEquals(List.of(), fixture.log);
    }

    @Test
    void timerOfAClaimedHandleIsItsHolders() {
        fixture.join("a", "b");
        Gate gate = fixture.gate();
        FakeHandle handle = fixture.set.register("handle", (h, ready) -> {
            fixture.log.add(
                    Ready.describe(ready) + " by " + Thread.currentThread().getName());
            gate.pass();
        });
        fixture.report(handle);
        handle.scheduleTimer(fixture.set.nanoTime() + 500);
        fixture.advance(500);
        assertEquals(List.of("READ by a"), fixture.log);
        fixture.open(gate);
        assertEquals(List.of("READ by a", "TIMER by a"), fixture.log);
    }

    // ---- waiting ----

    @ParameterizedTest
    @ValueSource(longs = {0, 10_000, Long.MAX_VALUE})
    void everyWayOfWaitingServesEventsPostsAndTimers(long spinNs) {
        fixture.close();
        fixture = new PoolFixture(
                PoolConfig.of("test", 2)
                        .withPromotion(Promotion.deferred(PoolFixture.MAX_GAP))
                        .withWaiting(new Waiting(spinNs)),
                Deactivation.CLAIM);
        List<JoiningThread> participants = new ArrayList<>();
        for (String name : List.of("a", "b")) {
            participants.add(new JoiningThread(name, fixture.pool, null));
        }
        fixture.time.await("both take part", () -> fixture.states().size() == 2);
        FakeHandle handle = telling("handle");
        fixture.set.report(handle);
        fixture.time.await("the event", () -> fixture.log.contains("READ"));
        handle.post(Ready.POSTED);
        fixture.time.await("the post", () -> fixture.log.contains("POSTED"));
        handle.scheduleTimer(fixture.set.nanoTime() + GAP_NS);
        fixture.time.await("the timer", () -> {
            // Again and again: a leader that has not begun to wait yet measures its wait from the clock's new time.
            fixture.time.advance(GAP_NS);
            return fixture.log.contains("TIMER");
        });
        fixture.time.advance(GAP_NS);
        fixture.pool.stop();
        fixture.awaitTerminated();
        fixture.time.await("both have left", () -> participants.stream().allMatch(JoiningThread::wasStopped));
    }
}
