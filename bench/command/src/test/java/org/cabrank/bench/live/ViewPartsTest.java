package org.cabrank.bench.live;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertSame;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.ByteArrayInputStream;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.InputStream;
import java.io.PrintStream;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import org.cabrank.bench.live.Dashboard.Sparkline;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** The small parts of the view, one by one. */
@Timeout(300)
final class ViewPartsTest {
    @ParameterizedTest
    @CsvSource({
        "0, 0ns",
        "999, 999ns",
        "1000, 1.00us",
        "9990, 9.99us",
        "9996, 10.0us",
        "69600, 69.6us",
        "180400, 180us",
        "999949, '1,000us'",
        "1000000, 1.00ms",
        "5370000, 5.37ms",
        "137000000000, 137s"
    })
    void timesHaveThreeDigits(long ns, String words) {
        assertEquals(words, LiveFormats.time(ns));
    }

    @ParameterizedTest
    @CsvSource({"0, 0", "0.04, 0.0", "0.5, 0.5", "7, 7", "99.94, 99.9", "100.4, 100", "153510.2, '153,510'"})
    void ratesAreExactWhereTheyAreSmall(double rate, String words) {
        assertEquals(words, LiveFormats.rate(rate));
    }

    @ParameterizedTest
    @CsvSource({"0, 0B", "999, 999B", "1500, 1.50kB", "9400000, 9.40MB", "2.5e9, 2.50GB"})
    void bytesAreInPowersOfAThousand(double bytes, String words) {
        assertEquals(words, LiveFormats.bytes(bytes));
    }

    @ParameterizedTest
    @CsvSource({"0, 0:00", "59, 0:59", "754, 12:34", "3723, 1:02:03"})
    void upTimeIsAClock(long seconds, String words) {
        assertEquals(words, LiveFormats.clock(seconds * Readings.S));
    }

    @Test
    void sparklineGoesFromZeroToTheHighestOfWhatIsShown() {
        assertEquals("  ▁▄█", Sparkline.of(List.of(0.0, 50.0, 100.0), 5, true));
        assertEquals("▄█", Sparkline.of(List.of(1_000.0, 50.0, 100.0), 2, true));
        assertEquals("_-@", Sparkline.of(List.of(0.0, 30.0, 100.0), 3, false));
        assertEquals("▁▁", Sparkline.of(List.of(0.0, 0.0), 2, true));
        assertEquals("   ", Sparkline.of(List.of(), 3, true));
    }

    @Test
    void aLineHoldsWhatTheFiguresSay() {
        assertEquals(
                "live 0:02: 1,500 requests/s, p50 20.5us p90 20.5us p99 20.5us p99.9 20.5us max 5.11ms, 64 connections,"
                        + " 1 promotions/s, 7 takeovers/s, 2 gaps over the limit, 0 failures; cabrank-s0-1 (leader)",
                PlainLine.of(Readings.deferredAfter(2)));
        assertEquals(
                "live 0:01: 3,000 requests/s, 30 connections, 0 promotions/s, 0 takeovers/s, 0 gaps over the limit,"
                        + " 0 failures, most loaded shard 1.33 of the mean",
                PlainLine.of(Readings.ownLoopsAfterASecond(2)));
    }

    @Test
    void totalsAreOneLine() {
        assertEquals(
                "served 67 connections, 4,500 requests, 4,500 events; 3 promotions, 21 takeovers, 3 failed takeovers,"
                        + " largest gap 2.35ms, 0 failures",
                Totals.of(Readings.deferred(3)));
        assertEquals(
                "served 21 connections, 2,000 requests, 2,000 events; 0 promotions, 0 takeovers, 0 failed takeovers,"
                        + " largest gap none, 0 failures",
                Totals.of(Readings.ownLoops(1, 1)));
    }

    @Test
    void theFirstLocaleThatIsSetSaysWhetherThereAreBlocks() {
        assertTrue(TerminalChoice.takesUtf8(Map.of("LANG", "de_DE.UTF-8")));
        assertTrue(TerminalChoice.takesUtf8(Map.of("LC_ALL", "", "LC_CTYPE", "C.utf8", "LANG", "C")));
        assertFalse(TerminalChoice.takesUtf8(Map.of("LC_ALL", "C", "LANG", "de_DE.UTF-8")));
        assertFalse(TerminalChoice.takesUtf8(Map.of()));
    }

