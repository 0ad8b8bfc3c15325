package org.cabrank.kernel;

import java.net.SocketAddress;
import java.util.Objects;

/**
 * A name in the abstract namespace of Unix domain sockets (unix(7)): it has no file, and is free again when the last
 * socket that is bound to it is closed. Linux only. Tools print such a name with a leading {@code @}.
 */
public final class AbstractUnixAddress extends SocketAddress {
    private static final long serialVersionUID = 1L;

    private final String name;

    /** @param name the name without the NUL that the kernel's form begins with; it goes out as UTF-8 */
    public AbstractUnixAddress(String name) {
        this.name = Objects.requireNonNull(name);
    }

    /** The name, without the leading NUL. */
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
