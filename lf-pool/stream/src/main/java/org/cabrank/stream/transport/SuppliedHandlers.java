package org.cabrank.stream.transport;

import java.net.SocketAddress;
import java.util.Objects;
import java.util.function.Supplier;
import org.cabrank.stream.ConnectionAcceptor;
import org.cabrank.stream.ConnectionHandler;

/**
 * A supplier of handlers as an acceptor that needs no addresses and refuses nothing. A backend passes null for both addresses.
 *
 * @param handlers makes the handler of each connection, and never returns null
 */
public record SuppliedHandlers(Supplier<ConnectionHandler> handlers) implements ConnectionAcceptor {
    public SuppliedHandlers {
        Objects.requireNonNull(handlers, "handlers");
    }

    @Override
    public ConnectionHandler accept(SocketAddress remote, SocketAddress local) {
        return Objects.requireNonNull(handlers.get(), "the supplier of handlers has answered null");
    }
}
