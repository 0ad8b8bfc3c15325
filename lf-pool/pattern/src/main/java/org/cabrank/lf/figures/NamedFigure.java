package org.cabrank.lf.figures;

import java.util.Objects;
import java.util.function.Function;

/**
 * A figure of an observed object: an attribute of its JMX bean, and perhaps a meter. Any thread may read it.
 *
 * @param name attribute, such as {@code Takeovers}; ends with the unit ({@code Ns}, {@code Bytes}) if there is one
 * @param meter name of the meter, perhaps with one tag: {@code cabrank.pool.promotions{kind=eager}}; empty: there is none
 * @param help meaning, for people
 * @param read returns the value; takes no lock that a thread of a pool takes
 */
public record NamedFigure<T>(
        String name, Class<?> type, Kind kind, String meter, String help, Function<? super T, ?> read) {
    /** Kind of a figure. */
    public enum Kind {
        /** Counts since the start. */
        COUNTER,
        GAUGE,
        /** Text, a list or a table. */
        STATE
    }

    /** Unit of a number. */
    public enum Unit {
        NONE,
        BYTES,
        NANOSECONDS
    }

    public NamedFigure {
        Objects.requireNonNull(name, "name");
        Objects.requireNonNull(type, "type");
        Objects.requireNonNull(kind, "kind");
        Objects.requireNonNull(meter, "meter");
        Objects.requireNonNull(help, "help");
        Objects.requireNonNull(read, "read");
    }

    public Unit unit() {
        return name.endsWith("Bytes") ? Unit.BYTES : name.endsWith("Ns") ? Unit.NANOSECONDS : Unit.NONE;
    }

    /** Returns the value of a counter or gauge. */
    public double number(T source) {
        Object value = read.apply(source);
        return value instanceof Boolean flag ? flag ? 1 : 0 : ((Number) value).doubleValue();
    }
}
