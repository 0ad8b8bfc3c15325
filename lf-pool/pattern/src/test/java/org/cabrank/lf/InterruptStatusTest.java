package org.cabrank.lf;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.time.Duration;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import org.cabrank.lf.handle.EventHandler;
import org.cabrank.lf.handle.Handle;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** An interrupt status belongs to the thread: no handler sees that of another, and a guest has it back when it leaves. */
@Timeout(300)
class InterruptStatusTest {
    enum Kind {
        SOLO,
        EAGER,
        DEFERRED
    }

    private PoolFixture fixture;
    private final List<Boolean> seen = Collections.synchronizedList(new ArrayList<>());

    @AfterEach
    void close() {
        if (fixture != null) {
            fixture.close();
        }
    }

    private void pool(Kind kind) {
        fixture = kind == Kind.SOLO
                ? PoolFixture.deferred(1)
                : kind == Kind.EAGER ? PoolFixture.eager(2) : PoolFixture.deferred(2);
        fixture.join("a");
    }

    private FakeHandle stranger() {
        return fixture.set.register(
                "stranger", (handle, ready) -> seen.add(Thread.currentThread().isInterrupted()));
    }

    private void assertUnseenAndRestored() {
        assertEquals(List.of(false), seen);
        fixture.pool.stop();
        fixture.awaitLeft("a");
        assertTrue(fixture.participant("a").leftInterrupted());
    }

    @ParameterizedTest
    @EnumSource(Kind.class)
    void statusThatAHandlerLeavesIsNotSeenByTheNext(Kind kind) {
        pool(kind);
        FakeHandle leaving = fixture.set.register(
                "leaving", (handle, ready) -> Thread.currentThread().interrupt());
        fixture.report(leaving, stranger());
        assertUnseenAndRestored();
    }

    @ParameterizedTest
    @EnumSource(Kind.class)
    void statusThatAConcurrentHandlerLeavesIsNotSeenByTheNext(Kind kind) {
        pool(kind);
        FakeHandle leaving = fixture.set.registerConcurrent(
                "leaving", (handle, ready) -> Thread.currentThread().interrupt());
        FakeHandle stranger = fixture.set.registerConcurrent(
                "stranger", (handle, ready) -> seen.add(Thread.currentThread().isInterrupted()));
        fixture.report(leaving, stranger);
        assertUnseenAndRestored();
    }

    @ParameterizedTest
    @EnumSource(Kind.class)
    void statusThatATimerLeavesIsNotSeenByTheNextHandler(Kind kind) {
        pool(kind);
        new Timers(fixture.set).after(Duration.ofNanos(100), timer -> {
            throw new InterruptedException("thrown by a timer on purpose");
        });
        fixture.advance(100);
        fixture.report(stranger());
        assertUnseenAndRestored();
    }

    @ParameterizedTest
    @EnumSource(Kind.class)
    void statusThatWorkInTheCallersThreadLeavesIsNotSeenByTheNextHandler(Kind kind) {
        pool(kind);
        FakeHandle offloading = fixture.set.register(
                "offloading",
                (handle, ready) -> handle.offload(
                        Runnable::run,
                        () -> {
                            throw new InterruptedException("thrown by work on purpose");
                        },
                        (resumed, result) -> {}));
        fixture.report(offloading, stranger());
        assertUnseenAndRestored();
    }

    @ParameterizedTest
    @EnumSource(Kind.class)
    void statusThatATaskLeavesIsNotSeenByTheNextTask(Kind kind) {
        pool(kind);
        TaskQueue tasks = new TaskQueue(fixture.set, "tasks", 4);
        FakeHandle both = fixture.set.register("both", (handle, ready) -> {
            tasks.execute(() -> Thread.currentThread().interrupt());
            tasks.execute(() -> seen.add(Thread.currentThread().isInterrupted()));
        });
        fixture.report(both);
        assertUnseenAndRestored();
    }

    @Test
    void guestThatArrivesInterruptedHasItsStatusBackWhenItLeaves() {
        fixture = PoolFixture.eager(2);
        FakeHandle stranger = stranger();
        fixture.set.report(stranger);
        Reply<String> reply = fixture.pool.newReply();
        Waiter guest = fixture.await("guest", () -> {
            Thread.currentThread().interrupt();
            return reply.await(Duration.ofDays(1));
        });
        assertEquals(List.of(false), seen);
        reply.complete("done");
        fixture.awaitOver(guest);
        assertEquals("done", guest.value());
        assertTrue(guest.leftInterrupted());
    }

    @Test
    void statusThatAHandlerLeavesIsNotSeenByTheNextOfASetThatIsClosed() {
        PostOnlySet set = new PostOnlySet(() -> {});
        for (int i = 0; i < 2; i++) {
            set.registerVirtual("handle " + i, new EventHandler() {
                @Override
                public void handleEvent(Handle handle, int ready) {}

                @Override
                public void handleClosed(Handle handle, Throwable cause) {
                    seen.add(Thread.currentThread().isInterrupted());
                    Thread.currentThread().interrupt();
                }
            });
        }
        set.close();
        assertTrue(Thread.interrupted(), "the status is the caller's");
        assertEquals(List.of(false, false), seen);
    }
}
