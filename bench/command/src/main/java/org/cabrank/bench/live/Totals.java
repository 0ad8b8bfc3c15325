package org.cabrank.bench.live;

import java.util.function.ToLongFunction;
import org.cabrank.bench.handler.RequestCounter;
import org.cabrank.stream.StreamReactor;

/** One-line summary of a server's work. */
public final class Totals {
    private Totals() {}

    /** May be called after the reactor's end. */
    public static String of(StreamReactor reactor, RequestCounter requests) {
        long refused = reactor.counters().overLimit();
        long pauses = reactor.counters().ratePauses();
        return of(Reading.of(reactor, requests))
                + (refused == 0 ? "" : ", " + number(refused, "connection") + " refused at a limit")
                + (pauses == 0 ? "" : ", " + number(pauses, "pause") + " for the accept rate");
    }

    static String of(Reading reading) {
        long connections =
                reading.shards().stream().mapToLong(shard -> shard.opened()).sum();
        long events =
                reading.shards().stream().mapToLong(shard -> shard.detected()).sum();
        long largestGapNs = reading.pools().stream()
                .mapToLong(pool -> pool.counters().largestGapNs())
                .max()
                .orElse(0);
        return "served " + number(connections, "connection") + ", " + number(reading.requests(), "request") + ", "
                + number(events, "event") + "; "
                + number(sum(reading, pool -> pool.counters().promotions()), "promotion")
                + ", " + number(sum(reading, pool -> pool.counters().takeovers()), "takeover")
                + ", " + number(sum(reading, pool -> pool.leadership().failedTakeovers()), "failed takeover")
                + ", largest gap " + (largestGapNs == 0 ? "none" : LiveFormats.time(largestGapNs))
                + ", " + number(sum(reading, pool -> pool.counters().failures()), "failure");
    }

    private static long sum(Reading reading, ToLongFunction<Reading.OfPool> count) {
        return reading.pools().stream().mapToLong(count).sum();
    }

    private static String number(long count, String of) {
        return LiveFormats.count(count) + " " + of + (count == 1 ? "" : "s");
    }
}
