package org.cabrank.lf;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.Queue;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.ThreadLocalRandom;
import java.util.stream.LongStream;
import org.cabrank.lf.handle.Continuation;
import org.cabrank.lf.handle.Deactivation;
import org.cabrank.lf.handle.Handle;
import org.cabrank.lf.handle.Ready;
import org.cabrank.lf.observe.LatencyCounters;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** Processing times of events: the buckets, and the counts of a pool in them. */
@Timeout(300)
class LatencyCountersTest {
    private static long latencyNs(PoolFixture fixture, double percent) {
        return fixture.pool.latencyCounters().percentileNs(percent);
    }

    private static PoolFixture measuring(int threads, Promotion promotion) {
        PoolConfig config =
                PoolConfig.of("test", threads).withPromotion(promotion).withLatencyMeasured(true);
        return new PoolFixture(config, Deactivation.CLAIM);
    }

    @Test
    void everyLatencyIsInTheBucketThatEndsWithItOrAThirtySecondAbove() {
        for (int shift = 0; shift < 37; shift++) {
            for (long ns : new long[] {
                1L << shift, (2L << shift) - 1, ThreadLocalRandom.current().nextLong(2L << shift)
            }) {
                int bucket = LatencyCounters.bucketOf(ns);
                long endNs = LatencyCounters.bucketEndNs(bucket);
                assertTrue(ns <= endNs && endNs - ns <= ns / 32, ns + " ns in a bucket to " + endNs);
                assertTrue(
                        bucket == 0 || LatencyCounters.bucketEndNs(bucket - 1) < ns, ns + " ns is in a later bucket");
            }
        }
        assertEquals(LatencyCounters.BUCKETS_MAX - 1, LatencyCounters.bucketOf(Long.MAX_VALUE));
        assertEquals(0, LatencyCounters.bucketOf(-1), "a clock that goes back is no reason to fail");
    }

    @Test
    void percentilesAreThoseOfTheEventsUpToABucket() {
        LatencyCounters counters =
                LatencyCounters.of(LongStream.rangeClosed(1, 1000).toArray());
        assertEquals(1000, counters.events());
        assertEquals(1, counters.percentileNs(0));
        assertEquals(503, counters.percentileNs(50));
        assertEquals(991, counters.percentileNs(99));
        assertEquals(1007, counters.percentileNs(100));
        assertThrows(IllegalArgumentException.class, () -> counters.percentileNs(100.1));
        assertEquals(0, LatencyCounters.NONE.percentileNs(99));
    }

    @Test
    void differencesAreOfTheTimeInBetween() {
        LatencyCounters before = LatencyCounters.of(5, 70_000);
        LatencyCounters later = before.plus(LatencyCounters.of(5, 6));
        LatencyCounters between = later.since(before);
        assertEquals(2, between.events());
        assertEquals(6, between.percentileNs(100));
        assertEquals(7, between.counts().length);
        assertEquals(1, between.counts()[6]);
    }

    @Test
    void nothingIsMeasuredUnlessItIsAskedFor() {
        try (PoolFixture fixture = PoolFixture.deferred(2)) {
            fixture.join("a", "b");
            fixture.report(fixture.quick("quick"));
            assertEquals(0, fixture.pool.latencyCounters().events());
        }
    }

    /** Events behind a slow event wait for it, and that counts: 30 us for both, whichever thread processes the second. */
    @Test
    void latencyGoesFromDetectionToTheHandlersEnd() {
        for (int threads = 1; threads <= 2; threads++) {
            try (PoolFixture fixture = measuring(threads, Promotion.deferred(PoolFixture.MAX_GAP))) {
                fixture.join("a");
                Gate gate = fixture.gate();
                fixture.report(fixture.slow("slow", gate), fixture.quick("quick"));
                fixture.advance(30_000);
                assertEquals(0, fixture.pool.latencyCounters().events());
                fixture.open(gate);
                assertEquals(2, fixture.pool.latencyCounters().events());
                assertEquals(LatencyCounters.of(30_000).percentileNs(100), latencyNs(fixture, 0));
            }
        }
    }

