package org.cabrank.lf;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertSame;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.List;
import java.util.concurrent.RejectedExecutionException;
import org.cabrank.lf.handle.Ready;
import org.junit.jupiter.api.Test;

/** Work that cannot be handed away, because of the executor or of the handle. */
class OffloadRefusalTest extends OffloadFixture {
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
                                        this::report)));
                assertTrue(h.isHeldByCaller());
                h.post(Ready.POSTED);
            }
        });
        fixture.report(handle);
        offered[0].run(); // an executor that cannot decide
        fixture.report(handle);
        assertEquals(List.of("READ", "POSTED", "READ", "POSTED"), fixture.log);
        assertEquals(2, fixture.pool.counters().offloadsRefused());
        assertFalse(fixture.set.dispatcher().offloads().hasUnfinished());
        assertEquals(0, fixture.set.failures().count());
    }

    @Test
    void workThatIsRefusedByAnExecutorThatClosesTheHandleHasEndedOnce() {
        fixture.join("a");
        fixture.report(fixture.set.register(
                "refused",
                (h, ready) -> assertThrows(
                        RejectedExecutionException.class,
                        () -> h.offload(
                                work -> {
                                    h.close();
                                    throw new RejectedExecutionException("full");
                                },
                                () -> "never",
                                this::report))));
        assertFalse(fixture.set.dispatcher().offloads().hasUnfinished());
        fixture.report(offloading());
        fixture.pool.stop();
        fixture.awaitIdle();
        accepted.remove().run();
        fixture.awaitTerminated();
        assertEquals(List.of("READ", "done, held true"), fixture.log, "the stop has waited for the work");
    }

    @Test
    void handingAwayTwiceIsRefused() {
        fixture.join("a");
        FakeHandle handle = fixture.set.register("handle", (h, ready) -> {
            h.offload(later, () -> "first", this::report);
            fixture.log.add(
                    assertThrows(IllegalStateException.class, () -> h.offload(later, () -> "second", this::report))
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
                assertThrows(IllegalStateException.class, () -> handle.offload(later, () -> "", this::report))
                        .getMessage());
        FakeHandle shared = fixture.set.registerConcurrent(
                "shared",
                (h, ready) -> fixture.log.add(
                        assertThrows(IllegalStateException.class, () -> h.offload(later, () -> "", this::report))
                                .getMessage()));
        fixture.report(shared);
        FakeHandle closing = fixture.set.register("closing", (h, ready) -> {
            h.close();
            fixture.log.add(assertThrows(IllegalStateException.class, () -> h.offload(later, () -> "", this::report))
                    .getMessage());
        });
        fixture.report(closing);
        assertEquals(
                List.of(
                        "shared is concurrent: there is no order to resume, so give the work to the executor itself",
                        "closing is closed"),
                fixture.log);
        assertEquals(0, fixture.pool.counters().offloadsBegun());
    }
}
