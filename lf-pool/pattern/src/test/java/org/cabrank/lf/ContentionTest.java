package org.cabrank.lf;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import org.cabrank.lf.counting.MemberCounters;
import org.cabrank.lf.leadership.Followers;
import org.cabrank.lf.leadership.LeadershipWord;
import org.cabrank.lf.observe.Contention;
import org.cabrank.lf.observe.LeadershipCounters;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** Costs of passing leadership on, counted in virtual time, and the threshold of contention. */
@Timeout(300)
class ContentionTest {
    private static final boolean EAGER = true;
    private static final boolean DEFERRED = false;
    private static final LeadershipCounters BEGIN = new LeadershipCounters(0, 0, 0, 0, 0, 0, 0);

    private PoolFixture fixture;

    @AfterEach
    void close() {
        if (fixture != null) {
            fixture.close();
        }
    }

    private static LeadershipCounters after(
            long events, long waitNs, long failedTakeovers, long wakeups, long lockWaits) {
        return new LeadershipCounters(1_000_000, events, wakeups, waitNs, failedTakeovers, wakeups, lockWaits);
    }

    @Test
    void eagerPromotionWakesAFollowerForEachEvent() {
        fixture = PoolFixture.eager(3);
        fixture.join("a", "b", "c");
        LeadershipCounters before = fixture.pool.leadershipCounters();
        for (int i = 0; i < 5; i++) {
            fixture.report(fixture.quick("h" + i));
        }
        LeadershipCounters after = fixture.pool.leadershipCounters();
        assertEquals(5, after.processed() - before.processed());
        assertEquals(5, after.wakeups() - before.wakeups());
        assertEquals(5, after.handOvers() - before.handOvers());
        assertEquals(0, after.failedTakeovers());
    }

    @Test
    void deferredPromotionWakesNobodyForShortHandlersAndOnceForASlowOne() {
        fixture = PoolFixture.deferred(2);
        fixture.join("a", "b");
        for (int i = 0; i < 5; i++) {
            fixture.report(fixture.quick("h" + i));
        }
        assertEquals(0, fixture.pool.leadershipCounters().handOvers());
        Gate gate = fixture.gate();
        fixture.report(fixture.slow("slow", gate));
        fixture.advance(PoolFixture.LOOK_NS);
        assertEquals(1, fixture.pool.counters().takeovers());
        assertEquals(1, fixture.pool.leadershipCounters().handOvers());
        fixture.open(gate);
    }

    @Test
    void singleThreadHasNoWordToContendFor() {
        fixture = PoolFixture.deferred(1);
        fixture.join("a");
        fixture.report(fixture.quick("h"));
        LeadershipCounters counters = fixture.pool.leadershipCounters();
        assertEquals(1, counters.processed());
        assertEquals(0, counters.wakeups() + counters.handOvers() + counters.lockWaits());
        assertFalse(fixture.pool.contention().contended());
    }

    /** The leader's return and the watcher's look cross: one of them is too late, and it is counted. */
    @Test
    void takeoverThatComesTooLateIsCounted() {
        VirtualTime time = new VirtualTime();
        LeadershipWord word = new LeadershipWord();
        Followers followers =
                new Followers(new LeadershipWord[] {word}, PromotionOrder.lifo().newQueue(null), time);
        Member leader = new Member(1, Thread.currentThread(), new MemberCounters(null));
        Member follower = new Member(2, Thread.currentThread(), new MemberCounters(null));
        assertTrue(followers.leadOrFollow(leader));
        assertFalse(followers.leadOrFollow(follower));
        long begun = word.beginProcessingRelease();
        assertTrue(word.endProcessing(begun));
        assertFalse(followers.depose(0, begun, 0));
        assertEquals(1, followers.counts().failedTakeovers.sum());
    }

    @Test
    void fewEventsSayNothing() {
        assertFalse(Contention.between(BEGIN, after(999, 900_000, 999, 999, 999), EAGER)
                .contended());
    }

    @Test
    void eachMeasureHasItsThresholdAndItsAdvice() {
        assertFalse(Contention.between(BEGIN, after(1000, 199_999, 9, 499, 49), EAGER)
                .contended());
        Contention wakeups = Contention.between(BEGIN, after(1000, 0, 0, 500, 0), EAGER);
        assertEquals(0.5, wakeups.wakeupsPerEvent());
        assertTrue(wakeups.advice().startsWith("deferred promotion"), wakeups::advice);
        Contention waits = Contention.between(BEGIN, after(1000, 200_000, 0, 0, 0), DEFERRED);
        assertEquals(0.2, waits.handOverWaitShare());
        assertTrue(waits.advice().contains("longer gap"), waits::advice);
        assertTrue(Contention.between(BEGIN, after(1000, 0, 10, 0, 0), DEFERRED)
                .advice()
                .contains("as long as the gap"));
        assertTrue(Contention.between(BEGIN, after(1000, 0, 0, 0, 50), DEFERRED)
                .advice()
                .contains("more shards"));
    }

    @Test
    void wordsNameWhatWasMeasured() {
        String words = Contention.between(BEGIN, after(1000, 250_000, 0, 900, 0), EAGER)
                .toString();
        assertTrue(words.startsWith("contended: 0.900 wake-ups"), words);
        assertTrue(words.contains("25.0 % of the time"), words);
        assertEquals(
                -1,
                Contention.between(BEGIN, after(5, 0, 0, 0, 0), EAGER)
                        .toString()
                        .indexOf(';', 120));
    }
}
