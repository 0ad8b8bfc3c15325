package org.cabrank.bench.run;

import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import org.cabrank.bench.contender.Contender;
import org.cabrank.bench.load.LoadTraffic;
import org.cabrank.bench.report.RunRecord;
import org.cabrank.bench.report.statistics.Medians;
import org.cabrank.bench.scenario.Cell;
import org.cabrank.bench.scenario.Plan;

/**
 * Capacity that rates are shares of: the requests per second of one server in a closed loop. Measured once, so that a rate
 * is equal in all rounds and its latencies can be merged.
 *
 * @param perSecond requests per second; 0 if unknown
 * @param of name of the measured server; empty if unknown
 */
record Capacity(double perSecond, String of) {

    static final Capacity UNKNOWN = new Capacity(0, "");

    private static final int INTERVALS = 3;

    /**
     * Measures the capacity of the baseline, or of the next of {@code contenders} that runs; unknown if none runs.
     *
     * @param contenders the contenders, the baseline first
     */
    static Capacity of(GroupRound servers, List<Contender> contenders, Cell cell, Plan plan)
            throws IOException, InterruptedException {
        for (Contender contender : contenders) {
            Participant who = Participant.of(contender);
            List<Double> each = new ArrayList<>();
            for (int i = 1; i <= INTERVALS && servers.has(who); i++) {
                RunRecord run = servers.measure(who, cell, cell.traffic(), i, 1);
                if (!run.failed()) {
                    each.add(run.measured().requestsPerSecond());
                }
            }
            if (!each.isEmpty()) {
                return new Capacity(Medians.of(each), who.name());
            }
        }
        return UNKNOWN;
    }

    boolean known() {
        return perSecond > 0;
    }

    /** Returns the traffic of {@code cell}, at its share of this capacity if it has one. */
    LoadTraffic traffic(Cell cell) {
        return cell.wantsCapacity()
                ? cell.traffic().withRate(Math.max(1, Math.round(cell.rateShare() * perSecond)))
                : cell.traffic();
    }

    String text(String requests) {
        return String.format(
                Locale.ROOT,
                "Rates (%s) are shares of %,.0f requests/s, which %s reached in a closed loop at the beginning.",
                requests,
                perSecond,
                of);
    }
}
