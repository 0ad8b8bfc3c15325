package org.cabrank.bench.load.datagram;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import org.junit.jupiter.api.Test;

/** A worker that pauses, by a virtual clock, and a server that is busy for a part of the time. */
final class DatagramPaceTest {
    private static final long MS = 1_000_000;

    /** Begin of the clock: near its overflow, which System.nanoTime may be. */
    private static final long START_NS = Long.MAX_VALUE - MS;

    private static final int RATE = 300_000;
    private static final int SMALL = 64;
    private static final int AT_ONCE = DatagramPace.atOnce(SMALL);
    private static final int BATCH = 64;

    /** Time between two turns of a worker that does not pause. */
    private static final long TURN_NS = 50_000;

    private long nowNs = START_NS;

    private DatagramPace begun(int burst) {
        DatagramPace pace = new DatagramPace(RATE, burst, AT_ONCE);
        pace.begin(nowNs);
        return pace;
    }

    /** Sends all that may be sent now. */
    private int send(DatagramPace pace) {
        int sent = 0;
        for (int count = pace.due(nowNs, BATCH); count > 0; count = pace.due(nowNs, BATCH)) {
            pace.passed(count);
            sent += count;
        }
        return sent;
    }

    /** Number of datagrams that are due a time after the begin. */
    private static long due(long sinceStartNs) {
        return sinceStartNs * RATE / 1_000_000_000 + 1;
    }

    @Test
    void halfOfADefaultReceiveBufferHoldsWhatIsSentAtOnce() {
        assertEquals(138, DatagramPace.atOnce(SMALL));
        assertEquals(46, DatagramPace.atOnce(1_200));
        DatagramPace huge = new DatagramPace(RATE, 1, DatagramPace.atOnce(DatagramLoad.SIZE_BYTES_MAX));
        huge.begin(nowNs);
        assertEquals(1, huge.due(nowNs + MS, BATCH));
    }

    @Test
    void withoutPausesEachDatagramIsSentWhenItIsDue() {
        DatagramPace pace = begun(1);
        for (int i = 0; i < 10_000; i++) {
            assertEquals(pace.dueNs(0), nowNs);
            assertEquals(1, send(pace));
            nowNs = pace.nextNs();
        }
    }

    @Test
    void aShortPauseIsMadeUpForAtOnce() {
        DatagramPace pace = begun(1);
        send(pace);
        nowNs += 400_000;
        assertEquals(120, send(pace));
    }

    @Test
    void afterALongPauseHalfABufferIsSentAtOnceAndTheRestATenthFasterThanTheRate() {
        DatagramPace pace = begun(1);
        long sent = send(pace);
        long pauseNs = 2 * MS;
        nowNs += pauseNs;
        int first = send(pace);
        assertTrue(first <= AT_ONCE && first > AT_ONCE - AT_ONCE / 4, first + " at once");
        sent += first;
        long resumedNs = nowNs;
        long sentBefore = sent;
        while (sent < due(nowNs - START_NS)) {
            nowNs += TURN_NS;
            sent += send(pace);
            assertEquals(Math.min(due(nowNs - START_NS), sentBefore + 0.33 * (nowNs - resumedNs) / 1e3), sent, BATCH);
        }
        // 462 datagrams are overdue for which there are no tokens, and 30 more are sent in a millisecond than become
        // due.
        assertEquals(462 / 30.0, (nowNs - resumedNs) / 1e6, 0.2);
    }

    @Test
    void overdueDatagramsKeepTheirDueTimes() {
        DatagramPace pace = begun(1);
        send(pace);
        nowNs += 2 * MS;
        int next = 1 + send(pace);
        assertEquals(next * 1e9 / RATE, pace.dueNs(0) - START_NS, 1);
        assertTrue(pace.nextNs() - nowNs > 0, "an overdue datagram waits for its token");
        nowNs = pace.nextNs() + 1;
        assertEquals(AT_ONCE / 4, send(pace), "one system call takes several");
    }

    @Test
    void aDelayBeforeTheMeasuredIntervalIsForgottenInIt() {
        DatagramPace pace = begun(1);
        send(pace);
        nowNs += 500 * MS;
        pace.forgive(nowNs);
        assertEquals(nowNs, pace.dueNs(0));
        assertEquals(1, send(pace));
        long dueNs = pace.dueNs(0);
        pace.forgive(nowNs);
        assertEquals(dueNs, pace.dueNs(0), "a datagram that is not overdue keeps its due time");
    }

    @Test
    void aBurstIsNotDivided() {
        int burst = 50;
        DatagramPace pace = begun(burst);
        assertEquals(burst, pace.due(nowNs, BATCH));
        pace.passed(burst);
        nowNs += 2 * MS;
        assertEquals(2 * burst, send(pace));
        nowNs = pace.nextNs() + 1;
        assertEquals(burst, send(pace));
    }

    @Test
    void aBurstOfWhichTheKernelTookAPartIsFinishedFirst() {
        DatagramPace pace = begun(BATCH);
        pace.due(nowNs, BATCH);
        pace.passed(BATCH - 1);
        assertEquals(1, pace.due(nowNs, BATCH));
    }

    /** Datagrams sent after a pause of the generator never fill the buffer of a server at 80 % of its capacity. */
    @Test
    void aServerThatKeepsUpLosesNothingAfterAPauseOfTheGenerator() {
        for (long pauseNs : new long[] {MS, 2 * MS, 20 * MS}) {
            assertEquals(0, lost(begun(1), pauseNs), pauseNs + " ns");
            assertTrue(lost(unlimited(), pauseNs) > 0, "the model server loses a long burst");
        }
    }

    private DatagramPace unlimited() {
        DatagramPace pace = new DatagramPace(RATE, 1, Integer.MAX_VALUE);
        pace.begin(nowNs);
        return pace;
    }

    /** Number of datagrams for which a server's default receive buffer has no room, during a pause of the generator and after. */
    private int lost(DatagramPace pace, long pauseNs) {
        double servedInTurn = RATE / 0.8 * TURN_NS / 1e9;
        double queue = 0;
        int lost = 0;
        for (int turn = 0; turn < 10_000; turn++) {
            queue = Math.max(0, queue - servedInTurn);
            nowNs += TURN_NS;
            if (turn == 100) {
                nowNs += pauseNs;
                queue = 0;
            }
            queue += send(pace);
            double over = Math.max(0, queue - 2 * AT_ONCE);
            lost += (int) over;
            queue -= over;
        }
        return lost;
    }
}
