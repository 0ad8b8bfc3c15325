package org.cabrank.bench.report.html;

import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.stream.IntStream;
import org.cabrank.bench.report.BenchReport;
import org.cabrank.bench.report.profile.SlowRequest;
import org.cabrank.bench.report.profile.SlowRequest.Lane;
import org.cabrank.bench.report.profile.SlowRequest.Span;
import org.cabrank.bench.report.summary.ReportFormats;

/** Gantt charts of slow requests: a lane for each thread of the shard, without a script. */
final class SlowRequestCards {

    /** Labels of the axis. */
    private static final int STEPS = 4;

    private SlowRequestCards() {}

    /** Values of the template. */
    static Map<String, Object> values(BenchReport report) {
        List<SlowRequest> requests =
                report.profiles() == null ? List.of() : report.profiles().slowRequests();
        return Map.of(
                "traced",
                !requests.isEmpty(),
                "slowRequests",
                IntStream.range(0, requests.size())
                        .mapToObj(i -> card(requests.get(i), i == 0))
                        .toList());
    }

    private static Map<String, Object> card(SlowRequest request, boolean first) {
        return Map.of(
                "first",
                first,
                "cell",
                request.cell(),
                "contender",
                request.contender(),
                "words",
                String.format(
                        Locale.ROOT,
                        "The slowest of %,d: %s µs from the kernel's report to the end of the handler, of which %s µs before the"
                                + " handler started.",
                        request.handlersSeen(),
                        ReportFormats.of(request.waitedUs() + request.handledUs()),
                        ReportFormats.of(request.waitedUs())),
                "shard",
                request.shard() + ", " + request.handle(),
                "lanes",
                request.lanes().stream().map(lane -> lane(lane, request)).toList(),
                "ticks",
                ticks(request),
                "moments",
                request.moments().stream()
                        .map(moment -> Map.of("at", number(moment.atUs()), "what", moment.what()))
                        .toList());
    }

    private static Map<String, Object> lane(Lane lane, SlowRequest request) {
        StringBuilder bars = new StringBuilder();
        for (Span span : lane.spans()) {
            bars.append("<i class=\"")
                    .append(span.activity().name().toLowerCase(Locale.ROOT))
                    .append("\" style=\"")
                    .append(place(span.fromUs(), span.toUs(), request))
                    .append("\" title=\"")
                    .append(Html.text(title(span)))
                    .append("\"></i>");
        }
        return Map.of("thread", lane.thread(), "bars", bars.toString());
    }

    private static String title(Span span) {
        String count = span.count() > 1 ? " (" + span.count() + ")" : "";
        String what = switch (span.activity()) {
            case LEADS -> "leads";
            case WAITS -> "waits in the kernel" + count;
            case HANDLES -> "handles other requests" + count;
            case REQUEST -> "handles the request";
        };
        return what + ", " + number(span.fromUs()) + " to " + number(span.toUs()) + " µs";
    }

    private static String place(double fromUs, double toUs, SlowRequest request) {
        double all = request.toUs() - request.fromUs();
        return String.format(
                Locale.ROOT,
                "left:%.2f%%;width:%.2f%%",
                100 * (fromUs - request.fromUs()) / all,
                100 * (toUs - fromUs) / all);
    }

    /** Labels in equal steps from the report to the end of the handler. */
    private static List<Map<String, String>> ticks(SlowRequest request) {
        double endUs = request.waitedUs() + request.handledUs();
        return IntStream.rangeClosed(0, STEPS)
                .mapToObj(step -> endUs * step / STEPS)
                .map(us -> Map.of("place", place(us, us, request), "us", number(us)))
                .toList();
    }

    private static String number(double us) {
        return String.format(Locale.ROOT, Math.abs(us) < 100 && us != 0 ? "%,.1f" : "%,.0f", us);
    }
}
