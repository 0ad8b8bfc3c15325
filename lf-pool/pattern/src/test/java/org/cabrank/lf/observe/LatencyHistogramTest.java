package org.cabrank.lf.observe;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.lang.management.ManagementFactory;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import java.util.concurrent.CountDownLatch;
import javax.management.JMException;
import javax.management.ObjectName;
import org.cabrank.lf.fixture.TestThread;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

@Timeout(300)
@Tag("newest") // on an older JDK in a soak only
class LatencyHistogramTest {
    private static final int THREADS = 6;
    private static final int RECORDS = 50_000;

    @Test
    void aDurationIsReportedAtMostOneThirtySecondLonger() {
        Random random = new Random(1);
        for (int i = 0; i < 2_000; i++) {
            long durationNs = random.nextLong(1L << 1 + random.nextInt(37));
            LatencyHistogram histogram = new LatencyHistogram("one");
            histogram.record(durationNs);
            long reportedNs = histogram.read().percentileNs(100);
            assertTrue(
                    reportedNs >= durationNs && reportedNs <= durationNs + durationNs / 32,
                    durationNs + " ns is reported as " + reportedNs);
        }
    }

    @Test
    void durationsOutOfRangeCountAtTheEnds() {
        LatencyHistogram histogram = new LatencyHistogram("ends");
        histogram.record(-5);
        histogram.record(Long.MAX_VALUE);
        LatencyCounters counters = histogram.read();
        assertEquals(2, counters.events());
        assertEquals(1, counters.counts()[0]);
        assertEquals(LatencyCounters.BUCKETS_MAX, counters.counts().length);
    }

    @Test
    void anIntervalIsTheDifferenceOfTwoReadings() {
        LatencyHistogram histogram = new LatencyHistogram("interval");
        histogram.record(10);
        LatencyCounters before = histogram.read();
        histogram.record(20);
        histogram.record(30);
        LatencyCounters interval = histogram.read().since(before);
        assertEquals(2, interval.events());
        assertEquals(20, interval.percentileNs(50));
        assertEquals(3, histogram.read().events());
        assertTrue(histogram.toString().startsWith("interval: 3 recorded, p50 20 ns"), histogram.toString());
    }

    @Test
    void theTimeSinceAMomentIsRecorded() {
        LatencyHistogram histogram = new LatencyHistogram("since");
        long startNs = System.nanoTime() - 1_000_000;
        histogram.recordSince(startNs);
        assertTrue(histogram.read().percentileNs(100) >= 1_000_000);
    }

    /** One stripe, so that all threads add to the same counts; and several. */
    @Test
    void everyDurationOfEveryThreadIsCountedOnce() throws Exception {
        for (int processors : new int[] {1, 4, 100}) {
            LatencyHistogram histogram = new LatencyHistogram("shared", processors);
            CountDownLatch begin = new CountDownLatch(THREADS);
            List<TestThread> threads = new ArrayList<>();
            for (int i = 0; i < THREADS; i++) {
                threads.add(TestThread.start("recorder " + i, () -> {
                    begin.countDown();
                    begin.await();
                    for (int record = 0; record < RECORDS; record++) {
                        histogram.record(record % 40);
                    }
                }));
            }
            long seen = 0;
            while (seen < (long) THREADS * RECORDS && threads.stream().anyMatch(TestThread::isAlive)) {
                long now = histogram.read().events();
                assertTrue(now >= seen, "a count has been lost");
                seen = now;
            }
            for (TestThread thread : threads) {
                thread.join();
            }
            LatencyCounters counters = histogram.read();
            assertEquals((long) THREADS * RECORDS, counters.events());
            for (int ns = 0; ns < 40; ns++) {
                assertEquals((long) THREADS * RECORDS / 40, counters.counts()[ns], ns + " ns");
            }
        }
    }

    @Test
    void neighbouringThreadsUseDifferentStripes() {
        for (int bits = 0; bits <= 4; bits++) {
            int[] threads = new int[1 << bits];
            for (long id = 1_000; id < 1_000 + 4L * threads.length; id++) {
                threads[LatencyHistogram.stripe(id, bits)]++;
            }
            for (int count : threads) {
                assertTrue(count >= 2 && count <= 6, count + " threads of 4 on average, with " + bits + " bits");
            }
        }
    }

    /** Bytes that this thread has allocated, by JMX: the JDK's own interface is in a module that the module under test does not read. */
    private static long allocatedBytes() throws JMException {
        return (long) ManagementFactory.getPlatformMBeanServer()
                .invoke(
                        new ObjectName(ManagementFactory.THREAD_MXBEAN_NAME),
                        "getThreadAllocatedBytes",
                        new Object[] {Thread.currentThread().getId()},
                        new String[] {long.class.getName()});
    }

    @Test
    void recordingAllocatesNothing() throws Exception {
        LatencyHistogram histogram = new LatencyHistogram("allocation");
        long least = Long.MAX_VALUE;
        for (int round = 0; round < 20; round++) {
            long before = allocatedBytes();
            for (int i = 0; i < RECORDS; i++) {
                histogram.record(i);
                histogram.recordSince(i);
            }
            least = Math.min(least, allocatedBytes() - before);
        }
        assertTrue(least < RECORDS, least + " bytes for twice " + RECORDS + " durations");
    }
}
