package org.cabrank.bench.report.target;

import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import java.util.function.Predicate;
import java.util.stream.Collectors;
import org.cabrank.bench.report.BenchReport.ContenderInfo;
import org.cabrank.bench.report.CellInfo;
import org.cabrank.bench.report.CellResult;
import org.cabrank.bench.report.ContenderKind;
import org.cabrank.bench.report.ContenderResult;
import org.cabrank.bench.report.LossPairs;
import org.cabrank.bench.report.RunRecord;
import org.cabrank.bench.report.Target;
import org.cabrank.bench.report.Target.Outcome;
import org.cabrank.bench.report.statistics.SignTest;

/**
 * The target about lost datagrams: at a fixed rate, no rival loses less than the best of Cabrank's modes, slice by slice
 * ({@link LossPairs}).
 *
 * <p>The mode of a cell is the one that loses less than the other modes in most slices. It is compared with each rival by the one-sided
 * sign test. The 5 % of error are divided among all comparisons of the run (Bonferroni), and among the looks of a bench that stops by
 * what it has seen. Slices of a round share their processes, so they are not fully independent: where the baseline's second run differs
 * from its first by the same test, a difference is taken for noise.
 */
final class DatagramLoss {

    private static final String NAME = "Datagrams lost";
    private static final String BAR =
            "64 and 1,200 bytes at a fixed rate: neither Netty nor the bare C loop loses less in significantly more slices"
                    + " (95 %)";

    private DatagramLoss() {}

    /** Slices of the best mode and of a rival in a cell. */
    private record Duel(CellResult cell, ContenderResult own, ContenderResult rival, LossPairs pairs) {}

    /**
     * A duel with the error that it may have.
     *
     * @param noisy true if the baseline differs from itself
     */
    private record Judged(Duel duel, double error, boolean noisy) {

        Outcome outcome() {
            if (rivalIsBetter()) {
                return noisy ? Outcome.CANNOT_TELL : Outcome.MISSED;
            }
            return duel.pairs().enough(error) ? Outcome.REACHED : Outcome.CANNOT_TELL;
        }

        boolean rivalIsBetter() {
            return duel.pairs().chanceOfMore() <= error;
        }

        double chance() {
            return duel.pairs().chanceOfMore();
        }
    }

    /** Returns true for cells in which the load waits for answers. */
    static boolean closedLoop(String scenario, CellInfo cell) {
        return scenario.equals("datagrams") && cell.rateShare() == 0;
    }

    private static boolean fixedRate(String scenario, CellInfo cell) {
        return scenario.equals("datagrams") && cell.rateShare() > 0;
    }

    static Target target(Standings standings, RawRuns runs, Rivals netty, Rivals bareC) {
        Predicate<ContenderInfo> rivals = netty.who().or(bareC.who());
        List<Duel> duels = standings
                .cells(DatagramLoss::fixedRate)
                .flatMap(cell -> duels(standings, cell, runs.of(cell.cell()), rivals).stream())
                .toList();
        if (duels.isEmpty()) {
            return new Target(
                    NAME,
                    BAR,
                    Double.NaN,
                    Outcome.NOT_MEASURED,
                    "this run has no cell with datagrams at a fixed rate, Cabrank and a rival");
        }
        List<Judged> all = duels.stream()
                .map(duel -> judged(duel, runs, duels.size()))
                .sorted(Comparator.comparingDouble(Judged::chance))
                .toList();
        Outcome outcome = List.of(Outcome.MISSED, Outcome.CANNOT_TELL, Outcome.REACHED).stream()
                .filter(each -> all.stream().anyMatch(judged -> judged.outcome() == each))
                .findFirst()
                .orElseThrow();
        return new Target(
                NAME,
                BAR,
                Double.NaN,
                outcome,
                words(all.stream().filter(judged -> judged.outcome() == outcome).toList(), all.size(), runs));
    }

    private static List<Duel> duels(
            Standings standings, CellResult cell, List<RunRecord> runs, Predicate<ContenderInfo> rivals) {
        List<Duel> duels = new ArrayList<>();
        best(standings, cell, runs)
                .ifPresent(own -> standings
                        .all(cell, rivals)
                        .forEach(rival -> duels.add(
                                new Duel(cell, own, rival, LossPairs.of(runs, own.contender(), rival.contender())))));
        duels.removeIf(duel -> duel.pairs().count() == 0);
        return duels;
    }

    /** The mode that beats the other modes in most slices; of several such modes, the one that lost least in all. */
    private static Optional<ContenderResult> best(Standings standings, CellResult cell, List<RunRecord> runs) {
        List<ContenderResult> modes = standings
                .all(cell, info -> info.kind() == ContenderKind.CABRANK)
                .filter(mode -> mode.lostPercent() != null)
                .toList();
        Comparator<ContenderResult> bySlices = Comparator.comparingInt(mode -> modes.stream()
                .map(other -> LossPairs.of(runs, mode.contender(), other.contender()))
                .mapToInt(pairs -> pairs.more() - pairs.less())
                .sum());
        return modes.stream().min(bySlices.thenComparingDouble(ContenderResult::lostPercent));
    }

    private static Judged judged(Duel duel, RawRuns runs, int comparisons) {
        String cell = duel.cell().cell();
        double error = runs.errorOf(cell) / comparisons;
        LossPairs control = runs.control() == null
                ? new LossPairs(0, 0, 0)
                : LossPairs.of(runs.of(cell), runs.control(), runs.baseline());
        return new Judged(duel, error, Math.min(control.chanceOfMore(), control.chanceOfLess()) <= error);
    }

    /** @param told judged duels with the target's outcome, the one that is nearest to missing first */
    private static String words(List<Judged> told, int comparisons, RawRuns runs) {
        Judged first = told.get(0);
        StringBuilder words = new StringBuilder(words(first.duel()));
        words.append(String.format(
                Locale.ROOT,
                "; by chance alone: %.1f %%, %d comparison%s",
                first.chance() * 100,
                comparisons,
                comparisons == 1 ? "" : "s"));
        switch (first.outcome()) {
            case MISSED ->
                words.append(told.stream()
                        .skip(1)
                        .map(judged -> "; " + words(judged.duel()))
                        .collect(Collectors.joining()));
            case CANNOT_TELL -> words.append("; ").append(reason(first, runs));
            default -> words.append("; no other is nearer to missing");
        }
        return words.toString();
    }

    private static String reason(Judged judged, RawRuns runs) {
        if (judged.rivalIsBetter()) {
            return runs.control() + " differs as much from " + runs.baseline() + ", which is the same server";
        }
        return judged.error() == 0
                ? "the bench was ended before its first look at the results"
                : "it takes " + SignTest.needed(judged.error())
                        + " slices in which they differ to tell: more --rounds or --slices";
    }

    private static String words(Duel duel) {
        return String.format(
                Locale.ROOT,
                "%s: %s lost more than %s in %d slices, less in %d, as much in %d (in all %.3f %% and %.3f %%)",
                duel.cell().cell(),
                duel.own().contender(),
                duel.rival().contender(),
                duel.pairs().more(),
                duel.pairs().less(),
                duel.pairs().equal(),
                duel.own().lostPercent(),
                duel.rival().lostPercent());
    }
}
