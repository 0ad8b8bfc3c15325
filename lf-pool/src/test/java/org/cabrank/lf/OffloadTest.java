package org.cabrank.lf;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertSame;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.IOException;
import java.time.Duration;
import java.util.Deque;
import java.util.List;
import java.util.concurrent.Callable;
import java.util.concurrent.ConcurrentLinkedDeque;
import java.util.concurrent.Executor;
import java.util.concurrent.RejectedExecutionException;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.ValueSource;

/** Work that a handler hands away: the handle is kept for it, and gone on with before all else. */
@Timeout(60)
class OffloadTest {
    private PoolFixture fixture = PoolFixture.eager(3);

    /** What was handed away; done when the test says so, on the test's thread. */
    private final Deque<Runnable> accepted = new ConcurrentLinkedDeque<>();

    private final Executor later = accepted::add;

    @AfterEach
    void close() {
        fixture.close();
    }

    private void pool(int threads, Promotion promotion, Deactivation deactivation) {
        fixture.close();
        fixture = new PoolFixture(PoolConfig.of("test", threads).withPromotion(promotion), deactivation);
    }

    private void pool(int threads) {
        pool(threads, Promotion.eager(), Deactivation.CLAIM);
    }

    private void doWork() {
        accepted.remove().run();
        fixture.settle();
    }

    /** Hands READ away, and tells the rest. */
    private final class Offloading implements EventHandler {
        private final Executor executor;
        private final Callable<String> work;
        private final Continuation<String> continuation;

        Offloading(Executor executor, Callable<String> work, Continuation<String> continuation) {
            this.executor = executor;
            this.work = work;
            this.continuation = continuation;
        }

        @Override
        public void handleEvent(Handle handle, int ready) throws Exception {
            fixture.log.add(Ready.describe(ready));
            if ((ready & Ready.READ) != 0) {
                handle.offload(executor, work, continuation);
            }
        }

        @Override
        public void handleClosed(Handle handle, Throwable cause) {
            fixture.log.add("closed because of " + cause);
        }
    }

    private FakeHandle offloading(Executor executor, Callable<String> work, Continuation<String> continuation) {
        return fixture.set.register("handle", new Offloading(executor, work, continuation));
    }

    private void tell(Handle handle, String result) {
        fixture.log.add(result + ", held " + handle.isHeldByCaller());
    }

    private FakeHandle offloading() {
        return offloading(later, () -> "done", this::tell);
    }

