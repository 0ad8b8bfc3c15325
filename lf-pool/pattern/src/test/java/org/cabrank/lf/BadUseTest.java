package org.cabrank.lf;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.time.Duration;
import java.util.List;
import java.util.concurrent.atomic.AtomicReference;
import org.cabrank.lf.handle.Deactivation;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.Parameter;
import org.junit.jupiter.params.ParameterizedClass;
import org.junit.jupiter.params.provider.EnumSource;

/** Mistakes of users: a precise exception or a counted outcome, and the pool continues, whatever its kind. */
@Timeout(300)
@ParameterizedClass(name = "{0}")
@EnumSource(BadUseTest.Kind.class)
@Tag("newest") // on an older JDK in a soak only
class BadUseTest {
    /** A pool of each kind. */
    enum Kind {
        SOLO(1, 1, Promotion.deferred(PoolFixture.MAX_GAP)),
        EAGER(3, 1, Promotion.eager()),
        DEFERRED(3, 1, Promotion.deferred(PoolFixture.MAX_GAP)),
        TWO_SETS_EAGER(3, 2, Promotion.eager()),
        TWO_SETS_DEFERRED(3, 2, Promotion.deferred(PoolFixture.MAX_GAP));

        final int threads;
        final int sets;
        final Promotion promotion;

        Kind(int threads, int sets, Promotion promotion) {
            this.threads = threads;
            this.sets = sets;
            this.promotion = promotion;
        }
    }

    @Parameter
    private Kind kind;

    private PoolFixture fixture;

    @BeforeEach
    void open() {
        pool(PoolConfig.of("test", kind.threads).withPromotion(kind.promotion));
    }

    private void pool(PoolConfig config) {
        fixture = new PoolFixture(config, Deactivation.CLAIM, kind.sets);
        String[] names = {"a", "b", "c"};
        for (int thread = 0; thread < kind.threads; thread++) {
            fixture.join(names[thread]);
        }
    }

    @AfterEach
    void close() {
        fixture.close();
    }

    private void assertPoolGoesOn() {
        fixture.awaitIdle();
        fixture.log.clear();
        for (int event = 0; event < 4; event++) {
            for (FakeHandleSet set : fixture.sets) {
                fixture.report(fixture.quick(set, "next"));
            }
        }
        assertEquals(4 * kind.sets, fixture.log.size(), fixture.log.toString());
        assertNull(fixture.pool.failure());
        assertEquals(kind.threads, fixture.pool.threads().size());
    }

    private static String messageOf(Class<? extends RuntimeException> type, Runnable call) {
        return assertThrows(type, call::run).getMessage();
    }

    // ---- promoteNewLeader ----

    @Test
    void threadOutsideThePoolCannotPromote() {
        assertEquals(
                Thread.currentThread().getName() + " is not processing an event of pool test",
                messageOf(IllegalStateException.class, fixture.pool::promoteNewLeader));
        assertPoolGoesOn();
    }

    @Test
    void threadOfAnotherPoolCannotPromote() {
        AtomicReference<String> message = new AtomicReference<>();
        try (PoolFixture other = PoolFixture.eager(2)) {
            other.join("stranger");
            other.report(other.set.register(
                    "handle",
                    (handle, ready) ->
                            message.set(messageOf(IllegalStateException.class, fixture.pool::promoteNewLeader))));
        }
        assertEquals("stranger is not processing an event of pool test", message.get());
        assertPoolGoesOn();
    }

    /** The handler of a leader that has been deposed, or has promoted already: nothing is passed on twice. */
    @Test
    void promotingTwiceChangesNothing() {
        fixture.report(fixture.set.register("handle", (handle, ready) -> {
            fixture.pool.promoteNewLeader();
            assertFalse(fixture.pool.promoteNewLeader());
            fixture.log.add("refused");
        }));
        assertEquals(List.of("refused"), fixture.log);
        assertPoolGoesOn();
    }

    // ---- joining ----

    @Test
    void stoppedPoolCannotBeJoinedOrStarted() {
        fixture.pool.stop();
        fixture.awaitTerminated();
        assertEquals("join: pool test is stopped", messageOf(IllegalStateException.class, () -> fixture.pool.join()));
        assertEquals(
                "join: pool test is stopped",
                messageOf(IllegalStateException.class, () -> fixture.pool.join(Duration.ofSeconds(1))));
        assertEquals("start: pool test is stopped", messageOf(IllegalStateException.class, () -> fixture.pool.start()));
    }

