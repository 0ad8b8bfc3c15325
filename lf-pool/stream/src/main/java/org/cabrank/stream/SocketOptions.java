package org.cabrank.stream;

import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Objects;
import java.util.Set;

/**
 * Options of a socket with their values. Immutable.
 *
 * <pre>
 * SocketOptions.NONE
 *         .with(SocketOption.SO_KEEPALIVE, true)
 *         .with(SocketOption.TCP_KEEPIDLE, Duration.ofMinutes(1))
 * </pre>
 */
public final class SocketOptions {
    /** Nothing but the defaults: TCP_NODELAY is on, everything else is the kernel's. */
    public static final SocketOptions NONE = new SocketOptions(Map.of());

    /** This object owns the arrays of byte values. */
    private final Map<SocketOption<?>, Object> values;

    private SocketOptions(Map<SocketOption<?>, Object> values) {
        this.values = values;
    }

    /** Returns these options with {@code option} added or replaced. Throws {@link IllegalArgumentException} for a value out of range. */
    public <T> SocketOptions with(SocketOption<T> option, T value) {
        Objects.requireNonNull(option, "option").encode(value); // checks the range
        Map<SocketOption<?>, Object> more = new LinkedHashMap<>(values);
        more.put(option, value instanceof byte[] bytes ? bytes.clone() : value);
        return new SocketOptions(Collections.unmodifiableMap(more));
    }

    public SocketOptions without(SocketOption<?> option) {
        Map<SocketOption<?>, Object> fewer = new LinkedHashMap<>(values);
        fewer.remove(Objects.requireNonNull(option, "option"));
        return new SocketOptions(Collections.unmodifiableMap(fewer));
    }

    /** Returns the value of an option; null if the option is not given. */
    @SuppressWarnings("unchecked") // with() has put a T for this option
    public <T> T get(SocketOption<T> option) {
        Object value = values.get(Objects.requireNonNull(option, "option"));
        return (T) (value instanceof byte[] bytes ? bytes.clone() : value);
    }

    /** Returns the options in the order in which they were given first. */
    public Set<SocketOption<?>> options() {
        return values.keySet();
    }

    public boolean isEmpty() {
        return values.isEmpty();
    }

    /** Compares options and values; an array of bytes equals itself only. */
    @Override
    public boolean equals(Object other) {
        return other instanceof SocketOptions options && options.values.equals(values);
    }

    @Override
    public int hashCode() {
        return values.hashCode();
    }

    @Override
    public String toString() {
        return values.toString();
    }
}
