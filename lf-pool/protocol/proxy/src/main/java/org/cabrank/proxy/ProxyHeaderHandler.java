package org.cabrank.proxy;

import java.net.SocketAddress;
import java.nio.ByteBuffer;
import java.util.Objects;
import java.util.function.Supplier;
import org.cabrank.proxy.ProxyProtocol.Outcome;
import org.cabrank.stream.Connection;
import org.cabrank.stream.ConnectionHandler;
import org.cabrank.stream.StreamTimeouts;
import org.cabrank.stream.transport.AnsweringHandler;

final class ProxyHeaderHandler implements ConnectionHandler, AnsweringHandler {
    private final ProxyProtocol protocol;
    private final Supplier<? extends ConnectionHandler> handlers;

    /** Handler of the service. Null until {@link #serve} has created it. */
    private volatile ConnectionHandler handler;

    private ProxiedConnection proxied;

    /** The same object as {@link #proxied}, for any thread. */
    private volatile ProxiedConnection served;

    private boolean decided;

    /** Client address for which this connection is counted. Null if the connection is not counted. */
    private SocketAddress counted;

    private boolean begun;

    ProxyHeaderHandler(ProxyProtocol protocol, Supplier<? extends ConnectionHandler> handlers) {
        this.protocol = protocol;
        this.handlers = handlers;
    }

    private void decide(Outcome outcome) {
        decided = true;
        protocol.note(outcome);
    }

    @Override
    public void opened(Connection connection) throws Exception {
        SocketAddress peer = connection.remoteAddress();
        if (protocol.trusts(peer)) {
            String misfit = protocol.misfit(connection.limits());
            if (misfit != null) {
                throw new IllegalStateException(misfit);
            }
            connection.deadline(protocol.headerTimeout);
        } else if (protocol.untrusted == UntrustedPeers.SERVE) {
            serve(connection, null, Outcome.UNTRUSTED_SERVED);
        } else {
            decide(Outcome.UNTRUSTED_CLOSED);
            throw new ProxyProtocolException("the peer " + peer
                    + " is no trusted proxy; add the address with trusted if the peer is a proxy, or serve clients"
                    + " that connect directly with untrusted(UntrustedPeers.SERVE)");
        }
    }

    /** Creates the handler of the service and calls its {@code opened}. This call is the last step, because it may wait. */
    private void serve(Connection connection, ProxyHeader header, Outcome outcome) throws Exception {
        countFor(client(connection, header));
        decide(outcome);
        begun = false;
        connection.deadline(StreamTimeouts.NEVER);
        ConnectionHandler made = Objects.requireNonNull(handlers.get(), "the supplier of handlers has answered null");
        proxied = new DelegatingProxiedConnection(this, connection, header);
        handler = made;
        served = proxied; // set after the handler, because other threads read it to find the handler
        made.opened(proxied);
    }

    /** Returns the former handler. Must be called in a callback. */
    ConnectionHandler replaceHandler(Connection connection, ConnectionHandler next) {
        Objects.requireNonNull(next, "next");
        connection.replaceHandler(connection.replaceHandler(this)); // makes the connection give all unread bytes again
        ConnectionHandler former = handler;
        handler = next;
        return former;
    }

    /** Returns null if the header names no client. */
    private static SocketAddress client(Connection connection, ProxyHeader header) {
        return header == null
                ? connection.remoteAddress()
                : header.isLocal() ? null : header.source().orElse(null);
    }

    private void countFor(SocketAddress client) throws ProxyProtocolException {
        if (client == null) {
            return;
        }
        if (!protocol.clients.tryTake(client)) {
            decide(Outcome.OVER_LIMIT);
            throw new ProxyProtocolException("the client " + client + " has " + protocol.connectionsPerClientMax
                    + " connections, the limit; raise connectionsPerClientMax if clients need more");
        }
        counted = client;
    }

    @Override
    public void data(Connection connection, ByteBuffer data) throws Exception {
        if (handler == null && !readHeader(connection, data)) {
            return;
        }
        handler.data(proxied, data);
    }

    /** Returns true if the handler must be called with the rest of {@code data}. */
    private boolean readHeader(Connection connection, ByteBuffer data) throws Exception {
        if (!protocol.required && HeaderDecoder.form(data) == HeaderDecoder.Form.NONE) {
            serve(connection, null, Outcome.WITHOUT_HEADER);
        } else {
            ProxyHeader header = decode(data);
            if (header == null) {
                begun = true;
                return false;
            }
            serve(connection, header, outcome(header));
        }
        // If the handler has paused reading, offloaded work or waited, a later callback gets the rest.
        return data.hasRemaining() && connection.isReceiving();
    }

    private ProxyHeader decode(ByteBuffer data) throws ProxyProtocolException {
        try {
            return HeaderDecoder.decode(data, protocol.headerMax);
        } catch (ProxyProtocolException malformed) {
            decide(Outcome.MALFORMED);
            throw malformed;
        }
    }

    private static Outcome outcome(ProxyHeader header) {
        if (header.isLocal()) {
            return Outcome.LOCAL;
        }
        return header.version() == 1 ? Outcome.VERSION_1 : Outcome.VERSION_2;
    }

    @Override
    public void writable(Connection connection) throws Exception {
        if (handler != null) {
            handler.writable(proxied);
        }
    }

    @Override
    public void deadlinePassed(Connection connection) throws Exception {
        if (handler != null) {
            handler.deadlinePassed(proxied);
        } else if (protocol.required || begun) {
            decide(Outcome.TIMED_OUT);
            throw new ProxyProtocolException("the trusted peer has sent no complete PROXY header within "
                    + protocol.headerTimeout + "; have the proxy send one first, or raise headerTimeout");
        } else {
            serve(connection, null, Outcome.WITHOUT_HEADER);
        }
    }

    @Override
    public void inputClosed(Connection connection, ByteBuffer unread) throws Exception {
        if (handler != null) {
            handler.inputClosed(proxied, unread);
        } else if (unread.hasRemaining()) {
            decide(Outcome.MALFORMED);
            throw new ProxyProtocolException(
                    "the peer has ended its output " + unread.remaining() + " bytes into a PROXY header");
        } else {
            connection.close();
        }
    }

    @Override
    public void draining(Connection connection) throws Exception {
        if (handler == null) {
            connection.close();
        } else {
            handler.draining(proxied);
        }
    }

    @Override
    public void beforeNestedWait(Connection connection) {
        if (handler != null) {
            handler.beforeNestedWait(proxied);
        }
    }

    @Override
    public boolean mayAnswer() {
        return handler instanceof AnsweringHandler answering && answering.mayAnswer();
    }

    @Override
    public Connection decorated(Connection connection) {
        ProxiedConnection seen = served;
        return seen == null ? connection : handler.decorated(seen);
    }

    @Override
    public void closed(Connection connection, Throwable cause) {
        if (counted != null) {
            protocol.clients.giveBack(counted);
            counted = null;
        }
        if (handler != null) {
            handler.closed(proxied, cause);
        } else if (!decided) {
            decide(Outcome.ABANDONED);
        }
    }
}
