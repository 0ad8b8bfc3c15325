package org.cabrank.lf;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertSame;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.time.Duration;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collections;
import java.util.List;
import java.util.stream.Stream;
import org.cabrank.lf.dispatch.HandleStates;
import org.cabrank.lf.handle.EventHandler;
import org.cabrank.lf.handle.Handle;
import org.cabrank.lf.handle.Ready;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;

/** A stack overflow or a lack of memory in a handler costs that handler's handle; every thread of the pool lives on. */
@Timeout(300)
@Tag("newest") // on an older JDK in a soak only
class ExhaustionTest {
    enum Exhaustion {
        STACK {
            @Override
            void exhaust() {
                descend(1);
            }
        },
        MEMORY {
            @Override
            void exhaust() {
                hold = new long[Integer.MAX_VALUE]; // more than any JVM allocates at once
            }
        };

        static Object hold;

        abstract void exhaust();

        static long descend(long depth) {
            return depth == 0 ? 0 : descend(depth + 1) + depth;
        }
    }

    private PoolFixture fixture;
    private final List<Throwable> causes = Collections.synchronizedList(new ArrayList<>());

    @AfterEach
    void close() {
        fixture.close();
    }

    static Stream<Arguments> cases() {
        return Stream.of(Promotion.eager(), Promotion.deferred(PoolFixture.MAX_GAP))
                .flatMap(promotion -> Stream.of(1, 3)
                        .flatMap(threads -> Arrays.stream(Exhaustion.values())
                                .map(exhaustion -> Arguments.of(promotion, threads, exhaustion))));
    }

    private void pool(Promotion promotion, int threads) {
        fixture = new PoolFixture(threads, promotion);
        fixture.join(List.of("a", "b", "c").subList(0, threads).toArray(String[]::new));
    }

    private void assertAllLive(int threads) {
        fixture.awaitIdle();
        assertEquals(threads, fixture.pool.threads().size());
        assertNull(fixture.pool.failure());
        fixture.report(fixture.quick("next"));
        assertEquals(1, fixture.log.size(), fixture.log::toString);
    }

    private EventHandler exhausting(Exhaustion exhaustion) {
        return new EventHandler() {
            @Override
            public void handleEvent(Handle handle, int ready) {
                exhaustion.exhaust();
            }

            @Override
            public void handleClosed(Handle handle, Throwable cause) {
                causes.add(cause);
            }
        };
    }

    private void assertClosedByExhaustion(Handle handle) {
        assertTrue(handle.isClosed());
        assertFalse(HandleStates.isClaimed(handle));
        assertEquals(1, causes.size());
        assertTrue(causes.get(0) instanceof VirtualMachineError);
        assertEquals(1, fixture.pool.counters().failures());
    }

    @ParameterizedTest
    @MethodSource("cases")
    void iterativeHandlerThatExhaustsLosesItsHandle(Promotion promotion, int threads, Exhaustion exhaustion) {
        pool(promotion, threads);
        FakeHandle handle = fixture.set.register("exhausting", exhausting(exhaustion));
        fixture.report(handle);
        assertClosedByExhaustion(handle);
        assertAllLive(threads);
    }

    @ParameterizedTest
    @MethodSource("cases")
    void concurrentHandlerThatExhaustsLosesItsHandle(Promotion promotion, int threads, Exhaustion exhaustion) {
        pool(promotion, threads);
        FakeHandle handle = fixture.set.registerConcurrent("exhausting", exhausting(exhaustion));
        fixture.report(handle);
        assertClosedByExhaustion(handle);
        assertAllLive(threads);
    }

    @ParameterizedTest
    @MethodSource("cases")
    void handleClosedThatExhaustsIsCounted(Promotion promotion, int threads, Exhaustion exhaustion) {
        pool(promotion, threads);
        FakeHandle handle = fixture.set.register("exhausting", new EventHandler() {
            @Override
            public void handleEvent(Handle self, int ready) {
                self.close();
            }

            @Override
            public void handleClosed(Handle self, Throwable cause) {
                exhaustion.exhaust();
            }
        });
        fixture.report(handle);
        assertTrue(handle.isClosed());
        assertFalse(HandleStates.isClaimed(handle));
        assertEquals(List.of("exhausting"), fixture.set.closed());
        assertEquals(1, fixture.pool.counters().failures());
        assertAllLive(threads);
    }

    @ParameterizedTest
    @MethodSource("cases")
    void continuationThatExhaustsLosesItsHandle(Promotion promotion, int threads, Exhaustion exhaustion) {
        pool(promotion, threads);
        FakeHandle handle = fixture.set.register("offloading", new EventHandler() {
            @Override
            public void handleEvent(Handle self, int ready) {
                self.offload(Runnable::run, () -> "done", (resumed, result) -> exhaustion.exhaust());
            }

            @Override
            public void handleClosed(Handle self, Throwable cause) {
                causes.add(cause);
            }
        });
        fixture.report(handle);
        assertClosedByExhaustion(handle);
        assertAllLive(threads);
    }

    @ParameterizedTest
    @MethodSource("cases")
    void timerThatExhaustsIsThatTimersFailure(Promotion promotion, int threads, Exhaustion exhaustion) {
        pool(promotion, threads);
        Timer timer = new Timers(fixture.set).every(Duration.ofNanos(1_000), self -> exhaustion.exhaust());
        fixture.advance(1_000);
        assertEquals(1, timer.failures());
        assertTrue(timer.isActive());
        assertTrue(timer.cancel());
        assertAllLive(threads);
    }

    @ParameterizedTest
    @MethodSource("cases")
    void taskThatExhaustsIsThatTasksFailure(Promotion promotion, int threads, Exhaustion exhaustion) {
        pool(promotion, threads);
        TaskQueue queue = new TaskQueue(fixture.set, "tasks", 4);
        queue.execute(exhaustion::exhaust);
        queue.execute(() -> fixture.log.add("second"));
        fixture.awaitIdle();
        assertEquals(List.of("second"), fixture.log);
        fixture.log.clear();
        assertEquals(1, queue.counters().failed());
        assertAllLive(threads);
    }

    @ParameterizedTest
    @MethodSource("cases")
    void nameThatExhaustsIsLeftOut(Promotion promotion, int threads, Exhaustion exhaustion) {
        pool(promotion, threads);
        IllegalStateException thrown = new IllegalStateException("thrown on purpose");
        Handle handle = fixture.set.registerVirtual("failing", (self, ready) -> {
            throw thrown;
        });
        Handle unnamed =
                new Handle(fixture.set, new EventHandler() {
                    @Override
                    public void handleEvent(Handle self, int ready) throws Exception {
                        throw new IllegalStateException("thrown by another handler on purpose");
                    }

                    @Override
                    public void handleClosed(Handle self, Throwable cause) {
                        causes.add(cause);
                    }
                }) {
                    @Override
                    public String toString() {
                        exhaustion.exhaust();
                        return "never";
                    }
                };
        fixture.set.dispatcher().admit(unnamed);
        unnamed.post(Ready.POSTED);
        handle.post(Ready.POSTED);
        fixture.awaitIdle();
        assertTrue(unnamed.isClosed());
        assertFalse(HandleStates.isClaimed(unnamed));
        assertSame(IllegalStateException.class, causes.get(0).getClass());
        assertTrue(handle.isClosed());
        assertEquals(threads, fixture.pool.threads().size());
    }
}
