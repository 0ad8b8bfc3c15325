package org.cabrank.bench.model;

import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import org.cabrank.affinity.CpuList;
import org.cabrank.bench.shards.Arrangement;
import org.cabrank.bench.shards.ArrangementSummary;
import org.cabrank.bench.shards.ShardsReport;

/**
 * Simulates what {@code bench scaling} has measured. What a request costs the server and the load generator is taken from one of
 * its arrangements for each backend, the one with the fewest threads; the others are predicted.
 */
final class Comparing {

    private static final int REQUESTS = 100_000;

    private Comparing() {}

    static List<ModelReport.Check> with(ShardsReport measured, Costs costs, ModelSettings settings) {
        List<ModelReport.Check> checks = new ArrayList<>();
        List<ArrangementSummary> good =
                measured.summary().stream().filter(one -> one.rounds() > 0).toList();
        for (String backend :
                good.stream().map(one -> one.arrangement().backend()).distinct().toList()) {
            List<ArrangementSummary> own = good.stream()
                    .filter(one -> one.arrangement().backend().equals(backend))
                    .sorted(Comparator.comparingInt((ArrangementSummary one) -> threads(one.arrangement()))
                            .thenComparingInt(one -> one.arrangement().shards()))
                    .toList();
            for (ArrangementSummary one : own) {
                checks.add(check(one, own.get(0), measured, costs, settings));
            }
        }
        return checks;
    }

    private static int threads(Arrangement arrangement) {
        return arrangement.shards() * arrangement.threads();
    }

    private static ModelReport.Check check(
            ArrangementSummary one,
            ArrangementSummary fitted,
            ShardsReport measured,
            Costs costs,
            ModelSettings settings) {
        ShardsReport.Settings load = measured.settings();
        // With one thread nobody is promoted, and a harvest brings many: the rest of the fitted one's time is the
        // requests'.
        Costs known = costs.with(Map.of("event", eventNs(fitted, load)));
        double loadNs = fitted.loadBusy() / fitted.requestsPerSecond() * 1e9;
        Scenario scenario = new Scenario(
                CpuList.parse(measured.cpus().server()).size(),
                settings.coresPerNode(),
                one.arrangement().shards(),
                one.arrangement().threads(),
                false,
                load.maxGapNs(),
                load.connections(),
                0,
                load.workNs(),
                load.slowPermille(),
                load.slowTimeNs(),
                load.loadThreads(),
                measured.cpus().shared()
                        ? 0
                        : CpuList.parse(measured.cpus().load()).size(),
                loadNs,
                REQUESTS,
                settings.seed());
        Outcome outcome = Simulation.of(scenario, known);
        return new ModelReport.Check(
                one.arrangement().backend(),
                one.arrangement().shards(),
                one.arrangement().threads(),
                one.requestsPerSecond(),
                outcome.requestsPerSecond(),
                one.p99Us(),
                outcome.p99Us(),
                one == fitted);
    }

    /** Of the server's CPU time for a request, without the simulated work. */
    private static double eventNs(ArrangementSummary fitted, ShardsReport.Settings load) {
        return Math.max(0, fitted.cpuUsPerRequest() * 1e3 - load.workNs());
    }
}
