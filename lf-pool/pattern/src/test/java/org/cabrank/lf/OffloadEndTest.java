package org.cabrank.lf;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.time.Duration;
import java.util.List;
import org.cabrank.lf.handle.Deactivation;
import org.cabrank.lf.handle.Ready;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** The end of a handle and of a pool while work is under way. */
class OffloadEndTest extends OffloadFixture {
    // ---- the end of the handle ----

    @ParameterizedTest
    @ValueSource(ints = {1, 3})
    void closeMeanwhileIsAtOnceAndTheResultIsDropped(int threads) {
        pool(threads);
        fixture.join("a");
        FakeHandle handle = offloading();
        fixture.report(handle);
        handle.close();
        fixture.awaitIdle();
        assertEquals(List.of("READ", "closed because of null"), fixture.log);
        assertFalse(fixture.set.dispatcher().offloads().hasUnfinished());
        doWork();
        assertEquals(2, fixture.log.size());
        assertEquals(1, fixture.set.dispatcher().offloads().droppedCount());
    }

    @Test
    void closeThatMeetsTheEndOfTheWorkDropsTheResultOnce() {
        pool(1);
        FakeHandle handle = offloading();
        fixture.set.report(handle);
        Gate gate = fixture.gate();
        FakeHandle busy = fixture.slow("busy", gate);
        fixture.join("a");
        fixture.report(busy);
        accepted.remove().run();
        handle.close();
        fixture.open(gate);
        assertEquals("closed because of null", fixture.log.get(fixture.log.size() - 1));
        assertEquals(1, fixture.set.dispatcher().offloads().droppedCount());
        assertFalse(fixture.set.dispatcher().offloads().hasUnfinished());
    }

    // ---- the end of the pool ----

    @ParameterizedTest
    @ValueSource(ints = {1, 3})
    void gracefulStopWaitsForTheWorkAndGoesOnWithTheHandler(int threads) {
        for (Promotion promotion : List.of(Promotion.eager(), Promotion.deferred(PoolFixture.MAX_GAP))) {
            pool(threads, promotion, Deactivation.CLAIM);
            fixture.join("a");
            FakeHandle handle = offloading(later, () -> "first", (h, result) -> {
                report(h, result);
                h.offload(later, () -> "second", this::report);
            });
            FakeHandle late = fixture.quick("late");
            fixture.report(handle);
            fixture.pool.stop();
            fixture.awaitIdle();
            assertFalse(fixture.pool.isTerminated());
            fixture.report(late);
            late.post(Ready.POSTED);
            fixture.awaitIdle();
            doWork();
            assertFalse(fixture.pool.isTerminated(), "the continuation has handed away more");
            accepted.remove().run();
            fixture.awaitTerminated();
            assertEquals(
                    List.of("READ", "first, held true", "second, held true", "late by a"),
                    fixture.log,
                    "the post is served once, as without the work; the event that was detected after the stop is not");
        }
    }

    @ParameterizedTest
    @ValueSource(ints = {1, 3})
    void gracefulStopWaitsForTheWorkThatAHandlerOffloadsAtLast(int threads) {
        pool(threads);
        fixture.join("a");
        FakeHandle first = offloading();
        FakeHandle last = fixture.set.register("last", (handle, ready) -> {
            fixture.log.add("last " + Ready.describe(ready));
            handle.offload(later, () -> "work of last", this::report);
        });
        fixture.report(first);
        fixture.pool.stop();
        fixture.awaitIdle();
        last.post(Ready.POSTED);
        accepted.remove().run();
        fixture.time.await("last has offloaded", () -> !accepted.isEmpty());
        assertFalse(fixture.pool.isTerminated(), "the continuation of last has not run");
        accepted.remove().run();
        fixture.awaitTerminated();
        assertEquals(List.of("last POSTED", "work of last, held true"), fixture.log.subList(2, 4));
    }

    @ParameterizedTest
    @ValueSource(ints = {1, 3})
    void gracefulStopGoesOnWithAHandlerThatIsAlsoCalledDuringTheWork(int threads) {
        pool(threads);
        fixture.join("a");
        FakeHandle handle = fixture.set.registerCalledWhenDetained(
                "handle", Ready.TIMER, new Offloading(later, () -> "done", this::report));
        fixture.report(handle);
        fixture.pool.stop();
        fixture.awaitIdle();
        handle.post(Ready.TIMER);
        fixture.awaitIdle();
        accepted.remove().run();
        fixture.awaitTerminated();
        assertEquals(List.of("READ", "TIMER", "done, held true"), fixture.log);
    }

    @ParameterizedTest
    @ValueSource(ints = {1, 3})
    void gracefulStopEndsWhenTheHandleThatItWaitsForIsClosed(int threads) {
        pool(threads);
        fixture.join("a");
        FakeHandle handle = offloading();
        fixture.report(handle);
        fixture.pool.stop();
        fixture.awaitIdle();
        handle.close();
        fixture.awaitTerminated();
        assertEquals(List.of("READ", "closed because of null"), fixture.log);
        accepted.remove().run();
        assertEquals(1, fixture.set.dispatcher().offloads().droppedCount());
    }

    @ParameterizedTest
    @ValueSource(ints = {1, 3})
    void stopNowDoesNotWaitForTheWork(int threads) {
        pool(threads);
        fixture.join("a");
        FakeHandle handle = offloading();
        fixture.report(handle);
        fixture.pool.stop();
        fixture.awaitIdle();
        fixture.pool.stopNow();
        fixture.awaitTerminated();
        fixture.set.close();
        assertEquals(List.of("READ", "closed because of null"), fixture.log);
        accepted.remove().run();
        assertEquals(1, fixture.set.dispatcher().offloads().droppedCount());
        assertTrue(handle.isClosed());
    }

    @Test
    void handlerThatHandsAwayAfterTheStopIsWaitedForToo() {
        fixture.join("a", "b", "c");
        Gate gate = fixture.gate();
        FakeHandle handle = fixture.set.register("handle", (h, ready) -> {
            gate.pass();
            h.offload(later, () -> "done", this::report);
        });
        fixture.report(handle);
        gate.awaitEntered();
        fixture.pool.stop();
        fixture.awaitIdle();
        fixture.open(gate);
        assertFalse(fixture.pool.isTerminated(), "the handler's own thread stays for it");
        accepted.remove().run();
        fixture.awaitTerminated();
        assertEquals(List.of("done, held true"), fixture.log);
    }

    @Test
    void spinningPoolWaitsForTheWorkToo() {
        fixture.close();
        fixture = new PoolFixture(
                PoolConfig.of("test", 1).withWaiting(Waiting.spinThenBlock(Duration.ofNanos(1))), Deactivation.CLAIM);
        fixture.set.report(offloading());
        JoiningThread only = new JoiningThread("only", fixture.pool, null);
        fixture.time.await("the work was handed away", () -> !accepted.isEmpty());
        fixture.pool.stop();
        accepted.remove().run();
        fixture.time.await("it has left", only::hasLeft);
        assertEquals(List.of("READ", "done, held true"), fixture.log);
    }
}
