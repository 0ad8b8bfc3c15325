package org.cabrank.bench.shards;

import java.util.Comparator;
import java.util.List;
import java.util.Locale;
import java.util.function.Function;
import java.util.stream.Collectors;
import org.cabrank.bench.report.Comparison;
import org.cabrank.bench.report.Comparison.Outcome;

/**
 * Which arrangement to take, and why: of those that nobody beats in throughput the one with the best tail (p99.9), and where
 * there is no difference in that either, the simplest. One beats another by {@link Comparison}'s rule.
 *
 * @param among which arrangements were compared, in a word
 * @param chosen null: nothing was decided
 */
public record Recommendation(String among, Arrangement chosen, String reason) {

    /** The rule, for those who read the result. */
    static final String RULE = String.format(
            Locale.ROOT,
            "Recommended is, of those that nobody beats in requests/s, the one with the best p99.9; where that is no"
                    + " different either, the simplest. One beats another when it was better in every round, in at least"
                    + " %d rounds, and by %.0f %% in the median.",
            Comparison.ROUNDS_MIN,
            Comparison.MARGIN * 100);

    /** @param name of an arrangement among these, as short as they can be told apart */
    static Recommendation of(
            String among, List<Arrangement> arrangements, List<ShardsRun> runs, Function<Arrangement, String> name) {
        Rounds rounds = new Rounds(runs);
        List<Arrangement> measured = arrangements.stream().filter(rounds::has).toList();
        if (measured.size() < 2) {
            return new Recommendation(among, null, "nothing to choose between: fewer than two were measured.");
        }
        Arrangement fastest = best(measured, rounds, Rounds.Figure.THROUGHPUT);
        List<Arrangement> level = notBeaten(fastest, measured, rounds, Rounds.Figure.THROUGHPUT);
        if (level == null) {
            return undecided(among);
        }
        if (level.size() == 1) {
            return new Recommendation(
                    among,
                    fastest,
                    name.apply(fastest) + ", by throughput: "
                            + margins(fastest, measured, rounds, Rounds.Figure.THROUGHPUT, name) + ".");
        }
        String same = names(level, name) + " do not differ in throughput by more than the rounds do";
        Arrangement steadiest = best(level, rounds, Rounds.Figure.TAIL);
        List<Arrangement> tied = notBeaten(steadiest, level, rounds, Rounds.Figure.TAIL);
        if (tied == null) {
            return undecided(among);
        }
        if (tied.size() == 1) {
            return new Recommendation(
                    among,
                    steadiest,
                    name.apply(steadiest) + ", by its tail: " + same + "; its p99.9 is the best: "
                            + margins(steadiest, level, rounds, Rounds.Figure.TAIL, name) + ".");
        }
        Arrangement simplest = tied.stream().min(Arrangement.SIMPLEST_FIRST).orElseThrow();
        return new Recommendation(
                among,
                simplest,
                name.apply(simplest) + ", the simplest: no difference seen between " + names(tied, name)
                        + " in throughput and p99.9"
                        + (tied.size() == measured.size() ? "" : " (the others were beaten in one of them)") + ".");
    }

    private static Recommendation undecided(String among) {
        return new Recommendation(
                among, null, "undecided: fewer than " + Comparison.ROUNDS_MIN + " rounds with both tell nothing.");
    }

    private static Arrangement best(List<Arrangement> of, Rounds rounds, Rounds.Figure figure) {
        return of.stream()
                .max(Comparator.comparingDouble(arrangement -> rounds.median(arrangement, figure)))
                .orElseThrow();
    }

    /** Those that {@code best} does not beat, itself included; null: too few rounds. */
    private static List<Arrangement> notBeaten(
            Arrangement best, List<Arrangement> of, Rounds rounds, Rounds.Figure figure) {
        boolean tooFew = of.stream()
                .anyMatch(other -> !other.equals(best)
                        && rounds.compare(best, other, figure).outcome() == Outcome.TOO_FEW_ROUNDS);
        return tooFew
                ? null
                : of.stream()
                        .filter(other -> other.equals(best)
                                || rounds.compare(best, other, figure).outcome() != Outcome.BETTER)
                        .toList();
    }

    /** By which factors {@code best} beats the others. */
    private static String margins(
            Arrangement best,
            List<Arrangement> of,
            Rounds rounds,
            Rounds.Figure figure,
            Function<Arrangement, String> name) {
        return of.stream()
                .filter(other -> !other.equals(best))
                .map(other -> String.format(
                        Locale.ROOT,
                        "%.2f times better than %s",
                        rounds.compare(best, other, figure).median(),
                        name.apply(other)))
                .collect(Collectors.joining(", "));
    }

    private static String names(List<Arrangement> of, Function<Arrangement, String> name) {
        return of.stream().map(name).collect(Collectors.joining(", "));
    }
}
