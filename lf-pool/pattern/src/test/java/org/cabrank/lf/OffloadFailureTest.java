package org.cabrank.lf;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.IOException;
import java.util.List;
import org.cabrank.lf.handle.Continuation;
import org.cabrank.lf.handle.Handle;
import org.cabrank.lf.handle.Ready;
import org.cabrank.lf.observe.PoolCounters;
import org.junit.jupiter.api.Test;

/** Work that fails, and handlers that fail around it. */
class OffloadFailureTest extends OffloadFixture {
    @Test
    void workThatThrowsClosesTheHandleWithThatCause() {
        fixture.join("a");
        FakeHandle handle = offloading(
                later,
                () -> {
                    throw new IOException("the work failed");
                },
                this::report);
        fixture.report(handle);
        handle.post(Ready.POSTED);
        doWork();
        assertEquals(List.of("READ", "closed because of java.io.IOException: the work failed"), fixture.log);
        assertEquals(1, fixture.set.failures().count());
        PoolCounters counters = fixture.pool.counters();
        assertEquals(1, counters.offloadsBegun());
        assertEquals(0, counters.offloadsRefused());
        assertEquals(1, counters.offloadsFailed());
        assertEquals(0, counters.offloadsDropped());
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
    void handlerThatThrowsAfterHandingAwayLosesTheResult() {
        fixture.join("a");
        FakeHandle handle = fixture.set.register("handle", (h, ready) -> {
            h.offload(
                    later,
                    () -> {
                        throw new IOException("nobody is told, but the log");
                    },
                    this::report);
            throw new IOException("the handler failed");
        });
        fixture.report(handle);
        assertTrue(handle.isClosed());
        doWork();
        assertEquals(List.of(), fixture.log);
        assertEquals(1, fixture.pool.counters().offloadsDropped());
        assertEquals(2, fixture.set.failures().count());
    }

    @Test
    void errorOfTheHandlerLosesTheResult() {
        fixture.join("a", "b");
        FakeHandle handle = fixture.set.register("handle", (h, ready) -> {
            h.offload(later, () -> "done", this::report);
            throw new InternalError("on purpose");
        });
        fixture.report(handle);
        assertTrue(handle.isClosed());
        doWork();
        assertEquals(1, fixture.pool.counters().offloadsDropped());
    }
}
