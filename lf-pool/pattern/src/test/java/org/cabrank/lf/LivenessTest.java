package org.cabrank.lf;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.IOException;
import java.time.Duration;
import java.util.List;
import org.cabrank.lf.handle.Deactivation;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Probes of pools that serve, and of those that do not. */
@Timeout(300)
class LivenessTest {
    private static final Duration LIMIT = Duration.ofMillis(10);

    private PoolFixture fixture;

    @AfterEach
    void close() {
        fixture.close();
    }

    private List<String> problems() {
        return fixture.pool.liveness(LIMIT).problems().stream()
                .map(problem -> problem.kind() + " " + problem.set() + ": " + problem.reason())
                .toList();
    }

    /** One probe now, and one when the limit has passed. */
    private List<String> problemsAfterTheLimit() {
        problems();
        fixture.advance(LIMIT.toNanos());
        return problems();
    }

    @Test
    void idlePoolIsLive() {
        fixture = PoolFixture.deferred(2);
        fixture.join("a", "b");
        assertEquals(List.of(), problemsAfterTheLimit());
        assertEquals(List.of(), problemsAfterTheLimit());
        assertTrue(fixture.pool.liveness(LIMIT).isLive());
        assertEquals("live", fixture.pool.liveness(LIMIT).toString());
    }

    @Test
    void poolThatServesIsLive() {
        fixture = PoolFixture.eager(2);
        fixture.join("a", "b");
        for (int event = 0; event < 4; event++) {
            fixture.report(fixture.quick("quick"));
            assertEquals(List.of(), problemsAfterTheLimit());
        }
    }

    @Test
    void poolWithoutThreadsIsFoundAfterTheLimitAndNotBefore() {
        fixture = PoolFixture.deferred(2);
        assertEquals(List.of(), problems());
        fixture.advance(LIMIT.toNanos() - 1);
        assertEquals(List.of(), problems());
        fixture.advance(1);
        assertEquals(
                List.of(
                        "NO_THREADS -1: no thread takes part for 10 ms",
                        "UNWATCHED_SET 0: handle set 0 is not watched for 10 ms: leadership is vacant"),
                problems());
        assertEquals(
                "pool test: no thread takes part for 10 ms; "
                        + "pool test: handle set 0 is not watched for 10 ms: leadership is vacant",
                fixture.pool.liveness(LIMIT).toString());
        fixture.join("a");
        assertEquals(List.of(), problemsAfterTheLimit());
    }

    @ParameterizedTest
    @ValueSource(ints = {1, 2})
    void poolWhoseThreadsAllRunSlowHandlersIsFound(int threads) {
        fixture = PoolFixture.eager(threads);
        fixture.join(List.of("a", "b").subList(0, threads).toArray(String[]::new));
        Gate gate = fixture.gate();
        FakeHandle[] slow = new FakeHandle[threads];
        for (int i = 0; i < threads; i++) {
            slow[i] = fixture.slow("slow " + i, gate);
        }
        fixture.report(slow);
        gate.awaitEntered(threads);
        fixture.time.computes("a");
        List<String> found = problemsAfterTheLimit();
        assertEquals(
                "ALL_THREADS_BLOCKED -1: all " + threads + " threads run one handler each for 10 ms, " + (threads - 1)
                        + " of them blocked",
                found.get(0));
        assertEquals(threads == 1 ? 1 : 2, found.size(), "the set of a pool that is led is vacant, too: " + found);
        fixture.open(gate);
        assertEquals(List.of(), problemsAfterTheLimit());
    }

    @Test
    void setWhoseLeaderIsSlowIsFoundThoughAnotherIsWatched() {
        fixture = new PoolFixture(
                PoolConfig.of("test", 2).withPromotion(Promotion.deferred(PoolFixture.MAX_GAP)), Deactivation.CLAIM, 2);
        fixture.join("a", "b");
        Gate gate = fixture.gate();
        fixture.report(fixture.slow(fixture.sets.get(1), "slow", gate));
        assertEquals(
                List.of("UNWATCHED_SET 1: handle set 1 is not watched for 10 ms:"
                        + " its leader b runs a handler, and no follower has taken over"),
                problemsAfterTheLimit());
    }

    @Test
    void failedPoolIsFoundAtOnce() {
        fixture = PoolFixture.deferred(1);
        fixture.join("a");
        fixture.set.breakWith(new IOException("broken on purpose"));
        fixture.awaitTerminated();
        assertEquals(List.of("POOL_FAILED -1: failed: java.io.IOException: broken on purpose"), problems());
    }

    @Test
    void poolThatWasStoppedHasNoProblem() {
        fixture = PoolFixture.deferred(1);
        fixture.join("a");
        fixture.pool.stop();
        fixture.awaitTerminated();
        assertEquals(List.of(), problemsAfterTheLimit());
    }

    @Test
    void handlersThatFollowOneAnotherAreNotOneThatIsSlow() {
        fixture = PoolFixture.deferred(1);
        fixture.join("a");
        for (int event = 0; event < 3; event++) {
            Gate gate = fixture.gate();
            fixture.set.report(fixture.slow("slow " + event, gate));
            gate.awaitEntered();
            assertEquals(List.of(), problems());
            fixture.advance(LIMIT.toNanos() - 1);
            assertEquals(List.of(), problems());
            fixture.open(gate);
        }
        assertFalse(fixture.log.isEmpty());
    }

    @Test
    void limitIsNotNegative() {
        fixture = PoolFixture.deferred(1);
        assertThrows(IllegalArgumentException.class, () -> fixture.pool.liveness(Duration.ofNanos(-1)));
    }
}
