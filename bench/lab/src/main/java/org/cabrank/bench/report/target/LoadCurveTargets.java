package org.cabrank.bench.report.target;

import java.util.List;
import java.util.Locale;
import java.util.Optional;
import org.cabrank.bench.report.CellInfo;
import org.cabrank.bench.report.CellResult;
import org.cabrank.bench.report.ContenderResult;
import org.cabrank.bench.report.LoadCurve;
import org.cabrank.bench.report.Percentiles;
import org.cabrank.bench.report.ScenarioInfo;
import org.cabrank.bench.report.Target;

/**
 * The targets about the price of the pool: the tail of {@link #MODE}, which is named before anything is measured, at 80 % of the
 * capacity against M/G/k. The machine's wake-up time is in the computed times, as part of each handler's time, and is not allowed
 * for again.
 *
 * <p>A sample as large as the measured one has a tail that differs by chance, even if it comes from the computed queue. Where that noise
 * spans the bar, the run cannot tell.
 */
public final class LoadCurveTargets {

    /** Contender whose tail is judged: one shard of several threads in the library's default mode. */
    public static final String MODE = "cabrank-epoll-deferred";

    private static final double FACTOR_MAX = 1.3;
    private static final double TIMES_SHOWN = 1_000;

    private LoadCurveTargets() {}

    /** One target for each distribution that was measured at that load. */
    public static List<Target> of(List<ScenarioInfo> scenarios, List<CellResult> cells, LoadCurve curve) {
        return scenarios.stream()
                .flatMap(scenario -> scenario.cells().stream())
                .filter(cell -> LoadCurve.judged(cell.rateShare()))
                .flatMap(cell -> curve.point(cell.id()).stream()
                        .map(point -> target(cell, latency(cell, cells), point, curve.requests())))
                .toList();
    }

    private static Optional<Percentiles> latency(CellInfo cell, List<CellResult> cells) {
        return cells.stream()
                .filter(result -> result.cell().equals(cell.id()))
                .flatMap(result -> result.contender(MODE).stream())
                .map(ContenderResult::latency)
                .filter(latency -> latency != null)
                .findFirst();
    }

    private static Target target(CellInfo cell, Optional<Percentiles> latency, LoadCurve.Point point, int simulated) {
        double percentile = point.tailPercentile();
        String name = "Price of the pool, " + cell.slowSpread();
        String bar = String.format(
                Locale.ROOT,
                "%s of %s at 80 %% of the capacity: at most 1.30 of M/G/k, whose times contain the wake-up time",
                Percentiles.name(percentile),
                MODE);
        if (latency.isEmpty()) {
            return new Target(name, bar, Double.NaN, Target.Outcome.NOT_MEASURED, "this run is without " + MODE);
        }
        LoadCurve.Times theory = point.sharedQueue();
        double measuredUs = latency.get().atUs(List.of(percentile)).get(0);
        double computedUs = theory.atUs(percentile);
        double ratio = measuredUs / computedUs;
        // The error of a quantile falls with the root of the number of requests.
        double noise = theory.tailAccuracy()
                * Math.sqrt(1 + (double) simulated / latency.get().count());
        return new Target(
                name,
                bar,
                ratio,
                outcome(ratio, noise),
                String.format(
                        Locale.ROOT,
                        "%,.0f µs: M/G/k %,.0f, the pool and the network %,.0f; noise of a sample as large as this ± %.0f %%%s",
                        measuredUs,
                        computedUs,
                        measuredUs - computedUs,
                        noise * 100,
                        outcome(ratio, noise) == Target.Outcome.CANNOT_TELL ? longer(ratio, noise) : ""));
    }

    private static Target.Outcome outcome(double ratio, double noise) {
        if (ratio * (1 + noise) <= FACTOR_MAX) {
            return Target.Outcome.REACHED;
        }
        return ratio / (1 + noise) > FACTOR_MAX ? Target.Outcome.MISSED : Target.Outcome.CANNOT_TELL;
    }

    /** Number of times by which more slices would tell, if the ratio stayed. */
    private static String longer(double ratio, double noise) {
        double needed = Math.max(ratio / FACTOR_MAX, FACTOR_MAX / ratio) - 1;
        double times = Math.ceil(noise * noise / (needed * needed));
        return times <= TIMES_SHOWN
                ? String.format(Locale.ROOT, ", which %.0f times as many slices would tell from the bar", times)
                : ", as near to the bar as no run can tell";
    }
}