    @Test
    void aJobInTheBackgroundGetsLines() {
        assertTrue(TerminalChoice.inForeground("42 (a) b) S 1 42 40 34816 42 0"));
        assertFalse(TerminalChoice.inForeground("42 (java) S 1 42 40 34816 40 0"));
        assertTrue(TerminalChoice.inForeground("42 (java) S 1 42 42 0 -1 0"));
    }

    @Test
    void aDumbTerminalCannotBeDrawnOn() {
        assertTrue(TerminalChoice.drawable("xterm"));
        assertFalse(TerminalChoice.drawable("dumb"));
        assertFalse(TerminalChoice.drawable(""));
        assertFalse(TerminalChoice.drawable(null));
    }

    @Test
    void whatIsSaidMeanwhileIsSaidAfterwards() {
        PrintStream before = System.err;
        ByteArrayOutputStream said = new ByteArrayOutputStream();
        PrintStream real = new PrintStream(said, true, StandardCharsets.UTF_8);
        System.setErr(real);
        try {
            CapturedErrors captured = CapturedErrors.begin();
            PrintStream held = System.err;
            for (int i = 0; i < CapturedErrors.LINES_MAX + 2; i++) {
                System.err.println("line " + i);
            }
            assertEquals("", said.toString(StandardCharsets.UTF_8));
            assertEquals(List.of("line 1000", "line 1001"), captured.latest(2));
            captured.close();
            captured.close();
            assertSame(real, System.err);
            held.println("late");
        } finally {
            System.setErr(before);
        }
        List<String> lines = said.toString(StandardCharsets.UTF_8).lines().toList();
        assertEquals("2 earlier lines were dropped while the screen was shown", lines.get(0));
        assertEquals("line 2", lines.get(1));
        assertEquals("late", lines.get(lines.size() - 1));
        assertEquals(CapturedErrors.LINES_MAX + 2, lines.size());
    }

    @Test
    void onlyQuitQuitsAndOnce() {
        AtomicInteger quits = new AtomicInteger();
        new Keys(keys("x\r\n\u001b[A"), quits::incrementAndGet).read();
        assertEquals(0, quits.get());
        new Keys(keys("xqq"), quits::incrementAndGet).read();
        assertEquals(1, quits.get());
    }

    private static InputStream keys(String pressed) {
        return new ByteArrayInputStream(pressed.getBytes(StandardCharsets.US_ASCII));
    }

    /** A display that can be made to fail. */
    private static final class Recorder implements LiveDisplay {
        final List<LiveFigures> shown = Collections.synchronizedList(new ArrayList<>());
        final CountDownLatch several = new CountDownLatch(3);
        final CountDownLatch closed = new CountDownLatch(1);
        volatile boolean fails;

        @Override
        public void show(LiveFigures figures) throws IOException {
            if (fails) {
                throw new IOException("on purpose");
            }
            shown.add(figures);
            several.countDown();
        }

        @Override
        public void close() {
            closed.countDown();
        }
    }

    @Test
    void theViewReadsAgainAndAgainUntilItIsClosed() throws Exception {
        Recorder recorder = new Recorder();
        AtomicInteger seconds = new AtomicInteger();
        try (LiveView view =
                new LiveView(() -> Readings.deferred(seconds.getAndIncrement()), Duration.ofMillis(1), recorder)) {
            view.start();
            assertTrue(recorder.several.await(120, TimeUnit.SECONDS));
        }
        assertEquals(0, recorder.closed.getCount());
        assertEquals(List.of(), recorder.shown.get(0).history());
        assertEquals(1_500, recorder.shown.get(2).requestsPerS());
    }

    @Test
    void aTerminalThatIsGoneEndsTheView() throws Exception {
        Recorder recorder = new Recorder();
        recorder.fails = true;
        try (LiveView view = new LiveView(() -> Readings.deferred(0), Duration.ofMillis(1), recorder)) {
            view.start();
            assertTrue(recorder.closed.await(120, TimeUnit.SECONDS));
        }
    }
}
