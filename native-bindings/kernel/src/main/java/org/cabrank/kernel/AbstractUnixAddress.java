package org.cabrank.kernel;

import java.net.SocketAddress;
import java.util.Objects;

/** A name in the abstract namespace of Unix domain sockets (unix(7)). It is free when the last socket bound to it is closed. */
public final class AbstractUnixAddress extends SocketAddress {
    private static final long serialVersionUID = 1L;

    private final String name;

    /** @param name the name without the leading NUL byte. It is encoded as UTF-8 */
    public AbstractUnixAddress(String name) {
        this.name = Objects.requireNonNull(name);
    }

    public String name() {
        return name;
    }

    @Override
    public boolean equals(Object other) {
        return other instanceof AbstractUnixAddress && name.equals(((AbstractUnixAddress) other).name);
    }

    @Override
    public int hashCode() {
        return name.hashCode();
    }

    @Override
    public String toString() {
        return "@" + name;
    }
}
