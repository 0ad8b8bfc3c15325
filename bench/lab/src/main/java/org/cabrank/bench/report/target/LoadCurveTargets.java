package org.cabrank.bench.report.target;

import java.util.Comparator;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import java.util.Set;
import org.cabrank.bench.report.CellInfo;
import org.cabrank.bench.report.CellResult;
import org.cabrank.bench.report.ContenderResult;
import org.cabrank.bench.report.LoadCurve;
import org.cabrank.bench.report.ScenarioInfo;
import org.cabrank.bench.report.Target;

/**
 * The targets about the price of the pool: p99 of the best mode of Cabrank with one line for its threads, at 80 % of the capacity, against
 * M/G/k and the machine's wake-up time.
 */
public final class LoadCurveTargets {

    /** Modes with one line for several threads. */
    private static final Set<String> FLOATING =
            Set.of("cabrank-epoll-eager", "cabrank-epoll-deferred", "cabrank-iouring-shared");

    private static final double LOAD = 0.8;
    private static final double TOLERANCE = 0.001;
    private static final double FACTOR_MAX = 1.3;

    private LoadCurveTargets() {}

    /** One target for each distribution that was measured at that load. */
    public static List<Target> of(List<ScenarioInfo> scenarios, List<CellResult> cells, LoadCurve curve) {
        return scenarios.stream()
                .flatMap(scenario -> scenario.cells().stream())
                .filter(cell -> Math.abs(cell.rateShare() - LOAD) < TOLERANCE)
                .flatMap(cell -> curve.point(cell.id()).stream()
                        .map(point -> target(cell, best(cell, cells), point.oneLine(), curve.wakeUpP99Ns() / 1e3)))
                .toList();
    }

    private static Optional<ContenderResult> best(CellInfo cell, List<CellResult> cells) {
        return cells.stream()
                .filter(result -> result.cell().equals(cell.id()))
                .flatMap(result -> result.contenders().stream())
                .filter(result -> FLOATING.contains(result.contender()) && result.latency() != null)
                .min(Comparator.comparingDouble(result -> result.latency().p99Us()));
    }

    private static Target target(
            CellInfo cell, Optional<ContenderResult> best, LoadCurve.Times theory, double wakeUpUs) {
        String name = "Price of the pool, " + cell.slowSpread();
        String bar = "p99 at 80 % of the capacity: at most 1.30 of M/G/k, plus the wake-up time";
        if (best.isEmpty()) {
            return new Target(
                    name,
                    bar,
                    Double.NaN,
                    Target.Outcome.NOT_MEASURED,
                    "this run has no mode of Cabrank with one line for several threads");
        }
        double measuredUs = best.get().latency().p99Us();
        double ratio = (measuredUs - wakeUpUs) / theory.p99Us();
        return new Target(
                name,
                bar,
                ratio,
                ratio <= FACTOR_MAX ? Target.Outcome.REACHED : Target.Outcome.MISSED,
                String.format(
                        Locale.ROOT,
                        "%s with %,.0f µs: M/G/k %,.0f (± %.1f %%), wake-up %,.0f, the pool and the network %,.0f",
                        best.get().contender(),
                        measuredUs,
                        theory.p99Us(),
                        theory.p99Accuracy() * 100,
                        wakeUpUs,
                        measuredUs - theory.p99Us() - wakeUpUs));
    }
}
