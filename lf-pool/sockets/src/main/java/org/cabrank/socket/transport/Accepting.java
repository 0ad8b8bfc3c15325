package org.cabrank.socket.transport;

import java.util.concurrent.atomic.AtomicBoolean;
import java.util.function.Supplier;
import org.cabrank.stream.ConnectionHandler;
import org.cabrank.stream.transport.ConnectionTerms;

/**
 * Handlers, terms and state of the connections that the listeners at one address accept, one listener in each shard.
 */
public final class Accepting {
    private final Supplier<ConnectionHandler> handlers;
    private final ConnectionTerms terms;
    private final ListenerState state = new ListenerState();

    private volatile EncodedOptions optionsOfEach = EncodedOptions.NONE;

    /** See {@link AcceptedAddresses}. */
    private final AtomicBoolean askedTooLate = new AtomicBoolean();

    /**
     * Makes the common part of the listeners at one address.
     *
     * @param handlers makes the handler of each connection
     * @param terms of all connections, with one quota for all shards
     */
    Accepting(Supplier<ConnectionHandler> handlers, ConnectionTerms terms) {
        this.handlers = handlers;
        this.terms = terms;
    }

    /** Once, before anything is accepted: options that are set on each accepted socket. */
    void optionsOfEach(EncodedOptions options) {
        optionsOfEach = options;
    }

    EncodedOptions optionsOfEach() {
        return optionsOfEach;
    }

    Supplier<ConnectionHandler> handlers() {
        return handlers;
    }

    ConnectionTerms terms() {
        return terms;
    }

    ListenerState state() {
        return state;
    }

    AtomicBoolean askedTooLate() {
        return askedTooLate;
    }
}
