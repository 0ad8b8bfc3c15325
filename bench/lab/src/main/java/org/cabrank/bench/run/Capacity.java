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

/** Requests per second of a server in a closed loop. Fixed rates are shares of this number. It is 0 if unknown. */
record Capacity(double perSecond, String of) {

    static final Capacity UNKNOWN = new Capacity(0, "");

    private static final int INTERVALS = 3;

    /** Measures the first of {@code contenders} that runs. Returns {@link #UNKNOWN} if none runs. */
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
