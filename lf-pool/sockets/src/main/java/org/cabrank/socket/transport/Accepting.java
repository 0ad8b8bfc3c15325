package org.cabrank.socket.transport;

import java.util.concurrent.atomic.AtomicBoolean;
import java.util.function.Supplier;
import org.cabrank.stream.ConnectionHandler;
import org.cabrank.stream.transport.ConnectionTerms;

/**
 * Handlers and terms of the connections that the listeners at one address accept, one listener in each shard.
 *
 * @param handlers makes the handler of each connection
 * @param terms of all connections, with one quota for all shards
 * @param askedTooLate see {@link AcceptedAddresses}
 */
public record Accepting(Supplier<ConnectionHandler> handlers, ConnectionTerms terms, AtomicBoolean askedTooLate) {
    /** No service has asked too late for an address. */
    Accepting(Supplier<ConnectionHandler> handlers, ConnectionTerms terms) {
        this(handlers, terms, new AtomicBoolean());
    }
}
