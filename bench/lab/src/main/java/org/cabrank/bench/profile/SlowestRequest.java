package org.cabrank.bench.profile;

import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.TreeSet;
import org.cabrank.bench.profile.PoolTrace.Change;
import org.cabrank.bench.profile.PoolTrace.Handling;
import org.cabrank.bench.profile.PoolTrace.Harvest;
import org.cabrank.bench.report.profile.SlowRequest;
import org.cabrank.bench.report.profile.SlowRequest.Activity;
import org.cabrank.bench.report.profile.SlowRequest.Lane;
import org.cabrank.bench.report.profile.SlowRequest.Moment;
import org.cabrank.bench.report.profile.SlowRequest.Span;

/** Finds the slowest request of a recording, from the report of its event to the end of its handler, and what threads did meanwhile. */
public final class SlowestRequest {

    /** Time shown before and after the request, in terms of the time of the request. */
    private static final double MARGIN = 0.1;

    /** Spans that are nearer than this part of what is shown are drawn as one. */
    private static final int SHOWN_APART = 400;

    /** Divisor: handlers of other requests that take at least this part of the time of the request are listed. */
    private static final int TOLD = 10;

    /** Named bound of the moments that are listed, so that the list stays readable. */
    private static final int MOMENTS_MAX = 24;

    private final PoolTrace trace;
    private final Handling request;
    private final long zeroNs;
    private final long fromNs;
    private final long toNs;

    private SlowestRequest(PoolTrace trace, Handling request) {
        this.trace = trace;
        this.request = request;
        zeroNs = request.detectedNs();
        long marginNs = Math.max(1, Math.round(request.allNs() * MARGIN));
        fromNs = zeroNs - marginNs;
        toNs = request.endNs() + marginNs;
    }

    /** Returns the slowest request in the recording of {@code contender} in {@code cell}; empty if no handler was called. */
    public static Optional<SlowRequest> of(Path recording, String cell, String contender) throws IOException {
        return of(PoolRecording.read(recording), cell, contender);
    }

    static Optional<SlowRequest> of(List<PoolTrace> traces, String cell, String contender) {
        long handlings =
                traces.stream().mapToLong(trace -> trace.handlings().size()).sum();
        return traces.stream()
                .flatMap(trace -> trace.handlings().stream().map(handling -> new SlowestRequest(trace, handling)))
                .max(Comparator.comparingLong((SlowestRequest one) -> one.request.allNs()))
                .map(slowest -> slowest.shown(cell, contender, handlings));
    }

    private SlowRequest shown(String cell, String contender, long handlings) {
        return new SlowRequest(
                cell,
                contender,
                trace.shard(),
                request.handle(),
                handlings,
                us(request.startNs()),
                (request.endNs() - request.startNs()) / 1e3,
                us(fromNs),
                us(toNs),
                lanes(),
                moments());
    }

    private double us(long atNs) {
        return (atNs - zeroNs) / 1e3;
    }

    // ---- lanes ----

    private List<Lane> lanes() {
        TreeSet<String> threads = new TreeSet<>();
        trace.harvests().forEach(harvest -> threads.add(harvest.thread()));
        trace.handlings().forEach(handling -> threads.add(handling.thread()));
        Map<String, List<Span>> led = led();
        threads.addAll(led.keySet());
        List<Lane> lanes = new ArrayList<>();
        for (String thread : threads) {
            List<Span> spans = new ArrayList<>(led.getOrDefault(thread, List.of()));
            spans.addAll(waits(thread));
            spans.addAll(handlers(thread));
            lanes.add(new Lane(thread, spans));
        }
        return lanes;
    }

    /** Spans in which each thread had the leadership. Before the first change the next thread that gives it away had it. */
    private Map<String, List<Span>> led() {
        Map<String, List<Span>> led = new LinkedHashMap<>();
        String leader = firstLeader();
        long sinceNs = Long.MIN_VALUE;
        for (Change change : trace.changes()) {
            if (leader == null
                    && change.from() != null) { // the thread came back from a handler, and found nobody leading
                leader = change.from();
                sinceNs = Math.max(sinceNs, lastEndNs(leader, change.atNs()));
            }
            add(led, leader, sinceNs, change.atNs());
            leader = change.to();
            sinceNs = change.atNs();
        }
        add(led, leader, sinceNs, Long.MAX_VALUE);
        return led;
    }

    /** Null if it is unknown. */
    private String firstLeader() {
        if (!trace.changes().isEmpty()) {
            return trace.changes().get(0).from();
        }
        List<String> watchers =
                trace.harvests().stream().map(Harvest::thread).distinct().toList();
        return watchers.size() == 1 ? watchers.get(0) : null;
    }

    /** Time at which the last handler of {@code thread} before {@code atNs} ended. */
    private long lastEndNs(String thread, long atNs) {
        return trace.handlings().stream()
                .filter(handling -> handling.thread().equals(thread) && handling.endNs() <= atNs)
                .mapToLong(Handling::endNs)
                .max()
                .orElse(Long.MIN_VALUE);
    }