    @Test
    void fullPoolCannotBeJoined() {
        assertEquals(
                "pool test has its full number of threads, " + kind.threads,
                messageOf(IllegalStateException.class, () -> fixture.pool.join()));
        assertPoolGoesOn();
    }

    @Test
    void memberCannotJoinAgain() {
        fixture.report(fixture.set.register("handle", (handle, ready) -> {
            String name = Thread.currentThread().getName();
            assertEquals(
                    name + " takes part in pool test already",
                    messageOf(IllegalStateException.class, () -> fixture.pool.join()));
            fixture.log.add("refused");
        }));
        assertEquals(List.of("refused"), fixture.log);
        assertPoolGoesOn();
    }

    // ---- handles ----

    @Test
    void activeHandleCannotBeReactivated() {
        FakeHandle handle = fixture.quick("handle");
        assertEquals(
                "handle was not deactivated",
                messageOf(IllegalStateException.class, () -> fixture.pool.reactivateHandle(handle)));
        fixture.report(handle);
        assertEquals(1, fixture.log.size());
        assertPoolGoesOn();
    }

    @Test
    void deactivatedHandleCannotBeDeactivatedAgain() {
        FakeHandle handle = fixture.quick("handle");
        fixture.pool.deactivateHandle(handle);
        assertEquals(
                "handle is deactivated already",
                messageOf(IllegalStateException.class, () -> fixture.pool.deactivateHandle(handle)));
        fixture.report(handle);
        assertEquals(List.of(), fixture.log);
        fixture.pool.reactivateHandle(handle);
        fixture.awaitIdle();
        assertEquals(1, fixture.log.size());
        assertPoolGoesOn();
    }

    @Test
    void closedHandleCannotBeDeactivated() {
        FakeHandle handle = fixture.quick("handle");
        handle.close();
        fixture.awaitIdle();
        assertEquals(
                "handle is closed",
                messageOf(IllegalStateException.class, () -> fixture.pool.deactivateHandle(handle)));
        assertPoolGoesOn();
    }

    @Test
    void handleOfAnotherPoolIsRefused() {
        FakeHandle foreign =
                new FakeHandleSet(Deactivation.CLAIM, fixture.time).register("foreign", (handle, ready) -> {});
        String refused = "foreign is not of a handle set of pool test";
        assertEquals(refused, messageOf(IllegalArgumentException.class, () -> fixture.pool.deactivateHandle(foreign)));
        assertEquals(refused, messageOf(IllegalArgumentException.class, () -> fixture.pool.reactivateHandle(foreign)));
        assertPoolGoesOn();
    }

    @Test
    void setThatIsServedCannotBeServedByAnotherPool() {
        assertEquals(
                "fake set is already served by pool test",
                messageOf(
                        IllegalStateException.class,
                        () -> new LeaderFollowersPool(fixture.set, PoolConfig.of("second", 1))));
        assertPoolGoesOn();
    }

    @Test
    void closeWithACauseIsTheHandlersOnly() {
        FakeHandle handle = fixture.quick("handle");
        assertEquals(
                "only the handler of a handle may close it with a cause",
                messageOf(IllegalStateException.class, () -> handle.closeBecauseOf(new IllegalStateException())));
        assertFalse(handle.isClosed());
        assertPoolGoesOn();
    }

    // ---- users' code that throws ----

    @Test
    void handlerThatThrowsIsCountedAndLosesItsHandle() {
        FakeHandle failing = fixture.set.register("failing", (handle, ready) -> {
            throw new IllegalStateException("thrown by a handler on purpose");
        });
        fixture.report(failing);
        assertTrue(failing.isClosed());
        assertEquals(1, fixture.pool.counters().failures());
        assertPoolGoesOn();
    }

    @Test
    void comparatorThatThrowsIsCountedAndArrivalDecides() {
        fixture.close();
        pool(PoolConfig.of("test", kind.threads)
                .withPromotion(kind.promotion)
                .withOrder(PromotionOrder.priority((one, other) -> {
                    throw new IllegalStateException("thrown by a comparator on purpose");
                })));
        assertPoolGoesOn();
        boolean compared = kind.threads - kind.sets > 1;
        assertEquals(compared, fixture.pool.counters().failures() > 0);
    }
}
