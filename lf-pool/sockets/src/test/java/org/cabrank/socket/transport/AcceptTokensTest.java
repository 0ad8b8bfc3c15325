package org.cabrank.socket.transport;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicLong;
import org.cabrank.lf.fixture.TestThread;
import org.cabrank.stream.AcceptRate;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** The token bucket of an accept rate, on a clock that the test moves. */
class AcceptTokensTest {
    private static final long MS = 1_000_000;
    private static final long S = 1_000 * MS;

    private static int takeAll(AcceptTokens tokens, long nowNs) {
        int taken = 0;
        while (tokens.take(nowNs) == 0) {
            taken++;
        }
        return taken;
    }

    @ParameterizedTest
    @ValueSource(longs = {0, 5 * S, Long.MAX_VALUE - 50 * MS, Long.MIN_VALUE + 3, -1})
    void aFullBucketHoldsTheBurstAndFillsAtTheRate(long beginNs) {
        AcceptTokens tokens = AcceptTokens.of(new AcceptRate(100, 5), beginNs);
        assertEquals(5, takeAll(tokens, beginNs));
        assertEquals(10 * MS, tokens.take(beginNs), "an interval");
        assertEquals(4 * MS, tokens.take(beginNs + 6 * MS));
        assertEquals(0, tokens.take(beginNs + 10 * MS));
        assertEquals(10 * MS, tokens.take(beginNs + 10 * MS));
        assertEquals(3, takeAll(tokens, beginNs + 40 * MS));
        assertEquals(5, takeAll(tokens, beginNs + 60 * S), "no more than the burst, however long nothing came");
    }

    @Test
    void aTokenThatIsPutBackCanBeTakenAgain() {
        AcceptTokens tokens = AcceptTokens.of(new AcceptRate(10, 2), 0);
        for (int i = 0; i < 100; i++) {
            assertEquals(0, tokens.take(i), "each attempt finds nobody, and puts its token back");
            tokens.giveBack();
        }
        assertEquals(2, takeAll(tokens, 100));
        tokens.giveBack();
        assertEquals(1, takeAll(tokens, 100));
    }

    /** With a timer for each of 100,000 tokens in a second a thread would do nothing else. */
    @Test
    void aPauseLastsForSeveralTokensIfTheBucketHoldsThem() {
        AcceptTokens many = AcceptTokens.of(new AcceptRate(100_000, 1_000), 0);
        assertEquals(1_000, takeAll(many, 0));
        assertEquals(AcceptTokens.PAUSE_MIN_NS, many.take(0));
        assertEquals(100, takeAll(many, AcceptTokens.PAUSE_MIN_NS));
        AcceptTokens single = AcceptTokens.of(new AcceptRate(100_000, 1), 0);
        assertEquals(1, takeAll(single, 0));
        assertEquals(10_000, single.take(0), "a longer pause would lose tokens");
    }

    @Test
    void takersThatWaitForTheGivenTimeGetTheWholeRate() {
        for (AcceptRate rate : List.of(
                AcceptRate.perSecond(1),
                AcceptRate.perSecond(7),
                AcceptRate.perSecond(1_000),
                new AcceptRate(AcceptRate.PER_SECOND_MAX, 2_000))) {
            AcceptTokens tokens = AcceptTokens.of(rate, 0);
            long taken = 0;
            for (long now = 0; now < 10 * S; ) {
                long pauseNs = tokens.take(now);
                if (pauseNs == 0) {
                    taken++;
                } else {
                    now += pauseNs;
                }
            }
            long expected = rate.burst() + 10L * rate.perSecond();
            assertTrue(taken <= expected, taken + " of " + expected + " at " + rate);
            assertTrue(taken >= expected - rate.perSecond() / 1_000 - 2, taken + " of " + expected + " at " + rate);
        }
    }

    @Test
    void threadsNeverTakeMoreThanTheRateAllows() throws Exception {
        AcceptRate rate = new AcceptRate(1_000, 10);
        AcceptTokens tokens = AcceptTokens.of(rate, 0);
        AtomicLong clock = new AtomicLong();
        AtomicInteger taken = new AtomicInteger();
        List<TestThread> threads = new ArrayList<>();
        for (int i = 0; i < 4; i++) {
            Random random = new Random(i);
            threads.add(TestThread.start("takes " + i, () -> {
                for (int n = 0; n < 100_000; n++) {
                    if (tokens.take(clock.addAndGet(random.nextInt(2_000))) == 0) {
                        if (random.nextInt(4) == 0) {
                            tokens.giveBack();
                        } else {
                            taken.incrementAndGet();
                        }
                    }
                }
            }));
        }
        for (TestThread thread : threads) {
            thread.join();
        }
        long allowed = rate.burst() + clock.get() / MS;
        assertTrue(taken.get() <= allowed, taken + " of " + allowed);
        assertTrue(taken.get() > allowed / 2, taken + " of " + allowed);
    }

    @Test
    void anUnlimitedRateHasNoBucketAndWrongOnesAreRefused() {
        assertNull(AcceptTokens.of(AcceptRate.UNLIMITED, 0));
        assertEquals(new AcceptRate(1, 1), AcceptRate.perSecond(1));
        assertEquals(new AcceptRate(500, 50), AcceptRate.perSecond(500));
        for (int wrong : new int[] {0, -1, 1_000_001, Integer.MAX_VALUE}) {
            IllegalArgumentException refused =
                    assertThrows(IllegalArgumentException.class, () -> AcceptRate.perSecond(wrong));
            assertTrue(refused.getMessage().contains("from 1 to 1,000,000, but is " + wrong), refused::getMessage);
            assertThrows(
                    IllegalArgumentException.class,
                    () -> AcceptRate.perSecond(1).withBurst(wrong));
        }
    }
}
