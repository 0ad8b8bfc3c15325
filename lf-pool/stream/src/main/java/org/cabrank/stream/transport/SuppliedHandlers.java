package org.cabrank.stream.transport;

import java.net.SocketAddress;
import java.util.Objects;
import java.util.function.Supplier;
import org.cabrank.stream.ConnectionAcceptor;
import org.cabrank.stream.ConnectionHandler;

/** Accepts all connections. The supplier never returns null. A backend passes null for both addresses. */
public record SuppliedHandlers(Supplier<ConnectionHandler> handlers) implements ConnectionAcceptor {
    public SuppliedHandlers {
        Objects.requireNonNull(handlers, "handlers");
    }

    @Override
    public ConnectionHandler accept(SocketAddress remote, SocketAddress local) {
        return Objects.requireNonNull(handlers.get(), "the supplier of handlers has answered null");
    }
}
