package org.cabrank.bench.profile;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import org.cabrank.bench.profile.PoolTrace.Change;
import org.cabrank.bench.profile.PoolTrace.Handling;
import org.cabrank.bench.profile.PoolTrace.Harvest;
import org.cabrank.bench.report.profile.SlowRequest;
import org.cabrank.bench.report.profile.SlowRequest.Activity;
import org.cabrank.bench.report.profile.SlowRequest.Lane;
import org.cabrank.bench.report.profile.SlowRequest.Moment;
import org.cabrank.bench.report.profile.SlowRequest.Span;
import org.junit.jupiter.api.Test;

final class SlowestRequestTest {

    private static final long US = 1_000;

    /** A time that is no small number, as that of a clock. */
    private static final long T = 1_700_000_000_000_000_000L;

    private final PoolTrace trace = new PoolTrace("cabrank-s0");

    private void harvest(String thread, long fromUs, long toUs, int events) {
        trace.harvests().add(new Harvest(thread, T + fromUs * US, T + toUs * US, events));
    }

    private void handles(String thread, String handle, long waitedUs, long fromUs, long toUs) {
        trace.handlings().add(new Handling(thread, T + fromUs * US, T + toUs * US, handle, waitedUs * US));
    }

    private void change(long atUs, String from, String to, boolean takeover) {
        trace.changes().add(new Change(T + atUs * US, from, to, takeover));
    }

    private SlowRequest slowest() {
        return SlowestRequest.of(List.of(trace), "slow/64x64B", "cabrank-epoll-deferred")
                .orElseThrow();
    }

    /** The leader finds two requests; the first blocks it, a follower takes over and handles the second. */
    private void blockedLeader() {
        harvest("s0-0", -400, 0, 2);
        handles("s0-0", "first", 10, 10, 5_010);
        change(2_200, "s0-0", "s0-1", true);
        handles("s0-1", "second", 2_210, 2_210, 2_230);
        harvest("s0-1", 2_240, 9_000, 1);
    }

    private Lane lane(SlowRequest request, String thread) {
        return request.lanes().stream()
                .filter(lane -> lane.thread().equals(thread))
                .findFirst()
                .orElseThrow();
    }

    @Test
    void theRequestWhoseHandlerEndsLastAfterItsReportIsTheSlowest() {
        blockedLeader();
        SlowRequest request = slowest();
        assertEquals("first", request.handle());
        assertEquals(2, request.handlersSeen());
        assertEquals(10, request.waitedUs());
        assertEquals(5_000, request.handledUs());
        assertEquals(-501, request.fromUs());
        assertEquals(5_511, request.toUs());
    }

    @Test
    void lanesShowWhoLedWaitedAndHandled() {
        blockedLeader();
        SlowRequest request = slowest();
        assertEquals(
                List.of(
                        new Span(Activity.LEADS, -501, 2_200, 1),
                        new Span(Activity.WAITS, -400, 0, 1),
                        new Span(Activity.REQUEST, 10, 5_010, 1)),
                lane(request, "s0-0").spans());
        assertEquals(
                List.of(
                        new Span(Activity.LEADS, 2_200, 5_511, 1),
                        new Span(Activity.WAITS, 2_240, 5_511, 1),
                        new Span(Activity.HANDLES, 2_210, 2_230, 1)),
                lane(request, "s0-1").spans());
    }

    @Test
    void momentsTellTheStoryInTheOrderOfTime() {
        blockedLeader();
        assertEquals(
                List.of(
                        new Moment(0, "s0-0 has waited for 400 µs and finds 2 events, this request among them"),
                        new Moment(10, "s0-0 starts the request's handler"),
                        new Moment(2_200, "s0-1 takes over from s0-0"),
                        new Moment(5_010, "the handler has ended, after 5,000 µs")),
                slowest().moments());
    }

    @Test
    void aRequestThatWaitsBehindABlockedOneIsTheSlowestIfItTakesLonger() {
        harvest("s0-0", -400, 0, 2);
        handles("s0-0", "first", 10, 10, 1_010);
        handles("s0-0", "second", 1_020, 1_020, 1_120);
        SlowRequest request = slowest();
        assertEquals("second", request.handle());
        assertEquals(1_020, request.waitedUs());
        assertTrue(
                request.moments()
                        .contains(new Moment(10, "s0-0 starts a handler of another request, which takes 1,000 µs")),
                request.moments()::toString);
        assertEquals(Activity.LEADS, lane(request, "s0-0").spans().get(0).activity(), "the only one that waits");
    }

    @Test
    void manyShortHandlersAreOneSpanWithTheirNumber() {
        harvest("s0-0", -10, 0, 100);
        List<String> names = new ArrayList<>();
        for (int i = 0; i < 100; i++) {
            handles("s0-0", "short", i * 10, i * 10, i * 10 + 9);
            names.add("short");
        }
        handles("s0-0", "last", 1_000, 1_000, 1_020);
        List<Span> spans = lane(slowest(), "s0-0").spans();
        assertTrue(spans.contains(new Span(Activity.HANDLES, 0, 999, names.size())), spans::toString);
    }

    @Test
    void aThreadThatFindsNobodyLeadingLeadsFromTheEndOfItsHandler() {
        harvest("s0-0", -100, 0, 1);
        change(1, "s0-0", null, false);
        handles("s0-0", "first", 2, 2, 300);
        harvest("s0-0", 305, 400, 1);
        change(401, "s0-0", "s0-1", false);
        handles("s0-0", "second", 2, 402, 403);
        List<Span> led = lane(slowest(), "s0-0").spans().stream()
                .filter(span -> span.activity() == Activity.LEADS)
                .toList();
        assertEquals(2, led.size(), led::toString);
        assertEquals(1, led.get(0).toUs());
        assertEquals(300, led.get(1).fromUs());
    }

    @Test
    void moreMomentsThanAPageHasRoomForAreCounted() {
        harvest("s0-0", -100, 0, 1);
        for (int i = 1; i <= 100; i++) {
            change(i, i % 2 == 0 ? "s0-0" : "s0-1", i % 2 == 0 ? "s0-1" : "s0-0", false);
        }
        handles("s0-0", "long", 200, 200, 300);
        List<Moment> moments = slowest().moments();
        assertEquals(24, moments.size());
        assertEquals(
                "80 more changes and handlers, which are not listed",
                moments.get(21).what());
        assertEquals("s0-0 starts the request's handler", moments.get(22).what());
    }

    @Test
    void aPostedHandleHasWaitedForNoReport() {
        trace.handlings().add(new Handling("s0-0", T, T + 50 * US, "posted", PoolTrace.UNKNOWN));
        SlowRequest request = slowest();
        assertEquals(0, request.waitedUs());
        assertTrue(request.moments().get(0).what().contains("posted its handle"), request.moments()::toString);
    }

    @Test
    void aRecordingWithoutHandlersHasNoSlowestRequest() {
        harvest("s0-0", -100, 0, 1);
        assertEquals(Optional.empty(), SlowestRequest.of(List.of(trace), "cell", "contender"));
    }
}
