package org.cabrank.bench.scenario;

import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.cabrank.bench.report.ContenderKind;
import org.cabrank.bench.report.Metric;
import org.cabrank.bench.report.Precision;
import org.cabrank.bench.report.Precision.CellPrecision;
import org.cabrank.bench.report.RunRecord;
import org.cabrank.bench.report.statistics.LookSchedule;
import org.cabrank.bench.report.statistics.Medians;

/**
 * Decides after each look which cells are measured in the next rounds, by the variance seen so far. First come cells whose headline
 * ratio is not precise, that of the best of Cabrank's modes and the best Java peer, and of these the cells that are precise soonest. Then
 * come cells with other imprecise ratios; cells whose ratios are all precise stop. The decision depends on the results, which
 * {@link LookSchedule} allows for.
 *
 * @param plan the plan of the bench, with looks
 * @param baseline name of the contender that the other contenders are measured against
 * @param kinds all contenders that run, with the control, in the order of the report
 */
public record Sequence(Plan plan, String baseline, Map<String, ContenderKind> kinds) {

    /** Maximum number of slices in a round: beyond it the noise between rounds outweighs the noise within one. */
    private static final int SLICES_MAX = 9;

    private static final double TARGET_LOG = Math.log1p(Precision.TARGET);

    public Sequence {
        kinds = new LinkedHashMap<>(kinds);
    }

    /**
     * Returns the parts of the cells in each of the rounds until the next look; empty if all cells are precise, if no look is
     * left, or if {@code leftNs} is too short.
     *
     * @param round number of the next round, which comes after a look
     * @param runs all runs so far
     * @param leftNs time in ns that is left
     * @param pace time that turns took, in terms of the plan's estimate
     */
    public List<CellTurn> next(int round, List<RunRecord> runs, long leftNs, double pace) {
        LookSchedule looks = plan.looks();
        if (round > looks.roundsMax()) {
            return List.of();
        }
        List<CellTurn> chosen = new ArrayList<>();
        for (CellTurn turn : candidates(round - 1, runs)) {
            List<CellTurn> withIt = new ArrayList<>(chosen);
            withIt.add(turn);
            if (looks.roundsBetween() * pace * plan.roundNs(withIt) <= leftNs) {
                chosen = withIt;
            }
        }
        // In the order of the plan, which has its reasons.
        chosen.sort(Comparator.comparingInt(turn -> plan.cells().indexOf(turn.cell())));
        return chosen;
    }

    /**
     * Returns the cells that are not precise yet, in the order of the time that each needs. A cell that was left out after an earlier
     * look stays out: its interval over other rounds than the planned ones is none of those whose errors {@link LookSchedule} adds up.
     *
     * @param rounds number of rounds so far
     */
    private List<CellTurn> candidates(int rounds, List<RunRecord> runs) {
        List<CellVariance> imprecise = variances(runs).stream()
                .filter(cell -> cell.rounds() == rounds && cell.gainsByRounds())
                .toList();
        Map<Needs, Long> sizes = imprecise.stream()
                .collect(Collectors.groupingBy(each -> each.cell().needs(), Collectors.counting()));
        return imprecise.stream()
                .sorted(Comparator.comparing(CellVariance::headlinePrecise).thenComparingDouble(this::furtherNs))
                .map(each -> new CellTurn(
                        each.cell(),
                        each.slicesWorth(
                                (double) plan.startNs(each.cell().needs())
                                        / sizes.get(each.cell().needs()),
                                plan.sliceNs(each.cell()),
                                plan.slices(),
                                SLICES_MAX)))
                .toList();
    }

    /** Time until the cell is precise, if it is measured alone. */
    private double furtherNs(CellVariance cell) {
        double rounds = Math.max(plan.looks().roundsBetween(), cell.roundsNeeded() - cell.rounds());
        return !cell.gainsByRounds() ? 0 : rounds * plan.roundNs(List.of(new CellTurn(cell.cell(), plan.slices())));
    }

    private List<CellVariance> variances(List<RunRecord> runs) {
        Map<String, List<RunRecord>> byCell = runs.stream().collect(Collectors.groupingBy(RunRecord::cell));
        return plan.cells().stream()
                .filter(cell -> byCell.containsKey(cell.id()))
                .map(cell -> {
                    List<RunRecord> own = byCell.get(cell.id());
                    CellVariance.Versus headline = headline(cell, own);
                    return CellVariance.of(cell, own, comparisons(own, headline), headline, plan.looks(), TARGET_LOG);
                })
                .toList();
    }

    /** The best of Cabrank's modes against the best Java peer; null if one of them has no run that went well. */
    private CellVariance.Versus headline(Cell cell, List<RunRecord> runs) {
        String own = best(cell, runs, ContenderKind.CABRANK);
        String rival = best(cell, runs, ContenderKind.JAVA);
        return own == null || rival == null ? null : new CellVariance.Versus(own, rival);
    }

    /** The headline, and each contender against the baseline. */
    private List<CellVariance.Versus> comparisons(List<RunRecord> runs, CellVariance.Versus headline) {
        Set<String> names =
                new HashSet<>(runs.stream().map(RunRecord::contender).toList());
        Stream<CellVariance.Versus> baselines = kinds.keySet().stream()
                .filter(name -> !name.equals(baseline) && names.contains(name))
                .map(name -> new CellVariance.Versus(name, baseline));
        return Stream.concat(baselines, Stream.ofNullable(headline)).distinct().toList();
    }

    /** Null if no contender of that kind has a run that went well. */
    private String best(Cell cell, List<RunRecord> runs, ContenderKind kind) {
        Metric metric = Metric.headline(cell.info(1));
        Map<String, List<Double>> values = runs.stream()
                .filter(run -> run.compared() && kinds.get(run.contender()) == kind)
                .collect(Collectors.groupingBy(
                        RunRecord::contender,
                        LinkedHashMap::new,
                        Collectors.mapping(run -> metric.of(run.measured()), Collectors.toList())));
        Comparator<String> order = Comparator.comparingDouble(name -> Medians.of(values.get(name)));
        return values.keySet().stream()
                .max(metric.moreIsBetter() ? order : order.reversed())
                .orElse(null);
    }

    /** The precision reached, for the report. */
    public Precision precision(List<RunRecord> runs) {
        return new Precision(
                plan.looks(),
                Precision.TARGET,
                variances(runs).stream()
                        .map(cell -> cell.widest() == null
                                ? CellPrecision.unseen(cell.cell().id(), cell.rounds())
                                : new CellPrecision(
                                        cell.cell().id(),
                                        cell.rounds(),
                                        cell.headline() == null
                                                ? Double.NaN
                                                : Math.expm1(cell.headline().halfWidth()),
                                        cell.headline() == null
                                                ? ""
                                                : cell.headline().versus().words(),
                                        cell.settled(),
                                        cell.ratios(),
                                        cell.precise(),
                                        cell.unknown().stream()
                                                .map(CellVariance.Versus::words)
                                                .toList(),
                                        cell.headlinePrecise() || cell.headline() == null ? 0 : furtherNs(cell)))
                        .toList());
    }
}
