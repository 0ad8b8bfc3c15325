package org.cabrank.lf;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.function.Consumer;
import org.cabrank.lf.failure.FailureLog;
import org.cabrank.lf.observe.BlockedHandler;
import org.junit.jupiter.api.Test;

/** Reports of the watchdog on threads whose progress, time and stack are simulated. */
class BlockedHandlersTest {
    private static final long LIMIT_NS = 1_000_000;

    /** A thread that says where it is. */
    private static final class FakeThread extends Thread {
        volatile StackTraceElement[] stack = at(1);

        @Override
        public StackTraceElement[] getStackTrace() {
            return stack.clone();
        }
    }

    private static final class FakeProgress implements WatchedPool.Progress {
        final FakeThread thread = new FakeThread();
        boolean processing;
        long processed;

        @Override
        public FakeThread thread() {
            return thread;
        }

        @Override
        public boolean isProcessingOpaque() {
            return processing;
        }

        @Override
        public long processedOpaque() {
            return processed;
        }

        void begin() {
            processing = true;
        }

        void end() {
            processing = false;
            processed++;
        }
    }

    private static final class FakePool implements WatchedPool {
        final List<FakeProgress> threads = new ArrayList<>();
        Runnable whileDescribing = () -> {};

        @Override
        public String name() {
            return "fake";
        }

        @Override
        public List<FakeProgress> progress() {
            return threads;
        }

        @Override
        public String describeWork(Progress thread) {
            whileDescribing.run();
            return "handle " + threads.indexOf(thread);
        }

        @Override
        public boolean isTerminated() {
            return false;
        }
    }

    private final FakePool pool = new FakePool();
    private final FakeProgress thread = add();
    private final FailureLog failures = new FailureLog(BlockedHandlersTest.class);
    private final List<BlockedHandler> reports = new ArrayList<>();
    private Consumer<BlockedHandler> consumer = reports::add;
    private final BlockedHandlers handlers =
            new BlockedHandlers(LIMIT_NS, handler -> consumer.accept(handler), failures);

    /** Wraps around in the middle of a test. */
    private long nowNs = Long.MAX_VALUE - LIMIT_NS;

    private FakeProgress add() {
        FakeProgress progress = new FakeProgress();
        pool.threads.add(progress);
        return progress;
    }

    private static StackTraceElement[] at(int line) {
        return new StackTraceElement[] {
            new StackTraceElement("Handler", "handleEvent", "Handler.java", line),
            new StackTraceElement("Pool", "run", "Pool.java", 7)
        };
    }

    private void check() {
        handlers.check(List.of(pool), nowNs);
    }

    private void lookAfter(long ns) {
        nowNs += ns;
        check();
    }

    @Test
    void handlerIsReportedOnceItHasRunForTheLimit() {
        thread.begin();
        check();
        lookAfter(LIMIT_NS - 1);
        assertEquals(List.of(), reports);
        lookAfter(1);
        BlockedHandler expected = new BlockedHandler(
                "fake", thread.thread, "handle 0", Duration.ofNanos(LIMIT_NS), List.of(thread.thread.stack));
        assertEquals(List.of(expected), reports);
        assertEquals(1, handlers.blockedOpaque());
    }

    @Test
    void timeIsCountedFromTheFirstLookThatSawTheHandler() {
        check();
        thread.begin();
        lookAfter(10 * LIMIT_NS);
        assertEquals(0, handlers.blockedOpaque());
        lookAfter(LIMIT_NS);
        assertEquals(Duration.ofNanos(LIMIT_NS), reports.get(0).blockedFor());
    }

    @Test
    void manyShortHandlersAreNotMistakenForOneLongOne() {
        thread.begin();
        for (int i = 0; i < 100; i++) {
            lookAfter(LIMIT_NS - 1);
            thread.end();
            thread.begin();
        }
        assertEquals(0, handlers.blockedOpaque());
    }

    @Test
    void restingThreadIsNotBlocked() {
        check();
        lookAfter(10 * LIMIT_NS);
        thread.begin();
        check();
        thread.end();
        lookAfter(10 * LIMIT_NS);
        assertEquals(0, handlers.blockedOpaque());
    }

    /** The end of the handler comes between the look and the stack, which is of something else then. */
    @Test
    void handlerThatEndsWhileItsStackIsTakenIsNotReported() {
        thread.begin();
        check();
        pool.whileDescribing = () -> {
            thread.end();
            thread.begin();
        };
        lookAfter(LIMIT_NS);
        assertEquals(List.of(), reports);
        assertEquals(0, handlers.blockedOpaque());
    }

    @Test
    void sameStackIsReportedOnceAndEachHandlerCounted() {
        for (int i = 0; i < 5; i++) {
            thread.begin();
            check();
            lookAfter(LIMIT_NS);
            thread.end();
        }
        assertEquals(1, reports.size());
        assertEquals(5, handlers.blockedOpaque());
    }

    @Test
    void anotherThreadAtTheSamePlaceIsNoNews() {
        FakeProgress other = add();
        thread.begin();
        other.begin();
        check();
        lookAfter(LIMIT_NS);
        assertEquals(1, reports.size());
        assertEquals(2, handlers.blockedOpaque());
    }

    /** Spinning, a handler is somewhere else at every look. */
    @Test
    void handlerThatSpinsIsReportedEachTimeItHasTakenTwiceAsLong() {
        thread.begin();
        check();
        for (int look = 1; look <= 64; look++) {
            thread.thread.stack = at(look);
            lookAfter(LIMIT_NS);
        }
        List<Long> blockedLimits = reports.stream()
                .map(report -> report.blockedFor().toNanos() / LIMIT_NS)
                .toList();
        assertEquals(List.of(1L, 2L, 4L, 8L, 16L, 32L, 64L), blockedLimits);
        assertEquals(1, handlers.blockedOpaque(), "one handler");
    }

    @Test
    void stacksAreBounded() {
        for (int i = 0; i < BlockedHandlers.STACKS_MAX + 10; i++) {
            thread.thread.stack = at(i);
            thread.begin();
            check();
            lookAfter(LIMIT_NS);
            thread.end();
        }
        assertEquals(BlockedHandlers.STACKS_MAX, reports.size());
        assertEquals(BlockedHandlers.STACKS_MAX + 10, handlers.blockedOpaque());
    }

    @Test
    void consumerThatThrowsIsCountedAndTheOthersAreStillReported() {
        FakeProgress other = add();
        other.thread.stack = at(2);
        thread.begin();
        other.begin();
        check();
        consumer = report -> {
            reports.add(report);
            throw new AssertionError("by the consumer");
        };
        lookAfter(LIMIT_NS);
        assertEquals(2, reports.size());
        assertEquals(2, failures.count());
    }

    @Test
    void reportNamesPoolThreadHandleTimeAndPlace() {
        thread.thread.setName("fake-3");
        thread.begin();
        check();
        lookAfter(2 * LIMIT_NS);
        String[] lines = reports.get(0).describe().split(System.lineSeparator());
        assertEquals("pool fake: fake-3 has run the handler of handle 0 for at least 2 ms", lines[0]);
        assertTrue(lines[1].contains("Handler.handleEvent(Handler.java:1)"), lines[1]);
        assertEquals(3, lines.length);
    }
}
