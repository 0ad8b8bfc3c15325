package org.cabrank.lf.figures;

import java.util.Objects;
import java.util.function.Function;

/**
 * A figure of an observed object. It is an attribute of the object's JMX bean, and may also be a meter. Any thread may read it.
 *
 * @param name name of the attribute, such as {@code Takeovers}. If the figure has a unit, the name ends with it ({@code Ns}, {@code Bytes})
 * @param meter name of the meter. It may have one tag, as in {@code cabrank.pool.promotions{kind=eager}}. Empty if there is no meter
 * @param help description for users
 * @param read returns the value. It takes no lock that a thread of a pool takes
 */
public record NamedFigure<T>(
        String name, Class<?> type, Kind kind, String meter, String help, Function<? super T, ?> read) {
    /** Kind of a figure. */
    public enum Kind {
        /** A count since the start. */
        COUNTER,
        GAUGE,
        /** Text, a list or a table. */
        STATE
    }

    /** Unit of a numeric figure. */
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