    @ParameterizedTest
    @ValueSource(ints = {1, 3})
    void continuationComesBeforeAllThatWasNotedMeanwhileAndThatFollowsInOrder(int threads) {
        pool(threads);
        fixture.join("a");
        FakeHandle handle = offloading();
        fixture.report(handle);
        assertEquals(List.of("READ"), fixture.log);
        assertFalse(handle.isClaimed(), "no thread holds it");
        handle.post(Ready.POSTED);
        handle.scheduleTimer(fixture.set.nanoTime() + 500);
        fixture.advance(500);
        fixture.set.report(List.of(new FakeHandleSet.Event(handle.key(), Ready.WRITE)));
        fixture.settle();
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
            h.offload(later, () -> "done", this::tell);
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
                this::tell);
        fixture.report(handle);
        assertEquals(List.of("READ", "work", "done, held true"), fixture.log);
        fixture.report(handle);
        assertEquals(6, fixture.log.size());
    }

    @Test
    void rejectedWorkLeavesTheHandlerAsItWas() {
        fixture.join("a");
        RejectedExecutionException full = new RejectedExecutionException("full");
        Runnable[] offered = new Runnable[1];
        FakeHandle handle = fixture.set.register("handle", (h, ready) -> {
            fixture.log.add(Ready.describe(ready));
            if ((ready & Ready.READ) != 0) {
                assertSame(
                        full,
                        assertThrows(
                                RejectedExecutionException.class,
                                () -> h.offload(
                                        work -> {
                                            offered[0] = work;
                                            throw full;
                                        },
                                        () -> "never",
                                        this::tell)));
                assertTrue(h.isHeldByCaller());
                h.post(Ready.POSTED);
            }
        });
        fixture.report(handle);
        offered[0].run(); // an executor that cannot decide
        fixture.report(handle);
        assertEquals(List.of("READ", "POSTED", "READ", "POSTED"), fixture.log);
        assertEquals(2, fixture.set.offloads().refusedCount());
        assertFalse(fixture.set.offloads().isOwed());
        assertEquals(0, fixture.set.failures().count());
    }

    @Test
    void workThatThrowsClosesTheHandleWithThatCause() {
        fixture.join("a");
        FakeHandle handle = offloading(
                later,
                () -> {
                    throw new IOException("the work failed");
                },
                this::tell);
        fixture.report(handle);
        handle.post(Ready.POSTED);
        doWork();
        assertEquals(List.of("READ", "closed because of java.io.IOException: the work failed"), fixture.log);
        assertEquals(1, fixture.set.failures().count());
        assertEquals(1, fixture.set.offloads().failedCount());
        assertEquals(0, fixture.set.offloads().droppedCount());
    }

    @Test
    void continuationMayTakeTheFailureItself() {
        fixture.join("a");
        FakeHandle handle = offloading(
                later,
                () -> {
                    throw new AssertionError("the work failed");
                },
                new Continuation<>() {
                    @Override
                    public void resume(Handle h, String result) {
                        throw new IllegalStateException("there is no result");
                    }

                    @Override
                    public void failed(Handle h, Throwable failure) {
                        fixture.log.add("took " + failure.getMessage());
                    }
                });
        fixture.report(handle);
        doWork();
        assertEquals(List.of("READ", "took the work failed"), fixture.log);
        assertFalse(handle.isClosed());
    }

    @Test
    void continuationThatThrowsClosesTheHandle() {
        fixture.join("a");
        FakeHandle handle = offloading(later, () -> "done", (h, result) -> {
            throw new IOException("cannot go on");
        });
        fixture.report(handle);
        doWork();
        assertEquals(List.of("READ", "closed because of java.io.IOException: cannot go on"), fixture.log);
    }

    @Test
    void continuationMayHandAwayMoreAndTheRestWaitsForThatToo() {
        fixture.join("a");
        FakeHandle handle = offloading(later, () -> "first", (h, result) -> {
            tell(h, result);
            h.offload(later, () -> "second", this::tell);
        });
        fixture.report(handle);
        handle.post(Ready.POSTED);
        doWork();
        assertEquals(List.of("READ", "first, held true"), fixture.log);
        doWork();
        assertEquals(List.of("READ", "first, held true", "second, held true", "POSTED"), fixture.log);
    }

    @Test
    void handingAwayTwiceIsRefused() {
        fixture.join("a");
        FakeHandle handle = fixture.set.register("handle", (h, ready) -> {
            h.offload(later, () -> "first", this::tell);
            fixture.log.add(
                    assertThrows(IllegalStateException.class, () -> h.offload(later, () -> "second", this::tell))
                            .getMessage());
        });
        fixture.report(handle);
        doWork();
        assertEquals(
                List.of("handle has handed work away before, which is not done yet", "first, held true"), fixture.log);
        assertEquals(0, accepted.size());
    }

    @Test
    void onlyTheHandlerOfAnIterativeHandleHandsAway() {
        fixture.join("a");
        FakeHandle handle = offloading();
        assertEquals(
                "only the handler of a handle may hand its work away",
                assertThrows(IllegalStateException.class, () -> handle.offload(later, () -> "", this::tell))
                        .getMessage());
        FakeHandle shared = fixture.set.registerConcurrent(
                "shared",
                (h, ready) -> fixture.log.add(
                        assertThrows(IllegalStateException.class, () -> h.offload(later, () -> "", this::tell))
                                .getMessage()));
        fixture.report(shared);
        FakeHandle closing = fixture.set.register("closing", (h, ready) -> {
            h.close();
            fixture.log.add(assertThrows(IllegalStateException.class, () -> h.offload(later, () -> "", this::tell))
                    .getMessage());
        });
        fixture.report(closing);
        assertEquals(
                List.of(
                        "shared is concurrent: there is no order to resume, so give the work to the executor itself",
                        "closing is closed"),
                fixture.log);
        assertEquals(0, fixture.set.offloads().begunCount());
    }

    // ---- the end of the handle ----

    @ParameterizedTest
    @ValueSource(ints = {1, 3})
    void closeMeanwhileIsAtOnceAndTheResultIsDropped(int threads) {
        pool(threads);
        fixture.join("a");
        FakeHandle handle = offloading();
        fixture.report(handle);
        handle.close();
        fixture.settle();
        assertEquals(List.of("READ", "closed because of null"), fixture.log);
        assertFalse(fixture.set.offloads().isOwed());
        doWork();
        assertEquals(2, fixture.log.size());
        assertEquals(1, fixture.set.offloads().droppedCount());
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
        assertEquals(1, fixture.set.offloads().droppedCount());
        assertFalse(fixture.set.offloads().isOwed());
    }

    @Test
    void handlerThatThrowsAfterHandingAwayLosesTheResult() {
        fixture.join("a");
        FakeHandle handle = fixture.set.register("handle", (h, ready) -> {
            h.offload(
                    later,
                    () -> {
                        throw new IOException("nobody is told, but the log");
                    },
                    this::tell);
            throw new IOException("the handler failed");
        });
        fixture.report(handle);
        assertTrue(handle.isClosed());
        doWork();
        assertEquals(List.of(), fixture.log);
        assertEquals(1, fixture.set.offloads().droppedCount());
        assertEquals(2, fixture.set.failures().count());
    }

    @Test
    void errorThatEndsAThreadLosesTheResult() {
        fixture.join("a", "b");
        FakeHandle handle = fixture.set.register("handle", (h, ready) -> {
            h.offload(later, () -> "done", this::tell);
            throw new OutOfMemoryError("on purpose");
        });
        fixture.report(handle);
        fixture.awaitLeft("a");
        assertTrue(handle.isClosed());
        doWork();
        assertEquals(1, fixture.set.offloads().droppedCount());
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
        fixture.settle();
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
        fixture.settle();
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
        FakeHandle handle = fixture.set.register("handle", (h, ready) -> h.offload(later, () -> "done", this::tell));
        handle.post(Ready.POSTED);
        fixture.settle();
        doWork();
        assertEquals(List.of("done, held true"), fixture.log);
        assertEquals(List.of(), fixture.set.rearmed());
    }

    // ---- the end of the pool ----

    @ParameterizedTest
    @ValueSource(ints = {1, 3})
    void gracefulStopWaitsForTheWorkAndGoesOnWithTheHandler(int threads) {
        for (Promotion promotion : List.of(Promotion.eager(), Promotion.deferred(PoolFixture.MAX_GAP))) {
            pool(threads, promotion, Deactivation.CLAIM);
            fixture.join("a");
            FakeHandle handle = offloading(later, () -> "first", (h, result) -> {
                tell(h, result);
                h.offload(later, () -> "second", this::tell);
            });
            FakeHandle late = fixture.quick("late");
            fixture.report(handle);
            fixture.pool.stop();
            fixture.settle();
            assertFalse(fixture.pool.isTerminated());
            fixture.report(late);
            late.post(Ready.POSTED);
            fixture.settle();
            doWork();
            assertFalse(fixture.pool.isTerminated(), "the continuation has handed away more");
            accepted.remove().run();
            fixture.awaitTerminated();
            assertEquals(
                    List.of("READ", "first, held true", "second, held true"), fixture.log, "nothing new is served");
        }
    }

    @ParameterizedTest
    @ValueSource(ints = {1, 3})
    void gracefulStopEndsWhenTheHandleThatItWaitsForIsClosed(int threads) {
        pool(threads);
        fixture.join("a");
        FakeHandle handle = offloading();
        fixture.report(handle);
        fixture.pool.stop();
        fixture.settle();
        handle.close();
        fixture.awaitTerminated();
        assertEquals(List.of("READ", "closed because of null"), fixture.log);
        accepted.remove().run();
        assertEquals(1, fixture.set.offloads().droppedCount());
    }

    @ParameterizedTest
    @ValueSource(ints = {1, 3})
    void stopNowDoesNotWaitForTheWork(int threads) {
        pool(threads);
        fixture.join("a");
        FakeHandle handle = offloading();
        fixture.report(handle);
        fixture.pool.stop();
        fixture.settle();
        fixture.pool.stopNow();
        fixture.awaitTerminated();
        fixture.set.close();
        assertEquals(List.of("READ", "closed because of null"), fixture.log);
        accepted.remove().run();
        assertEquals(1, fixture.set.offloads().droppedCount());
        assertTrue(handle.isClosed());
    }

    @Test
    void handlerThatHandsAwayAfterTheStopIsWaitedForToo() {
        fixture.join("a", "b", "c");
        Gate gate = fixture.gate();
        FakeHandle handle = fixture.set.register("handle", (h, ready) -> {
            gate.pass();
            h.offload(later, () -> "done", this::tell);
        });
        fixture.report(handle);
        gate.awaitEntered();
        fixture.pool.stop();
        fixture.settle();
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
        Participant only = new Participant("only", fixture.pool, null);
        fixture.time.await("the work was handed away", () -> !accepted.isEmpty());
        fixture.pool.stop();
        accepted.remove().run();
        fixture.time.await("it has left", only::hasLeft);
        assertEquals(List.of("READ", "done, held true"), fixture.log);
    }
}
