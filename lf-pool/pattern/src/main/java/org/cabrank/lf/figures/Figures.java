package org.cabrank.lf.figures;

import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.function.Function;
import java.util.function.Predicate;
import java.util.function.ToLongFunction;
import org.cabrank.lf.figures.NamedFigure.Kind;

/**
 * List of the figures that objects of one type have. Both JMX ({@link Beans}) and Micrometer read it. A figure without a meter is only a
 * JMX attribute. A list is immutable, so each method that adds a figure returns a new list.
 *
 * @param <T> type of the observed objects
 */
public final class Figures<T> {
    private final String prefix;
    private final List<NamedFigure<T>> all;

    /** {@code prefix} is the first part of the name of each meter. */
    public Figures(String prefix) {
        this(Objects.requireNonNull(prefix, "prefix"), List.of());
    }

    private Figures(String prefix, List<NamedFigure<T>> all) {
        this.prefix = prefix;
        this.all = List.copyOf(all);
    }

    public List<NamedFigure<T>> all() {
        return all;
    }

    public Figures<T> counter(String name, String help, ToLongFunction<? super T> read) {
        return add(name, long.class, Kind.COUNTER, "", help, read::applyAsLong);
    }

    public Figures<T> counter(String name, String meter, String help, ToLongFunction<? super T> read) {
        return add(name, long.class, Kind.COUNTER, named(meter), help, read::applyAsLong);
    }

    public Figures<T> gauge(String name, String help, ToLongFunction<? super T> read) {
        return add(name, long.class, Kind.GAUGE, "", help, read::applyAsLong);
    }

    public Figures<T> gauge(String name, String meter, String help, ToLongFunction<? super T> read) {
        return add(name, long.class, Kind.GAUGE, named(meter), help, read::applyAsLong);
    }

    public Figures<T> flag(String name, String meter, String help, Predicate<? super T> read) {
        return add(name, boolean.class, Kind.GAUGE, named(meter), help, read::test);
    }

    /** Adds a figure without a meter, of any type that JMX shows. A {@code Map[]} becomes a table with a column for each key. */
    public <V> Figures<T> state(String name, Class<V> type, String help, Function<? super T, V> read) {
        return add(name, type, Kind.STATE, "", help, read);
    }

    public <P> Figures<T> part(Function<? super T, ? extends P> part, Figures<P> figures) {
        Objects.requireNonNull(part, "part");
        List<NamedFigure<T>> more = new ArrayList<>(all);
        for (NamedFigure<P> one : figures.all) {
            Function<T, ?> read = source -> one.read().apply(part.apply(source));
            more.add(new NamedFigure<>(one.name(), one.type(), one.kind(), one.meter(), one.help(), read));
        }
        return new Figures<>(prefix, more);
    }

    private String named(String meter) {
        return prefix + Objects.requireNonNull(meter, "meter");
    }

    private Figures<T> add(
            String name, Class<?> type, Kind kind, String meter, String help, Function<? super T, ?> read) {
        List<NamedFigure<T>> more = new ArrayList<>(all);
        more.add(new NamedFigure<>(name, type, kind, meter, help, read));
        return new Figures<>(prefix, more);
    }
}