    private void add(Map<String, List<Span>> led, String leader, long startNs, long endNs) {
        if (leader != null && endNs > fromNs && startNs < toNs) {
            led.computeIfAbsent(leader, first -> new ArrayList<>()).add(span(Activity.LEADS, startNs, endNs, 1));
        }
    }

    private List<Span> waits(String thread) {
        List<Span> spans = new ArrayList<>();
        for (Harvest harvest : trace.harvests()) {
            if (harvest.thread().equals(thread) && harvest.endNs() > fromNs && harvest.startNs() < toNs) {
                append(spans, span(Activity.WAITS, harvest.startNs(), harvest.endNs(), 1));
            }
        }
        return spans;
    }

    private List<Span> handlers(String thread) {
        List<Span> spans = new ArrayList<>();
        for (Handling handling : trace.handlings()) {
            if (handling.thread().equals(thread) && handling.endNs() > fromNs && handling.startNs() < toNs) {
                Activity activity = handling == request ? Activity.REQUEST : Activity.HANDLES;
                append(spans, span(activity, handling.startNs(), handling.endNs(), 1));
            }
        }
        return spans;
    }

    private Span span(Activity activity, long startNs, long endNs, int count) {
        return new Span(activity, us(Math.max(startNs, fromNs)), us(Math.min(endNs, toNs)), count);
    }

    /** Joins the span to the last one if both are of one kind and too near to be drawn apart. */
    private void append(List<Span> spans, Span next) {
        Span last = spans.isEmpty() ? null : spans.get(spans.size() - 1);
        double apartUs = (toNs - fromNs) / 1e3 / SHOWN_APART;
        boolean joins = last != null
                && last.activity() == next.activity()
                && next.activity() != Activity.REQUEST
                && next.fromUs() - last.toUs() < apartUs;
        if (joins) {
            double toUs = Math.max(last.toUs(), next.toUs());
            spans.set(spans.size() - 1, new Span(last.activity(), last.fromUs(), toUs, last.count() + 1));
        } else {
            spans.add(next);
        }
    }

    // ---- moments ----

    private List<Moment> moments() {
        List<Moment> moments = new ArrayList<>();
        moments.add(new Moment(0, reported()));
        for (Handling handling : trace.handlings()) {
            long tookNs = handling.endNs() - handling.startNs();
            boolean meanwhile = handling.endNs() > zeroNs && handling.startNs() < request.endNs();
            if (handling != request && meanwhile && tookNs >= request.allNs() / TOLD) {
                moments.add(new Moment(
                        us(handling.startNs()),
                        handling.thread() + " starts a handler of another request, which takes " + words(tookNs)));
            }
        }
        for (Change change : trace.changes()) {
            if (change.atNs() > zeroNs && change.atNs() < request.endNs()) {
                moments.add(new Moment(us(change.atNs()), words(change)));
            }
        }
        moments.add(new Moment(us(request.startNs()), request.thread() + " starts the request's handler"));
        moments.add(new Moment(
                us(request.endNs()), "the handler has ended, after " + words(request.endNs() - request.startNs())));
        moments.sort(Comparator.comparingDouble(Moment::atUs));
        return bounded(moments);
    }

    private String reported() {
        if (request.waitedNs() == PoolTrace.UNKNOWN) {
            return "the handler was due without a report of the kernel: another thread posted its handle";
        }
        return trace.harvests().stream()
                .min(Comparator.comparingLong(harvest -> Math.abs(harvest.endNs() - zeroNs)))
                .map(harvest -> harvest.thread() + " has waited for " + words(harvest.endNs() - harvest.startNs())
                        + " and finds " + harvest.events() + (harvest.events() == 1 ? " event" : " events")
                        + ", this request among them")
                .orElse("the kernel reports the request");
    }

    private static String words(Change change) {
        if (change.takeover()) {
            return change.to() + " takes over from "
                    + (change.from() == null ? "a thread that has left" : change.from());
        }
        return change.from() + " promotes " + (change.to() == null ? "whichever thread comes back next" : change.to());
    }

    private static String words(long ns) {
        return String.format(Locale.ROOT, ns < 100_000 ? "%,.1f µs" : "%,.0f µs", ns / 1e3);
    }

    /** The first moments and the last two, which are those of the handler. */
    private static List<Moment> bounded(List<Moment> moments) {
        if (moments.size() <= MOMENTS_MAX) {
            return moments;
        }
        List<Moment> some = new ArrayList<>(moments.subList(0, MOMENTS_MAX - 3));
        Moment next = moments.get(MOMENTS_MAX - 3);
        some.add(new Moment(
                next.atUs(), moments.size() - MOMENTS_MAX + 1 + " more changes and handlers, which are not listed"));
        some.addAll(moments.subList(moments.size() - 2, moments.size()));
        return some;
    }
}
