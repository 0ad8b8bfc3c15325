package org.cabrank.bench.experiment;

import java.util.function.ToDoubleFunction;
import org.cabrank.bench.report.Table;

/**
 * A figure of each successful turn.
 *
 * @param <R> result of a turn
 * @param key name in the JSON file
 * @param title title in tables
 * @param digits number of digits after the decimal point in tables
 */
record Figure<R>(String key, String title, int digits, boolean moreIsBetter, ToDoubleFunction<R> value) {

    static <R> Figure<R> more(String key, String title, int digits, ToDoubleFunction<R> value) {
        return new Figure<>(key, title, digits, true, value);
    }

    static <R> Figure<R> less(String key, String title, int digits, ToDoubleFunction<R> value) {
        return new Figure<>(key, title, digits, false, value);
    }

    /** Factor by which {@code one} is better than {@code other}; NaN if the figure is 0 on both sides. */
    double advantage(R one, R other) {
        double first = value.applyAsDouble(one);
        double second = value.applyAsDouble(other);
        return moreIsBetter ? first / second : second / first;
    }

    /** Formats a value of this figure for a table. */
    String format(double figure) {
        return Table.number(figure, digits);
    }
}
