package org.cabrank.lf.handle;

import java.util.List;
import java.util.Locale;
import java.util.stream.Collectors;

/**
 * A value that users choose by its label. Each kind of choice lists its values in one place, from which command lines, help texts and
 * error messages take them.
 */
public interface Choice {
    /** Name on command lines and in reports, such as {@code lifo}: lower case, unique among the values of a kind. */
    String label();

    /** Effect of the choice: a clause without a period, for help texts. */
    String description();

    /**
     * Returns the value with the label {@code text}, in any case.
     *
     * @throws IllegalArgumentException if there is none, with a message that names the labels
     */
    static <T extends Choice> T of(List<T> values, String text) {
        return values.stream()
                .filter(value -> value.label().equalsIgnoreCase(text))
                .findFirst()
                .orElseThrow(() -> new IllegalArgumentException("expected one of "
                        + values.stream().map(Choice::label).collect(Collectors.joining(", ")) + " but was '" + text
                        + "'"));
    }

    /** Returns the label of an enum constant: its name in lower case, with hyphens. */
    static String label(Enum<?> constant) {
        return constant.name().toLowerCase(Locale.ROOT).replace('_', '-');
    }
}
