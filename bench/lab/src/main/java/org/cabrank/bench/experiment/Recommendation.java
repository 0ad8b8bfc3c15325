package org.cabrank.bench.experiment;

import java.util.Comparator;
import java.util.List;
import java.util.Locale;
import java.util.function.Function;
import java.util.stream.Collectors;
import org.cabrank.bench.experiment.Comparison.Outcome;

/**
 * A variant to take, and the reason: of those that none beats in throughput the one with the best tail (p99.9), and if no
 * difference is seen in that either, the simplest.
 *
 * @param among name of the set of variants that were compared
 * @param chosen null: nothing was decided
 */
public record Recommendation<V>(String among, V chosen, String reason) {

    /** The rule, for readers of the result. */
    static final String RULE = "Recommended is, of those that none beats in requests/s, the one with the best p99.9; if"
            + " those do not differ either, the simplest.";

    /**
     * Looks for a variant to recommend.
     *
     * @param throughput decides first
     * @param tail decides between those with the same throughput
     * @param simplestFirst decides between those with the same tail
     * @param name short name of a variant
     */
    record Search<V, R>(
            VariantRuns<V, R> trials,
            Figure<R> throughput,
            Figure<R> tail,
            Comparator<V> simplestFirst,
            Function<V, String> name) {

        Recommendation<V> among(String among, List<V> variants) {
            List<V> measured = variants.stream()
                    .filter(variant -> !trials.results(variant).isEmpty())
                    .toList();
            if (measured.size() < 2) {
                return new Recommendation<>(among, null, "nothing to choose between: fewer than two were measured.");
            }
            V fastest = best(measured, throughput);
            if (tooFewRounds(fastest, measured)) {
                return new Recommendation<>(
                        among,
                        null,
                        "undecided: fewer than " + Comparison.ROUNDS_MIN + " rounds with both tell nothing.");
            }
            List<V> level = notBeaten(fastest, measured, throughput);
            if (level.size() == 1) {
                return new Recommendation<>(
                        among,
                        fastest,
                        name.apply(fastest) + ", by throughput: " + margins(fastest, measured, throughput) + ".");
            }
            V steadiest = best(level, tail);
            List<V> tied = notBeaten(steadiest, level, tail);
            if (tied.size() == 1) {
                return new Recommendation<>(
                        among,
                        steadiest,
                        name.apply(steadiest) + ", by its tail: " + names(level)
                                + " do not differ in throughput by more than the rounds do; its p99.9 is the best: "
                                + margins(steadiest, level, tail) + ".");
            }
            V simplest = tied.stream().min(simplestFirst).orElseThrow();
            return new Recommendation<>(
                    among,
                    simplest,
                    name.apply(simplest) + ", the simplest: no difference seen between " + names(tied)
                            + " in throughput and p99.9"
                            + (tied.size() == measured.size() ? "" : " (the others were beaten in one of them)") + ".");
        }

        private V best(List<V> of, Figure<R> figure) {
            Comparator<V> byMedian = Comparator.comparingDouble(variant -> trials.median(variant, figure));
            return (figure.moreIsBetter()
                            ? of.stream().max(byMedian)
                            : of.stream().min(byMedian))
                    .orElseThrow();
        }

        private boolean tooFewRounds(V best, List<V> of) {
            return of.stream()
                    .anyMatch(other -> !other.equals(best)
                            && trials.compare(best, other, throughput).outcome() == Outcome.TOO_FEW_ROUNDS);
        }

        /** Those that {@code best} does not beat, itself included. */
        private List<V> notBeaten(V best, List<V> of, Figure<R> figure) {
            return of.stream()
                    .filter(other -> other.equals(best)
                            || trials.compare(best, other, figure).outcome() != Outcome.BETTER)
                    .toList();
        }

        private String margins(V best, List<V> of, Figure<R> figure) {
            return of.stream()
                    .filter(other -> !other.equals(best))
                    .map(other -> String.format(
                            Locale.ROOT,
                            "%.2f times better than %s",
                            trials.compare(best, other, figure).advantage().median(),
                            name.apply(other)))
                    .collect(Collectors.joining(", "));
        }

        private String names(List<V> of) {
            return of.stream().map(name).collect(Collectors.joining(", "));
        }
    }

    @Override
    public String toString() {
        return (chosen == null ? "" : "Recommended for ") + among + ": " + reason;
    }
}
