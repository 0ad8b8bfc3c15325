package org.cabrank.bench.report.target;

import java.util.Comparator;
import java.util.List;
import java.util.Locale;
import java.util.function.BiPredicate;
import java.util.stream.Collectors;
import org.cabrank.bench.report.CellInfo;
import org.cabrank.bench.report.CellResult;
import org.cabrank.bench.report.ContenderKind;
import org.cabrank.bench.report.ContenderResult;
import org.cabrank.bench.report.Metric;
import org.cabrank.bench.report.Target;
import org.cabrank.bench.report.statistics.Interval;

/**
 * A target that is a ratio of medians, in every cell of a kind: the best of Cabrank's modes against the best of the rivals.
 *
 * @param bar description of the target
 * @param modes the modes of Cabrank that count
 * @param cells selects cells, given the name of their scenario
 * @param factor minimum ratio if more is better, else maximum ratio
 */
record Contest(
        String name,
        String bar,
        Rivals modes,
        BiPredicate<String, CellInfo> cells,
        Metric metric,
        Rivals rivals,
        double factor) {

    private static final Rivals ALL_MODES = new Rivals("Cabrank", info -> info.kind() == ContenderKind.CABRANK);

    /** A contest in which all of Cabrank's modes count. */
    Contest(String name, String bar, BiPredicate<String, CellInfo> cells, Metric metric, Rivals rivals, double factor) {
        this(name, bar, ALL_MODES, cells, metric, rivals, factor);
    }

    /** One cell's outcome. */
    private record Outcome(CellResult cell, ContenderResult own, ContenderResult rival, double ratio) {}

    Target target(Standings standings) {
        List<Outcome> outcomes = standings
                .cells(cells)
                .flatMap(cell -> standings.best(cell, modes.who(), metric).stream()
                        .flatMap(own -> standings.best(cell, rivals.who(), metric).stream()
                                .map(rival ->
                                        new Outcome(cell, own, rival, own.median(metric) / rival.median(metric)))))
                .filter(outcome -> Double.isFinite(outcome.ratio()))
                .toList();
        if (outcomes.isEmpty()) {
            return new Target(
                    name,
                    bar,
                    Double.NaN,
                    Target.Outcome.NOT_MEASURED,
                    "this run has no cell with both " + modes.name() + " and " + rivals.name());
        }
        Comparator<Outcome> byRatio = Comparator.comparingDouble(Outcome::ratio);
        Outcome worst = outcomes.stream()
                .min(metric.moreIsBetter() ? byRatio : byRatio.reversed())
                .orElseThrow();
        List<Outcome> missed =
                outcomes.stream().filter(outcome -> !reached(outcome.ratio())).toList();
        return new Target(
                name,
                bar,
                worst.ratio(),
                missed.isEmpty() ? Target.Outcome.REACHED : Target.Outcome.MISSED,
                words(outcomes, missed, worst));
    }

    private boolean reached(double ratio) {
        return metric.moreIsBetter() ? ratio >= factor : ratio <= factor;
    }

    private String words(List<Outcome> outcomes, List<Outcome> missed, Outcome worst) {
        StringBuilder words = new StringBuilder();
        String begin = missed.isEmpty() ? "reached in " : "missed in ";
        if (outcomes.size() == 1) {
            words.append(begin);
        } else if (missed.isEmpty()) {
            words.append("reached in all ").append(outcomes.size()).append(" cells; closest in ");
        } else {
            words.append(begin).append(missed.size()).append(" of ").append(outcomes.size());
            words.append(missed.size() == 1 ? " cells, " : " cells; farthest in ");
        }
        words.append(String.format(
                Locale.ROOT,
                "%s: %s with %s against %s with %s (%s)",
                worst.cell().cell(),
                worst.own().contender(),
                value(worst.own()),
                worst.rival().contender(),
                value(worst.rival()),
                metric.label()));
        if (!missed.isEmpty() && withinNoise(worst)) {
            words.append("; less is missing than the baseline differs from itself there");
        }
        if (missed.size() > 1) {
            words.append("; the others: ")
                    .append(missed.stream()
                            .filter(outcome -> outcome != worst)
                            .map(outcome -> String.format(
                                    Locale.ROOT, "%s %.2f", outcome.cell().cell(), outcome.ratio()))
                            .collect(Collectors.joining(", ")));
        }
        return words.toString();
    }

    private boolean withinNoise(Outcome outcome) {
        Interval noise = outcome.cell().noiseFloor().get(metric);
        double missing = metric.moreIsBetter() ? factor / outcome.ratio() : outcome.ratio() / factor;
        return noise != null && noise.known() && missing <= noise.farthestFromOne();
    }

    private String value(ContenderResult result) {
        double value = result.median(metric);
        return String.format(Locale.ROOT, value < 100 ? "%.2f" : "%,.0f", value);
    }
}
