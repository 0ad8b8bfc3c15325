package org.cabrank.bench.live;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.List;
import java.util.stream.Collectors;
import org.cabrank.bench.fixture.Once;
import org.cabrank.bench.text.Colours;
import org.cabrank.lf.observe.Contention;
import org.cabrank.lf.observe.LeadershipCounters;
import org.junit.jupiter.api.Test;

/** Output of the dashboard, character by character. */
@Once
final class DashboardTest {
    private static final TerminalPalette PLAIN = new TerminalPalette(new Colours(false), true);
    private static final Dashboard DASHBOARD = new Dashboard(
            "cabrank echo on 127.0.0.1:7000",
            "epoll, panama, 1 shard x 3 threads, deferred(2ms), lifo",
            "q: end   every 1s");

    private static String drawn(LiveFigures figures, List<String> log, int columns, int rows) {
        return DASHBOARD.draw(figures, log, new ScreenSize(columns, rows), PLAIN).stream()
                .map(line -> line.stripTrailing() + "\n")
                .collect(Collectors.joining());
    }

    @Test
    void anOrdinaryTerminalShowsAll() {
        assertEquals("""
                cabrank echo on 127.0.0.1:7000                                           up 0:12
                epoll, panama, 1 shard x 3 threads, deferred(2ms), lifo

                requests/s   1,500                                                  ████████████
                             peak 1,500   events/s 1,500   requests in all 18,000
                latency      p50 20.5us   p90 20.5us   p99 20.5us   p99.9 20.5us   max 5.11ms
                             in the last 10s
                connections  64   opened/s 1   closed/s 1   failures 0
                bytes/s      in 96.0kB   out 96.0kB
                leadership   promotions 1/s (12)   takeovers 7/s (84)   failed takeovers 0/s (3)
                gaps         over the limit 2   largest 2.35ms
                contention   none   wake-ups/event 0.01   unwatched 0.00%

                thread        state       handled/s  promotions  takeovers
                cabrank-s0-0  processing        500           1          2
                cabrank-s0-1  leader          1,000          12         60
                cabrank-s0-2  follower            0           0          0

                14:03:07 WARNING accepting pauses




                q: end   every 1s
                """, drawn(Readings.deferredAfter(12), List.of("14:03:07 WARNING accepting pauses"), 80, 24));
    }

    @Test
    void aNarrowTerminalShowsTheSameInMoreLinesAndFewerColumns() {
        assertEquals("""
                cabrank echo on 127.0.0.1:7000   up 0:03
                epoll, panama, 1 shard x 3 threads, defe

                requests/s   1,500                   ███
                             peak 1,500   events/s 1,500
                             requests in all 4,500
                latency      p50 20.5us   p90 20.5us
                             p99 20.5us   p99.9 20.5us
                             max 5.11ms   in the last 3s
                connections  64   opened/s 1
                             closed/s 1   failures 0
                bytes/s      in 96.0kB   out 96.0kB
                leadership   promotions 1/s (3)
                             takeovers 7/s (21)
                             failed takeovers 0/s (3)
                gaps         over the limit 2
                             largest 2.35ms
                contention   none   wake-ups/event 0.01
                             unwatched 0.00%

                thread        state       handled/s
                cabrank-s0-0  processing        500
                cabrank-s0-1  leader          1,000
                cabrank-s0-2  follower            0





                q: end   every 1s
                """, drawn(Readings.deferredAfter(3), List.of(), 40, 30));
    }

    @Test
    void severalShardsAreComparedAndOwnLoopsHaveNoLeader() {
        assertEquals("""
                cabrank echo on 127.0.0.1:7000                                           up 0:01
                epoll, panama, 1 shard x 3 threads, deferred(2ms), lifo

                requests/s   5,000                                                             █
                             peak 5,000   events/s 5,000   requests in all 5,000
                latency      no events   in the last 1s
                connections  50   opened/s 4   closed/s 4   failures 0
                bytes/s      in 320kB   out 320kB
                leadership   none: each thread has a loop of its own

                thread        state                 handled/s
                cabrank-s0-0  own loop, processing      2,000
                cabrank-s1-0  own loop, waiting         1,000
                cabrank-s2-0  own loop, processing      1,000
                cabrank-s3-0  own loop, waiting         1,000

                shard      connections  events/s  in B/s  out B/s
                most/mean         1.60      1.60    1.60
                s0                  20     2,000   128kB    128kB
                s1                  10     1,000  64.0kB   64.0kB
                s2                  10     1,000  64.0kB   64.0kB
                s3                  10     1,000  64.0kB   64.0kB



                q: end   every 1s
                """, drawn(Readings.ownLoopsAfterASecond(4), List.of(), 80, 26));
    }

