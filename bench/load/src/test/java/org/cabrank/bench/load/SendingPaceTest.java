package org.cabrank.bench.load;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.ArrayList;
import java.util.List;
import org.cabrank.bench.load.Lineup.ClosedLoop;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Paces in virtual time, with connections that the test answers. */
final class SendingPaceTest {

    private static final long US = 1_000;
    private static final long MS = 1_000_000;
    private static final long STEP_NS = 10 * US;

    private final LoadCounters counters = new LoadCounters();

    @ParameterizedTest
    @ValueSource(ints = {1, 2, 64})
    void aStallShowsInEveryRequestThatWasDueMeanwhile(int connections) {
        FixedRate pace = new FixedRate(new FifoSlots(connections), 1_000, counters);
        FakeConnection[] active = connections(connections, 1);
        pace.begin(active, 0);
        for (long nowNs = 0; nowNs < 1_000 * MS; nowNs += STEP_NS) {
            pace.sendDue(nowNs);
            boolean stalled = nowNs >= 400 * MS && nowNs < 500 * MS;
            for (FakeConnection connection : active) {
                if (connection.awaitsAnswer() && !stalled) {
                    connection.answer(pace, nowNs + STEP_NS);
                }
            }
        }
        List<Long> delayed = delayed(active);
        // 1,000 per second for 100 ms; the last of them were due when the stall was nearly over.
        assertTrue(delayed.size() >= 98 && delayed.size() <= 102, delayed.size() + " delayed");
        double meanNs = delayed.stream().mapToLong(Long::longValue).average().orElseThrow();
        assertTrue(meanNs > 45 * MS && meanNs < 55 * MS, "mean delay " + meanNs);
        assertEquals(1_000, answers(active), 1);
        assertEquals(0, counters.lateSendsOpaque(), "the server was late, not the generator");
    }

    @Test
    void aGeneratorThatSleepsIsLateThoughConnectionsWereFree() {
        FixedRate pace = new FixedRate(new FifoSlots(64), 1_000, counters);
        pace.begin(connections(64, 1), 0);
        pace.sendDue(0);
        pace.sendDue(20 * MS);
        // Due after 1 to 20 ms; that of 19 ms is late by exactly a millisecond and that of 20 ms by nothing.
        assertEquals(18, counters.lateSendsOpaque());
        assertEquals(21, counters.timedSendsOpaque());
    }

    @Test
    void aFixedRateTellsWhenTheNextRequestIsDue() {
        FixedRate pace = new FixedRate(new FifoSlots(3), 1_000, counters);
        FakeConnection[] active = connections(3, 1);
        pace.begin(active, 5 * MS);
        assertEquals(6 * MS, pace.sendDue(5 * MS));
        assertEquals(7 * MS, pace.sendDue(6 * MS));
        assertEquals(8 * MS, pace.sendDue(7 * MS));
        assertEquals(SendingPace.NEVER, pace.sendDue(8 * MS), "no connection is free");
        active[0].answer(pace, 9 * MS);
        assertEquals(SendingPace.NEVER, pace.sendDue(9 * MS), "the one that was free has sent what was due before");
        assertEquals(List.of(5 * MS, 8 * MS), active[0].intendedNs);
    }

    @Test
    void aFixedRateFillsTheDepthOfItsConnections() {
        FixedRate pace = new FixedRate(new FifoSlots(8), 1_000, counters);
        FakeConnection[] active = connections(2, 4);
        pace.begin(active, 0);
        pace.sendDue(100 * MS);
        assertEquals(List.of(4, 4), List.of(active[0].intendedNs.size(), active[1].intendedNs.size()));
    }

    @Test
    void connectionsThatFailedAreNotAsked() {
        FixedRate pace = new FixedRate(new FifoSlots(2), 1_000, counters);
        FakeConnection[] active = connections(2, 1);
        pace.begin(active, 0);
        active[0].fail();
        pace.sendDue(0);
        assertEquals(List.of(0L), active[1].intendedNs);
        assertEquals(SendingPace.NEVER, pace.sendDue(MS));
    }

    @Test
    void burstsComeToAllAtTheSameInstantAndAgainAnIntervalLater() {
        Bursts pace = new Bursts(3, 10 * MS, counters);
        FakeConnection[] active = connections(2, 3);
        pace.begin(active, 4 * MS);
        assertEquals(10 * MS, pace.sendDue(5 * MS));
        assertEquals(20 * MS, pace.sendDue(10 * MS));
        assertEquals(20 * MS, pace.sendDue(12 * MS));
        for (FakeConnection connection : active) {
            assertEquals(List.of(10 * MS, 10 * MS, 10 * MS), connection.intendedNs);
        }
        assertEquals(6, counters.timedSendsOpaque());
    }

    @Test
    void aBurstThatFindsNoRoomIsSentWithTheAnswersAndCountsFromItsInstant() {
        Bursts pace = new Bursts(2, 10 * MS, counters);
        FakeConnection[] active = connections(1, 2);
        pace.begin(active, 0);
        pace.sendDue(10 * MS);
        pace.sendDue(20 * MS);
        assertEquals(List.of(10 * MS, 10 * MS), active[0].intendedNs);
        for (int answers = 0; answers < 4; answers++) {
            active[0].answer(pace, 25 * MS);
        }
        assertEquals(List.of(10 * MS, 10 * MS, 20 * MS, 20 * MS), active[0].intendedNs);
        assertEquals(List.of(15 * MS, 15 * MS, 5 * MS, 5 * MS), active[0].latenciesNs);
    }

    @Test
    void aClosedLoopKeepsTheDepthUnderWay() {
        ClosedLoop pace = new ClosedLoop();
        FakeConnection[] active = connections(2, 4);
        pace.begin(active, 0);
        assertEquals(0, active[0].room() + active[1].room());
        active[0].answer(pace, MS);
        assertEquals(0, active[0].room());
        assertEquals(List.of(0L, 0L, 0L, 0L, MS), active[0].intendedNs);
    }

    private static FakeConnection[] connections(int count, int depth) {
        FakeConnection[] connections = new FakeConnection[count];
        for (int i = 0; i < count; i++) {
            connections[i] = new FakeConnection(i, depth);
        }
        return connections;
    }

    private static List<Long> delayed(FakeConnection[] connections) {
        List<Long> delayed = new ArrayList<>();
        for (FakeConnection connection : connections) {
            connection.latenciesNs.stream().filter(ns -> ns > MS / 2).forEach(delayed::add);
        }
        return delayed;
    }

    private static int answers(FakeConnection[] connections) {
        int answers = 0;
        for (FakeConnection connection : connections) {
            answers += connection.latenciesNs.size();
        }
        return answers;
    }
}
