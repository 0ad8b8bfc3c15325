package org.cabrank.bench.experiment;

import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.stream.Stream;
import org.cabrank.bench.report.Spread;

/** Finished turns of an experiment. Compares variants round by round, so that slow changes of the machine meet both sides. */
record VariantRuns<V, R>(List<VariantRun<V, R>> all) {

    /**
     * One variant over all rounds.
     *
     * @param rounds number of successful turns
     * @param failures number of failed turns
     * @param against comparisons with the reference; empty for the reference and in experiments without one
     */
    record Summary<V>(
            V variant, int rounds, int failures, Map<String, Spread> figures, Map<String, Comparison> against) {}

    /** Results of the successful turns of {@code variant}. */
    List<R> results(V variant) {
        return good(variant).map(VariantRun::result).toList();
    }

    int failures(V variant) {
        return (int) of(variant).filter(VariantRun::failed).count();
    }

    boolean has(V variant) {
        return of(variant).findAny().isPresent();
    }

    Spread spread(V variant, Figure<R> figure) {
        return Spread.of(good(variant)
                .map(trial -> figure.value().applyAsDouble(trial.result()))
                .toList());
    }

    double median(V variant, Figure<R> figure) {
        return spread(variant, figure).median();
    }

    /** Text of the median for a table. */
    String text(V variant, Figure<R> figure) {
        return figure.format(median(variant, figure));
    }

    /** Comparison over the rounds in which both succeeded. A figure that is 0 on both sides is left out. */
    Comparison compare(V one, V other, Figure<R> figure) {
        return Comparison.of(good(one)
                .flatMap(first -> good(other)
                        .filter(second -> second.round() == first.round())
                        .map(second -> figure.advantage(first.result(), second.result())))
                .filter(advantage -> !advantage.isNaN())
                .toList());
    }

    /** @param reference variant to compare with; null: no comparison */
    Summary<V> summary(V variant, List<Figure<R>> figures, V reference) {
        Map<String, Spread> values = new LinkedHashMap<>();
        Map<String, Comparison> against = new LinkedHashMap<>();
        for (Figure<R> figure : figures) {
            values.put(figure.key(), spread(variant, figure));
            if (reference != null && !reference.equals(variant)) {
                against.put(figure.key(), compare(variant, reference, figure));
            }
        }
        return new Summary<>(variant, results(variant).size(), failures(variant), values, against);
    }

    private Stream<VariantRun<V, R>> of(V variant) {
        return all.stream().filter(trial -> trial.variant().equals(variant));
    }

    private Stream<VariantRun<V, R>> good(V variant) {
        return of(variant).filter(trial -> !trial.failed());
    }
}
