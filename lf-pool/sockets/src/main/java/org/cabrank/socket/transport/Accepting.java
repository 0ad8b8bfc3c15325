package org.cabrank.socket.transport;

import java.util.concurrent.atomic.AtomicBoolean;
import org.cabrank.socket.calls.EncodedOptions;
import org.cabrank.stream.ConnectionAcceptor;
import org.cabrank.stream.transport.ConnectionTerms;
import org.cabrank.stream.transport.SuppliedHandlers;

/** Handlers, terms and state of the connections that the listeners at one address accept, one listener in each shard. */
public final class Accepting {
    private final ConnectionAcceptor acceptor;
    private final ConnectionTerms terms;
    private final AcceptTokens tokens;
    private final ListenerState state = new ListenerState();

    private volatile EncodedOptions optionsOfEach = EncodedOptions.NONE;

    private final AtomicBoolean lateQuestion = new AtomicBoolean();

    /** @param tokens shared by all shards, like the quota in {@code terms}; null: the rate has no limit */
    Accepting(ConnectionAcceptor acceptor, ConnectionTerms terms, AcceptTokens tokens) {
        this.acceptor = acceptor;
        this.terms = terms;
        this.tokens = tokens;
    }

    public boolean hasRate() {
        return tokens != null;
    }

    AcceptTokens tokens() {
        return tokens;
    }

    void optionsOfEach(EncodedOptions options) {
        optionsOfEach = options;
    }

    EncodedOptions optionsOfEach() {
        return optionsOfEach;
    }

    ConnectionAcceptor acceptor() {
        return acceptor;
    }

    boolean needsAddresses() {
        return !(acceptor instanceof SuppliedHandlers);
    }

    ConnectionTerms terms() {
        return terms;
    }

    ListenerState state() {
        return state;
    }

    AtomicBoolean lateQuestion() {
        return lateQuestion;
    }
}