    @Test
    void aTerminalWithoutUtf8GetsAsciiOnly() {
        TerminalPalette ascii = new TerminalPalette(new Colours(false), false);
        String text =
                String.join("\n", DASHBOARD.draw(Readings.deferredAfter(12), List.of(), new ScreenSize(80, 24), ascii));
        assertTrue(text.chars().allMatch(c -> c < 0x7f), text);
        assertTrue(text.contains("  @@@@@@@@@@@@"), text);
    }

    @Test
    void noLineIsWiderThanTheScreenAndAllOfThemFillIt() {
        for (LiveFigures figures : List.of(Readings.deferredAfter(200), Readings.ownLoopsAfterASecond(20))) {
            for (int columns = Dashboard.COLUMNS_MIN; columns <= 200; columns += 7) {
                for (int rows = 2; rows <= 70; rows += 4) {
                    List<String> lines = DASHBOARD.draw(figures, List.of("said"), new ScreenSize(columns, rows), PLAIN);
                    assertEquals(rows, lines.size());
                    int widest = lines.stream().mapToInt(String::length).max().orElseThrow();
                    assertTrue(widest <= columns, widest + " characters on " + columns + " columns");
                }
            }
        }
    }

    @Test
    void aLowTerminalSaysHowManyRowsItLeavesOut() {
        String text = drawn(Readings.ownLoopsAfterASecond(20), List.of(), 80, 24);
        assertTrue(text.contains("cabrank-s0-0   own loop, processing"), text);
        assertTrue(text.contains("... and "), text);
        assertTrue(text.contains("most/mean"), text);
        assertFalse(drawn(Readings.ownLoopsAfterASecond(20), List.of(), 80, 60).contains("..."));
    }

    @Test
    void colourRepeatsOnlyWhatTheTextSays() {
        TerminalPalette coloured = new TerminalPalette(new Colours(true), true);
        ScreenSize size = new ScreenSize(60, 30);
        List<String> lines = DASHBOARD.draw(Readings.deferredAfter(12), List.of(), size, coloured);
        assertTrue(lines.stream().anyMatch(line -> line.contains("\u001b[1mcabrank-s0-1  leader")), lines::toString);
        assertEquals(
                DASHBOARD.draw(Readings.deferredAfter(12), List.of(), size, PLAIN),
                lines.stream()
                        .map(line -> line.replaceAll("\u001b\\[[0-9;]*m", ""))
                        .toList());
    }

    /** A leader that waits for a CPU looks like one whose handler is slow. */
    @Test
    void aMachineWithTooFewCpusIsNamedInsteadOfAdvice() {
        LiveModel model = new LiveModel(Readings.starved(0));
        LiveFigures figures = model.next(Readings.starved(2));
        String shown = String.join("\n", DASHBOARD.draw(figures, List.of(), new ScreenSize(100, 30), PLAIN));
        assertTrue(
                shown.contains("contention   unknown: threads of this machine waited for a CPU in 60% of the time"),
                shown);
        assertTrue(PlainLine.of(figures).contains(", too few CPUs"), PlainLine.of(figures));
    }

    @Test
    void waitsForCpusAreReadAsTheKernelWritesThem() {
        String text = "some avg10=2.60 avg60=41.02 avg300=46.11 total=2471\nfull avg10=0.00 avg60=0.00 total=9\n";
        assertEquals(2_471_000, CpuPressure.waitNs(text));
        assertEquals(0, CpuPressure.waitNs(""));
    }

    @Test
    void aContendedPoolIsNamedWithWhatHelps() {
        Contention contended = Contention.between(
                new LeadershipCounters(0, 0, 0, 0, 0, 0, 0),
                new LeadershipCounters(Readings.S, 2_000, 2_000, 0, 0, 2_000, 0),
                false);
        List<String> lines = Dashboard.contention(List.of(new LiveFigures.OfPool("cabrank-s0", contended)), 60, PLAIN);
        assertEquals("contention   cabrank-s0: handlers are often slower than the", lines.get(0));
        assertTrue(String.join(" ", lines).replaceAll(" +", " ").endsWith(contended.advice()), lines::toString);
    }
}
