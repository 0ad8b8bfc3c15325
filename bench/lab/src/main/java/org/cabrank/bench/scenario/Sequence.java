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
import org.cabrank.bench.report.Statistics;
import org.cabrank.bench.report.statistics.LookSchedule;

/**
 * Decides after each look which cells are measured in the next rounds, by the variance seen so far: cells whose ratios are
 * precise stop, and of the rest those come first that are precise soonest. The decision depends on the results, which
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
                .sorted(Comparator.comparingDouble(this::furtherNs))
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
        double rounds = Math.max(plan.looks().roundsBetween(), cell.widest().roundsNeeded() - cell.rounds());
        return !cell.gainsByRounds() ? 0 : rounds * plan.roundNs(List.of(new CellTurn(cell.cell(), plan.slices())));
    }

    private List<CellVariance> variances(List<RunRecord> runs) {
        Map<String, List<RunRecord>> byCell = runs.stream().collect(Collectors.groupingBy(RunRecord::cell));
        return plan.cells().stream()
                .filter(cell -> byCell.containsKey(cell.id()))
                .map(cell -> {
                    List<RunRecord> own = byCell.get(cell.id());
                    return CellVariance.of(cell, own, comparisons(cell, own), plan.looks(), TARGET_LOG);
                })
                .toList();
    }

    /** Each contender against the baseline, and the best of Cabrank's modes against the best Java peer. */
    private List<CellVariance.Versus> comparisons(Cell cell, List<RunRecord> runs) {
        Set<String> names =
                new HashSet<>(runs.stream().map(RunRecord::contender).toList());
        Stream<CellVariance.Versus> withBaseline = kinds.keySet().stream()
                .filter(name -> !name.equals(baseline) && names.contains(name))
                .map(name -> new CellVariance.Versus(name, baseline));
        String own = best(cell, runs, ContenderKind.CABRANK);
        String rival = best(cell, runs, ContenderKind.JAVA);
        boolean further = own != null && rival != null && !rival.equals(baseline) && !own.equals(baseline);
        return Stream.concat(
                        withBaseline,
                        further ? Stream.of(new CellVariance.Versus(own, rival)) : Stream.<CellVariance.Versus>empty())
                .toList();
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
        Comparator<String> order = Comparator.comparingDouble(name -> Statistics.median(values.get(name)));
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
                                ? new CellPrecision(
                                        cell.cell().id(), cell.rounds(), Double.NaN, "", 0, 0, List.of(), Double.NaN)
                                : new CellPrecision(
                                        cell.cell().id(),
                                        cell.rounds(),
                                        Math.expm1(cell.widest().halfWidth()),
                                        cell.widest().versus().words(),
                                        cell.ratios(),
                                        cell.precise(),
                                        cell.unknown().stream()
                                                .map(CellVariance.Versus::words)
                                                .toList(),
                                        furtherNs(cell)))
                        .toList());
    }
}
