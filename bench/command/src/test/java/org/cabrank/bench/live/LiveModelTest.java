package org.cabrank.bench.live;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.List;
import org.cabrank.lf.PoolConfig;
import org.cabrank.lf.observe.LatencyCounters;
import org.cabrank.lf.observe.ThreadCounters;
import org.cabrank.lf.observe.ThreadState;
import org.cabrank.lf.observe.ThreadStatus;
import org.junit.jupiter.api.Test;

/** LiveFormats computed from two readings. */
final class LiveModelTest {
    @Test
    void ratesAreOfTheLastIntervalAndPerSecond() {
        LiveModel model = new LiveModel(Readings.deferred(0));
        model.next(Readings.deferred(1, 100));
        LiveFigures figures = model.next(Readings.deferred(3, 1_100));
        assertEquals(500, figures.requestsPerS());
        assertEquals(500, figures.eventsPerS());
        assertEquals(32_000, figures.receivedBytesPerS());
        assertEquals(1, figures.openedPerS());
        assertEquals(1, figures.closedPerS());
        assertEquals(new LiveFigures.Change(21, 7), figures.takeovers());
        assertEquals(new LiveFigures.Change(3, 1), figures.promotions());
        assertEquals(new LiveFigures.Change(3, 0), figures.failedTakeovers());
        assertEquals(List.of(100.0, 500.0), figures.history());
        assertEquals(500, figures.peak());
        assertEquals(3 * Readings.S, figures.uptimeNs());
    }

    @Test
    void whatIsNoRateIsOfTheWholeLife() {
        LiveFigures figures = Readings.deferredAfter(5);
        assertEquals(64, figures.connections());
        assertEquals(7_500, figures.requests());
        assertEquals(2, figures.gapsOverLimit());
        assertEquals(2_345_678, figures.largestGapNs());
    }

    @Test
    void beforeTheFirstIntervalIsOverThereAreNoRates() {
        LiveFigures figures = new LiveModel(Readings.deferred(7)).atStart();
        assertEquals(0, figures.requestsPerS());
        assertEquals(List.of(), figures.history());
        assertEquals(0, figures.latency().events());
        assertEquals(7 * 1_500, figures.requests());
    }

    @Test
    void percentilesAreOfTheLastTenSeconds() {
        LiveFigures figures = Readings.deferredAfter(30);
        assertEquals(10 * Readings.S, figures.windowNs());
        assertEquals(10_000, figures.latency().events());
        assertEquals(
                LatencyCounters.of(20_000).percentileNs(100), figures.latency().percentileNs(99.9));
        assertEquals(
                LatencyCounters.of(5_000_000).percentileNs(100),
                figures.latency().percentileNs(100));
    }

    @Test
    void anIntervalThatIsLongerThanTheWindowIsTheWindow() {
        LiveModel model = new LiveModel(Readings.deferred(0));
        model.next(Readings.deferred(60));
        LiveFigures figures = model.next(Readings.deferred(120));
        assertEquals(60 * Readings.S, figures.windowNs());
        assertEquals(60_000, figures.latency().events());
    }

    @Test
    void historyIsBounded() {
        LiveModel model = new LiveModel(Readings.deferred(0, 0));
        LiveFigures figures = model.atStart();
        for (int second = 1; second <= LiveModel.HISTORY_MAX + 3; second++) {
            figures = model.next(Readings.ownLoops(1, second));
        }
        assertEquals(LiveModel.HISTORY_MAX, figures.history().size());
    }

    @Test
    void threadsTellTheirRoleAndWhatTheyHandle() {
        LiveFigures figures = Readings.deferredAfter(2);
        assertEquals(
                List.of("processing", "leader", "follower"),
                figures.threads().stream().map(LiveFigures.OfThread::role).toList());
        assertEquals(
                List.of(500.0, 1_000.0, 0.0),
                figures.threads().stream()
                        .map(LiveFigures.OfThread::handledPerS)
                        .toList());
        assertEquals(10, figures.threads().get(1).takeovers());
        assertTrue(figures.threads().get(1).leads());
        assertFalse(figures.threads().get(0).leads());
    }

    @Test
    void aLoopOfItsOwnHasNoLeader() {
        LiveFigures figures = Readings.ownLoopsAfterASecond(2);
        assertEquals(
                List.of("own loop, processing", "own loop, waiting"),
                figures.threads().stream().map(LiveFigures.OfThread::role).toList());
    }

    @Test
    void balanceIsOfTheIntervalAndOfTheConnectionsThatStand() {
        LiveModel model = new LiveModel(Readings.ownLoops(3, 0));
        model.next(Readings.ownLoops(3, 1));
        LiveFigures figures = model.next(Readings.ownLoops(3, 2));
        assertEquals(1.5, figures.balance().connections().ratio());
        assertEquals(1.5, figures.balance().detected().ratio());
        assertEquals(1.5, figures.balance().bytes().ratio());
        assertEquals(2_000, figures.shards().get(0).eventsPerS());
        assertEquals(20, figures.shards().get(0).connections());
    }

    @Test
    void everyStateHasItsRole() {
        PoolConfig several = PoolConfig.of("pool", 3);
        assertEquals("leader", Roles.of(thread(ThreadState.LEADER, true), several, false));
        assertEquals("leader s1", Roles.of(thread(ThreadState.LEADER, true), several, true));
        assertEquals("leader s1, processing", Roles.of(thread(ThreadState.PROCESSING, true), several, true));
        assertEquals("processing s1", Roles.of(thread(ThreadState.PROCESSING, false), several, true));
        assertEquals("follower", Roles.of(thread(ThreadState.FOLLOWER, false), several, true));
    }

    private static ThreadStatus thread(ThreadState state, boolean owner) {
        return new ThreadStatus("thread", state, 1, owner, new ThreadCounters(0, 0, 0));
    }
}
