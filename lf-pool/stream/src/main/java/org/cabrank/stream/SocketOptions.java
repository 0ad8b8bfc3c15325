package org.cabrank.stream;

import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Objects;
import java.util.Set;

/**
 * Options of a socket and their values. Immutable.
 *
 * <pre>
 * SocketOptions.NONE
 *         .with(SocketOption.SO_KEEPALIVE, true)
 *         .with(SocketOption.TCP_KEEPIDLE, Duration.ofMinutes(1))
 * </pre>
 */
public final class SocketOptions {
    /** No options. TCP_NODELAY is then on, and all other options have the kernel's defaults. */
    public static final SocketOptions NONE = new SocketOptions(Map.of());

    /** This object owns the arrays of byte values. */
    private final Map<SocketOption<?>, Object> values;

    private SocketOptions(Map<SocketOption<?>, Object> values) {
        this.values = values;
    }

    /** Returns these options with one added or replaced. Throws {@link IllegalArgumentException} if the value is out of range. */
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

    /** Returns the options in the order in which each was first added. */
    public Set<SocketOption<?>> options() {
        return values.keySet();
    }

    public boolean isEmpty() {
        return values.isEmpty();
    }

    /** Compares options and values. Two arrays with the same bytes are not equal. */
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
