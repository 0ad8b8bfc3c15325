package org.cabrank.lf;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertSame;
import static org.junit.jupiter.api.Assertions.assertThrows;

import java.util.List;
import java.util.Map;
import java.util.concurrent.atomic.AtomicInteger;
import org.cabrank.lf.handle.Deactivation;
import org.cabrank.lf.observe.ThreadState;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** A pool that starts its threads itself, and those that fail to. */
@Timeout(300)
class PoolStartTest {
    private PoolFixture fixture;

    @AfterEach
    void close() {
        fixture.close();
    }

    @Test
    void startStartsAllThreadsAndOnlyOnce() {
        fixture = PoolFixture.deferred(3);
        fixture.pool.start();
        fixture.awaitIdle();
        Map<String, ThreadState> states = fixture.states();
        assertEquals(List.of("test-0", "test-1", "test-2"), List.copyOf(states.keySet()));
        assertEquals(
                1, states.values().stream().filter(ThreadState.LEADER::equals).count());
        assertEquals(
                "pool test was started before",
                assertThrows(IllegalStateException.class, fixture.pool::start).getMessage());
    }

    @Test
    void failingOnThreadStartStopsThePoolAndSaysWhy() {
        RuntimeException refused = new IllegalStateException("no such CPU");
        fixture = new PoolFixture(
                PoolConfig.of("test", 2).withOnThreadStart(number -> {
                    if (number == 1) {
                        throw refused;
                    }
                }),
                Deactivation.CLAIM);
        IllegalStateException failure = assertThrows(IllegalStateException.class, fixture.pool::start);
        assertEquals("pool test could not start: no such CPU", failure.getMessage());
        assertSame(refused, failure.getCause());
        fixture.awaitTerminated();
        assertSame(refused, fixture.pool.failure());
    }

    @Test
    void firstOfSeveralFailuresIsTheCause() {
        List<RuntimeException> thrown = List.of(
                new IllegalStateException("the cause"),
                new IllegalStateException("a consequence"),
                new IllegalStateException("another"));
        AtomicInteger waiting = new AtomicInteger();
        fixture = new PoolFixture(
                PoolConfig.of("test", 3).withOnThreadStart(number -> {
                    // All of them run before the first fails, and no further thread fails before that is known.
                    if (number == 0) {
                        fixture.time.await("the others run", () -> waiting.get() == 2);
                    } else {
                        waiting.incrementAndGet();
                        fixture.time.await("there is a failure", () -> fixture.pool.failure() != null);
                    }
                    throw thrown.get(number);
                }),
                Deactivation.CLAIM);
        IllegalStateException failure = assertThrows(IllegalStateException.class, fixture.pool::start);
        fixture.awaitTerminated();
        assertSame(thrown.get(0), failure.getCause());
        assertSame(thrown.get(0), fixture.pool.failure(), "what failed later has changed nothing");
    }
}