    @Test
    void eventOnTheReadyListKeepsTheDetectionTimeOfTheFormerLeader() {
        try (PoolFixture fixture = measuring(2, Promotion.deferred(PoolFixture.MAX_GAP))) {
            fixture.join("a", "b");
            Gate gate = fixture.gate();
            fixture.report(fixture.slow("slow", gate), fixture.quick("quick"));
            fixture.advance(PoolFixture.LOOK_NS);
            assertEquals(1, fixture.pool.latencyCounters().events());
            assertEquals(LatencyCounters.of(PoolFixture.LOOK_NS).percentileNs(100), latencyNs(fixture, 100));
            fixture.advance(PoolFixture.LOOK_NS);
            fixture.open(gate);
            assertEquals(LatencyCounters.of(PoolFixture.GAP_NS).percentileNs(100), latencyNs(fixture, 100));
        }
    }

    @Test
    void eagerPromotionIsMeasuredToo() {
        try (PoolFixture fixture = measuring(2, Promotion.eager())) {
            fixture.join("a", "b");
            Gate gate = fixture.gate();
            fixture.report(fixture.slow("slow", gate), fixture.quick("quick"));
            assertEquals(0, latencyNs(fixture, 100));
            fixture.advance(5_000);
            fixture.open(gate);
            assertEquals(LatencyCounters.of(5_000).percentileNs(100), latencyNs(fixture, 100));
        }
    }

    @Test
    void postsAreNotInTheLatencies() {
        try (PoolFixture fixture = measuring(1, Promotion.eager())) {
            fixture.join("a");
            FakeHandle quick = fixture.quick("quick");
            fixture.report(quick);
            quick.post(Ready.POSTED);
            fixture.awaitIdle();
            assertEquals(2, fixture.pool.counters().processed());
            assertEquals(1, fixture.pool.latencyCounters().events());
        }
    }

    private static void offload(Handle handle, Queue<Runnable> executor, Continuation<Object> continuation) {
        handle.offload(executor::add, () -> null, continuation);
    }

    /** 10 us for the first work, 20 for the second, which its continuation hands away, and 5 for that one's continuation. */
    @Test
    void latencyIncludesTheOffloadedWorkAndItsContinuation() {
        try (PoolFixture fixture = measuring(2, Promotion.eager())) {
            fixture.join("a", "b");
            Queue<Runnable> executor = new ConcurrentLinkedQueue<>();
            Gate gate = fixture.gate();
            FakeHandle offloads = fixture.set.register(
                    "offloads",
                    (handle, ready) -> offload(
                            handle,
                            executor,
                            (resumed, nothing) -> offload(resumed, executor, (again, nil) -> gate.pass())));
            fixture.report(offloads);
            fixture.advance(10_000);
            executor.remove().run();
            fixture.awaitIdle();
            fixture.advance(20_000);
            executor.remove().run();
            gate.awaitEntered();
            fixture.advance(5_000);
            assertEquals(0, fixture.pool.latencyCounters().events());
            fixture.open(gate);
            assertEquals(1, fixture.pool.latencyCounters().events());
            assertEquals(LatencyCounters.of(35_000).percentileNs(100), latencyNs(fixture, 100));
        }
    }

    @Test
    void eventWhoseHandleIsClosedWhileItsWorkIsUnderWayIsNotCounted() {
        try (PoolFixture fixture = measuring(2, Promotion.eager())) {
            fixture.join("a", "b");
            Queue<Runnable> executor = new ConcurrentLinkedQueue<>();
            FakeHandle offloads = fixture.set.register(
                    "offloads", (handle, ready) -> offload(handle, executor, (resumed, nothing) -> {}));
            fixture.report(offloads);
            offloads.close();
            executor.remove().run();
            fixture.awaitIdle();
            assertTrue(offloads.isClosed());
            assertEquals(0, fixture.pool.latencyCounters().events());
        }
    }
}
