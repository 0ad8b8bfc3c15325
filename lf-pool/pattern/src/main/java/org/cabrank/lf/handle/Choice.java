package org.cabrank.lf.handle;

import java.util.List;
import java.util.Locale;
import java.util.stream.Collectors;

/** A value that users choose by its label. Each kind lists its values in one place, for command lines, help texts and error messages. */
public interface Choice {
    /** Name on command lines and in reports, such as {@code lifo}. It is in lower case and unique within its kind. */
    String label();

    /** Description of the effect, for help texts. It is a clause without a period. */
    String description();

    /** Returns the value with this label, ignoring case. If there is none, throws an IllegalArgumentException that lists all labels. */
    static <T extends Choice> T of(List<T> values, String text) {
        return values.stream()
                .filter(value -> value.label().equalsIgnoreCase(text))
                .findFirst()
                .orElseThrow(() -> new IllegalArgumentException("expected one of "
                        + values.stream().map(Choice::label).collect(Collectors.joining(", ")) + " but was '" + text
                        + "'"));
    }

    /** Returns the constant's name in lower case, with hyphens. */
    static String label(Enum<?> constant) {
        return constant.name().toLowerCase(Locale.ROOT).replace('_', '-');
    }
}
