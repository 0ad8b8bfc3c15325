package org.cabrank.bench.report.target;

import java.util.Comparator;
import java.util.Locale;
import java.util.Optional;
import java.util.stream.Stream;
import org.cabrank.bench.report.BenchReport.ContenderInfo;
import org.cabrank.bench.report.CellInfo;
import org.cabrank.bench.report.CellResult;
import org.cabrank.bench.report.ContenderKind;
import org.cabrank.bench.report.ContenderResult;
import org.cabrank.bench.report.Metric;
import org.cabrank.bench.report.Target;
import org.cabrank.bench.report.statistics.Interval;

/** The targets about connections that send nothing: the cost of each, and the loss of the other connections. */
final class IdleMass {

    private static final int BYTES_MAX = 1_024;
    private static final Metric METRIC = Metric.REQUESTS_PER_SECOND;

    private IdleMass() {}

    static Stream<Target> targets(Standings standings) {
        return Stream.of(memory(standings), throughput(standings));
    }

    /** Target for the memory of idle connections: every mode must reach it, not only the best. */
    private static Target memory(Standings standings) {
        String name = "Idle connections, memory";
        String bar = "idle mass: at most 1 KiB of user-space memory for each idle connection, in every mode";
        return idle(standings)
                .flatMap(cell -> standings.all(cell, IdleMass::isCabrank))
                .filter(result -> result.idleBytesPerConnection() != null)
                .max(Comparator.comparingDouble(ContenderResult::idleBytesPerConnection))
                .map(most -> new Target(
                        name,
                        bar,
                        most.idleBytesPerConnection() / BYTES_MAX,
                        most.idleBytesPerConnection() <= BYTES_MAX ? Target.Outcome.REACHED : Target.Outcome.MISSED,
                        String.format(
                                Locale.ROOT,
                                "the most is %,.0f bytes, of %s",
                                most.idleBytesPerConnection(),
                                most.contender())))
                .orElseGet(() -> notMeasured(name, bar, "no memory of idle connections was measured in this run"));
    }

    /**
     * Target for throughput: the mode with the best throughput of active connections, against itself without idle
     * connections.
     */
    private static Target throughput(Standings standings) {
        String name = "Idle connections, throughput";
        String bar = "idle mass: no loss of throughput for the active connections, beyond the noise floor";
        for (CellResult cell : idle(standings).toList()) {
            CellInfo info = info(standings, cell);
            Optional<CellResult> without = standings
                    .cells((scenario, other) -> scenario.equals("ping-pong")
                            && other.idleConnections() == 0
                            && other.connections() == info.connections()
                            && other.sizeBytes() == info.sizeBytes())
                    .findFirst();
            Optional<ContenderResult> own = standings.best(cell, IdleMass::isCabrank, METRIC);
            Optional<ContenderResult> before =
                    without.flatMap(other -> own.flatMap(result -> other.contender(result.contender())));
            if (before.isPresent()) {
                double ratio = own.get().median(METRIC) / before.get().median(METRIC);
                double floor = Math.max(floor(cell), floor(without.get()));
                return new Target(
                        name,
                        bar,
                        ratio,
                        ratio * floor >= 1 ? Target.Outcome.REACHED : Target.Outcome.MISSED,
                        String.format(
                                Locale.ROOT,
                                "%s with %,.0f requests/s, and %,.0f in %s without idle connections; noise floor %.1f %%",
                                own.get().contender(),
                                own.get().median(METRIC),
                                before.get().median(METRIC),
                                without.get().cell(),
                                (floor - 1) * 100));
            }
        }
        return notMeasured(name, bar, "this run has no two cells that differ in nothing but their idle connections");
    }

    private static CellInfo info(Standings standings, CellResult cell) {
        return standings.scenarios().stream()
                .flatMap(scenario -> scenario.cells().stream())
                .filter(info -> info.id().equals(cell.cell()))
                .findFirst()
                .orElseThrow();
    }

    private static double floor(CellResult cell) {
        Interval noise = cell.noiseFloor().get(METRIC);
        return noise != null && noise.known() ? noise.farthestFromOne() : 1;
    }

    private static Stream<CellResult> idle(Standings standings) {
        return standings.cells((scenario, cell) -> scenario.equals("idle-mass"));
    }

    private static boolean isCabrank(ContenderInfo info) {
        return info.kind() == ContenderKind.CABRANK;
    }

    private static Target notMeasured(String name, String bar, String why) {
        return new Target(name, bar, Double.NaN, Target.Outcome.NOT_MEASURED, why);
    }
}
