package org.cabrank.bench.shards;

import java.util.List;
import java.util.function.ToDoubleFunction;
import org.cabrank.bench.report.Comparison;
import org.cabrank.bench.report.RunRecord.Measured;
import org.cabrank.bench.report.Statistics;

/**
 * Compares arrangements round by round: what changes slowly on a machine meets both sides of a round alike.
 *
 * @param runs of all arrangements; those that failed are not compared
 */
record Rounds(List<ShardsRun> runs) {

    /** Something measured in each run. */
    enum Figure {
        THROUGHPUT(Measured::requestsPerSecond),
        TAIL(run -> 1e9 / run.latency().p999Ns());

        /** More is better. */
        private final ToDoubleFunction<Measured> value;

        Figure(ToDoubleFunction<Measured> value) {
            this.value = value;
        }
    }

    Rounds {
        runs = runs.stream().filter(run -> !run.run().failed()).toList();
    }

    /** Whether {@code arrangement} went well once. */
    boolean has(Arrangement arrangement) {
        return runs.stream().anyMatch(run -> run.arrangement().equals(arrangement));
    }

    /** The median; more is better. */
    double median(Arrangement arrangement, Figure figure) {
        return Statistics.median(of(arrangement).stream()
                .map(run -> figure.value.applyAsDouble(run.run().measured()))
                .toList());
    }

    Comparison compare(Arrangement one, Arrangement other, Figure figure) {
        return Comparison.of(of(one).stream()
                .flatMap(run -> of(other).stream()
                        .filter(second -> second.run().round() == run.run().round())
                        .map(second -> figure.value.applyAsDouble(run.run().measured())
                                / figure.value.applyAsDouble(second.run().measured())))
                .toList());
    }

    private List<ShardsRun> of(Arrangement arrangement) {
        return runs.stream()
                .filter(run -> run.arrangement().equals(arrangement))
                .toList();
    }
}
