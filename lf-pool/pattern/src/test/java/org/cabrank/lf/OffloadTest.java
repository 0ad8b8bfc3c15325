package org.cabrank.lf;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;

import java.util.List;
import org.cabrank.lf.dispatch.HandleStates;
import org.cabrank.lf.handle.Deactivation;
import org.cabrank.lf.handle.Ready;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.ValueSource;

/** Offloaded work: the handle is kept for it, and its continuation runs before all else. */
class OffloadTest extends OffloadFixture {
    @ParameterizedTest
    @ValueSource(ints = {1, 3})
    void continuationComesBeforeAllThatWasNotedMeanwhileAndThatFollowsInOrder(int threads) {
        pool(threads);
        fixture.join("a");
        FakeHandle handle = offloading();
        fixture.report(handle);
        assertEquals(List.of("READ"), fixture.log);
        assertFalse(HandleStates.isClaimed(handle), "no thread holds it");
        handle.post(Ready.POSTED);
        handle.scheduleTimer(fixture.set.nanoTime() + 500);
        fixture.advance(500);
        fixture.set.report(List.of(new FakeHandleSet.Event(handle, Ready.WRITE)));
        fixture.awaitIdle();
        assertEquals(List.of("READ"), fixture.log, "all of it waits");
        doWork();
        assertEquals(List.of("READ", "done, held true", "WRITE|TIMER|POSTED"), fixture.log);
        fixture.report(handle);
        assertEquals("READ", fixture.log.get(3));
        assertEquals(1, accepted.size(), "it may hand away again");
    }

    @Test
    void poolOfOneThreadServesOthersWhileWorkIsUnderWay() {
        pool(1);
        fixture.join("only");
        fixture.report(offloading());
        fixture.report(fixture.quick("other"));
        assertEquals(List.of("READ", "other by only"), fixture.log);
        doWork();
        assertEquals("done, held true", fixture.log.get(2));
    }

    @ParameterizedTest
    @ValueSource(ints = {1, 3})
    void workThatIsDoneBeforeTheHandlerReturnsIsGoneOnWithAfterIt(int threads) {
        pool(threads);
        Gate gate = fixture.gate();
        FakeHandle handle = fixture.set.register("handle", (h, ready) -> {
            h.offload(later, () -> "done", this::report);
            gate.pass();
            fixture.log.add("returns");
        });
        fixture.join("a");
        fixture.report(handle);
        gate.awaitEntered();
        accepted.remove().run();
        assertEquals(List.of(), fixture.log);
        fixture.open(gate);
        assertEquals(List.of("returns", "done, held true"), fixture.log);
    }

    @ParameterizedTest
    @ValueSource(ints = {1, 3})
    void executorThatRunsInTheCallingThreadIsServed(int threads) {
        pool(threads);
        fixture.join("a");
        FakeHandle handle = offloading(
                Runnable::run,
                () -> {
                    fixture.log.add("work");
                    return "done";
                },
                this::report);
        fixture.report(handle);
        assertEquals(List.of("READ", "work", "done, held true"), fixture.log);
        fixture.report(handle);
        assertEquals(6, fixture.log.size());
    }

    @Test
    void continuationMayHandAwayMoreAndTheRestWaitsForThatToo() {
        fixture.join("a");
        FakeHandle handle = offloading(later, () -> "first", (h, result) -> {
            report(h, result);
            h.offload(later, () -> "second", this::report);
        });
        fixture.report(handle);
        handle.post(Ready.POSTED);
        doWork();
        assertEquals(List.of("READ", "first, held true"), fixture.log);
        doWork();
        assertEquals(List.of("READ", "first, held true", "second, held true", "POSTED"), fixture.log);
    }

    // ---- deactivation ----

    @ParameterizedTest
    @EnumSource(Deactivation.class)
    void deactivatedHandleIsGoneOnWithWhenItIsReactivated(Deactivation deactivation) {
        pool(3, Promotion.eager(), deactivation);
        fixture.join("a");
        FakeHandle handle = offloading();
        fixture.report(handle);
        fixture.pool.deactivateHandle(handle);
        handle.post(Ready.POSTED);
        doWork();
        assertEquals(List.of("READ"), fixture.log);
        fixture.pool.reactivateHandle(handle);
        fixture.awaitIdle();
        assertEquals(List.of("READ", "done, held true", "POSTED"), fixture.log);
        assertEquals(
                deactivation == Deactivation.ONESHOT, !fixture.set.rearmed().isEmpty());
    }

    @Test
    void reactivationWhileWorkIsUnderWayLetsNothingThrough() {
        fixture.join("a");
        FakeHandle handle = offloading();
        fixture.report(handle);
        fixture.pool.deactivateHandle(handle);
        handle.post(Ready.POSTED);
        fixture.pool.reactivateHandle(handle);
        fixture.awaitIdle();
        assertEquals(List.of("READ"), fixture.log);
        doWork();
        assertEquals(List.of("READ", "done, held true", "POSTED"), fixture.log);
    }

    @ParameterizedTest
    @ValueSource(ints = {1, 3})
    void oneShotHandleIsArmedAgainAfterTheContinuation(int threads) {
        pool(threads, Promotion.eager(), Deactivation.ONESHOT);
        fixture.join("a");
        FakeHandle handle = offloading(
                later,
                () -> "done",
                (h, result) -> fixture.log.add("armed " + fixture.set.rearmed().size()));
        fixture.report(handle);
        assertEquals(List.of(), fixture.set.rearmed(), "what comes meanwhile may wait in the kernel");
        doWork();
        assertEquals(List.of("READ", "armed 0"), fixture.log);
        assertEquals(List.of("handle claimed"), fixture.set.rearmed());
    }

    @Test
    void oneShotHandleThatTheKernelDidNotReportIsNotArmedByTheContinuation() {
        pool(3, Promotion.eager(), Deactivation.ONESHOT);
        fixture.join("a");
        FakeHandle handle = fixture.set.register("handle", (h, ready) -> h.offload(later, () -> "done", this::report));
        handle.post(Ready.POSTED);
        fixture.awaitIdle();
        doWork();
        assertEquals(List.of("done, held true"), fixture.log);
        assertEquals(List.of(), fixture.set.rearmed());
    }
}
