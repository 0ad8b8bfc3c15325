package org.cabrank.proxy;

import java.net.InetSocketAddress;
import java.net.SocketAddress;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.concurrent.atomic.LongAdder;
import java.util.function.Supplier;
import org.cabrank.stream.ConnectionHandler;
import org.cabrank.stream.ListenOptions;
import org.cabrank.stream.StreamLimits;
import org.cabrank.stream.StreamTimeouts;
import org.cabrank.stream.transport.ConnectionQuota;
import org.cabrank.stream.transport.LimitedHandlers;

/**
 * Decorates the handlers of accepted connections, so that they see the client of a trusted proxy. One object may serve several listeners,
 * and counts the outcomes of all their connections. Any thread.
 *
 * <table>
 * <caption>Outcomes for a connection</caption>
 * <tr><th>peer</th><th>first bytes</th><th>outcome</th></tr>
 * <tr><td>trusted</td><td>a header</td><td>served, with the client's address</td></tr>
 * <tr><td>trusted</td><td>a LOCAL or UNKNOWN header</td><td>served, with the peer's address</td></tr>
 * <tr><td>trusted</td><td>a malformed, too long or incomplete header</td><td>closed with a {@link ProxyProtocolException}</td></tr>
 * <tr><td>trusted</td><td>no header</td><td>closed likewise; served if a header is not {@linkplain Builder#required required}</td></tr>
 * <tr><td>trusted</td><td>nothing, or part of a header, until the time-out</td><td>closed likewise; served if a header is not required
 * and no byte has arrived</td></tr>
 * <tr><td>trusted</td><td>nothing, and the end of its output</td><td>closed without a failure: a health check</td></tr>
 * <tr><td>any that would be served</td><td></td><td>closed likewise if the client has {@linkplain Builder#connectionsPerClientMax as many
 * connections as it may}</td></tr>
 * <tr><td>untrusted</td><td>not looked at</td><td>closed with a {@link ProxyProtocolException}, or {@linkplain UntrustedPeers#SERVE
 * served}</td></tr>
 * </table>
 *
 * <p>The decorated handler is made, and its {@code opened} is called, when the header has been read. A connection that ends earlier is
 * {@linkplain #counters counted}, and its handler is never made. Bytes behind the header reach the handler in the same callback.
 */
public final class ProxyProtocol {
    /** Default time until the header must be complete: 5 s. */
    public static final Duration HEADER_TIMEOUT_DEFAULT = Duration.ofSeconds(5);

    /** Length of the longest header of version 2 by default, in bytes: 4,096. */
    public static final int HEADER_BYTES_MAX_DEFAULT = 4 << 10;

    /** Outcomes in the order of {@link ProxyProtocolCounters}. */
    enum Outcome {
        VERSION_1,
        VERSION_2,
        LOCAL,
        WITHOUT_HEADER,
        UNTRUSTED_SERVED,
        UNTRUSTED_CLOSED,
        MALFORMED,
        TIMED_OUT,
        ABANDONED,
        OVER_LIMIT
    }

    private final List<CidrBlock> trusted;
    private final boolean unixTrusted;
    final UntrustedPeers untrusted;
    final Duration headerTimeout;
    final int headerMax;
    final boolean required;
    final int connectionsPerClientMax;

    final ConnectionQuota clients;

    private final LongAdder[] counts = new LongAdder[Outcome.values().length];

    private ProxyProtocol(Builder builder) {
        trusted = List.copyOf(builder.trusted);
        unixTrusted = builder.unixTrusted;
        untrusted = builder.untrusted;
        headerTimeout = builder.headerTimeout;
        headerMax = builder.headerMax;
        required = builder.required;
        connectionsPerClientMax = builder.connectionsPerClientMax;
        clients = ConnectionQuota.of(
                ListenOptions.DEFAULT.withConnectionsPerPeerMax(connectionsPerClientMax), ConnectionQuota.NONE);
        for (int i = 0; i < counts.length; i++) {
            counts[i] = new LongAdder();
        }
    }

    public static Builder builder() {
        return new Builder();
    }

    /** Returns a supplier of handlers for a server. It calls {@code handlers} in a callback, after the header of a connection was read. */
    public Supplier<ConnectionHandler> handlers(Supplier<? extends ConnectionHandler> handlers) {
        Objects.requireNonNull(handlers, "handlers");
        return LimitedHandlers.of(() -> new ProxyHeaderHandler(this, handlers), limits -> {
            String misfit = misfit(limits);
            if (misfit != null) {
                throw new IllegalArgumentException(misfit);
            }
            LimitedHandlers.requireFit(handlers, limits);
        });
    }

    /** Returns the reason why a connection cannot keep the longest header unread; null if it can. */
    String misfit(StreamLimits limits) {
        int unreadLimit = limits.unreadLimit();
        return unreadLimit >= headerMax
                ? null
                : "headers of up to " + headerMax + " bytes do not fit into the " + unreadLimit
                        + " bytes that a connection keeps: raise StreamLimits.unreadLimit to " + headerMax
                        + ", or lower headerMax";
    }

    /** Outcomes of connections so far. */
    public ProxyProtocolCounters counters() {
        return new ProxyProtocolCounters(
                count(Outcome.VERSION_1),
                count(Outcome.VERSION_2),
                count(Outcome.LOCAL),
                count(Outcome.WITHOUT_HEADER),
                count(Outcome.UNTRUSTED_SERVED),
                count(Outcome.UNTRUSTED_CLOSED),
                count(Outcome.MALFORMED),
                count(Outcome.TIMED_OUT),
                count(Outcome.ABANDONED),
                count(Outcome.OVER_LIMIT));
    }

    private long count(Outcome outcome) {
        return counts[outcome.ordinal()].sum();
    }

    void note(Outcome outcome) {
        counts[outcome.ordinal()].increment();
    }

    /** Returns true if the peer may send a header. */
    boolean trusts(SocketAddress peer) {
        if (!(peer instanceof InetSocketAddress internet)) {
            return unixTrusted;
        }
        byte[] address = IpLiteral.unmapped(internet.getAddress().getAddress());
        for (CidrBlock block : trusted) {
            if (block.contains(address)) {
                return true;
            }
        }
        return false;
    }

    /** Settings of a {@link ProxyProtocol}. */
    public static final class Builder {
        private final List<CidrBlock> trusted = new ArrayList<>();
        private boolean unixTrusted;
        private UntrustedPeers untrusted = UntrustedPeers.CLOSE;
        private Duration headerTimeout = HEADER_TIMEOUT_DEFAULT;
        private int headerMax = HEADER_BYTES_MAX_DEFAULT;
        private boolean required = true;
        private int connectionsPerClientMax = ListenOptions.UNLIMITED;

        private Builder() {}

        /**
         * Adds blocks of peers that may send a header, such as 10.0.0.0/8, fd00::/8 or ::1. Name the proxies only: a block such as
         * 0.0.0.0/0 lets every client choose the address that the service sees. An IPv4 peer of an IPv6 listener is in blocks of IPv4
         * addresses.
         *
         * @throws IllegalArgumentException if a text is no block
         */
        public Builder trusted(String... blocks) {
            for (String block : blocks) {
                trusted.add(CidrBlock.parse(block));
            }
            return this;
        }

        /** Lets all peers on Unix sockets send a header; default false. The permissions of the socket's file decide who connects. */
        public Builder trustedUnixSockets(boolean wanted) {
            unixTrusted = wanted;
            return this;
        }

        /** Outcome for peers that are not trusted; default {@link UntrustedPeers#CLOSE}. */
        public Builder untrusted(UntrustedPeers outcome) {
            untrusted = Objects.requireNonNull(outcome, "outcome");
            return this;
        }

        /** Time from the beginning of a connection until its header must be complete: 1 ms to 366 days, default 5 s. */
        public Builder headerTimeout(Duration limit) {
            if (StreamTimeouts.nanos(limit, "header") == 0) {
                throw new IllegalArgumentException("the header time-out must be from 1ms to a year, but is " + limit);
            }
            headerTimeout = limit;
            return this;
        }

        /**
         * Length of the longest header of version 2 in bytes, at most {@link org.cabrank.stream.StreamLimits#unreadLimit}: from 232, enough
         * for addresses of each family, to 65,551; default 4,096. Headers of version 1 have at most 107 bytes.
         */
        public Builder headerMax(int bytes) {
            if (bytes < HeaderVersion2.ADDRESSES_ROOM || bytes > HeaderVersion2.BYTES_MAX) {
                throw new IllegalArgumentException("the bound of a header must be from " + HeaderVersion2.ADDRESSES_ROOM
                        + " to " + HeaderVersion2.BYTES_MAX + " bytes, but is " + bytes);
            }
            headerMax = bytes;
            return this;
        }

        /**
         * True, the default: a trusted peer must send a header. False: a trusted peer's connection that begins without a header is served
         * without one. This is safe only for peers that always send a header, or that are the clients themselves: behind a proxy that sends
         * no header, clients could send headers, and so choose the address that the service sees.
         */
        public Builder required(boolean wanted) {
            required = wanted;
            return this;
        }

        /**
         * Largest number of concurrent connections of one client address, at least 1; default {@link ListenOptions#UNLIMITED}. The address
         * comes from the header, or from the peer if there is no header. Connections with a LOCAL or UNKNOWN header, and connections of
         * Unix addresses, are not counted. {@link ListenOptions#connectionsPerPeerMax} counts the connections of the proxy for all its
         * clients.
         */
        public Builder connectionsPerClientMax(int count) {
            if (count < 1) {
                throw new IllegalArgumentException("connectionsPerClientMax must be at least 1, but is " + count);
            }
            connectionsPerClientMax = count;
            return this;
        }

        /** @throws IllegalStateException if no peer is trusted */
        public ProxyProtocol build() {
            if (trusted.isEmpty() && !unixTrusted) {
                throw new IllegalStateException(
                        "no peer may send a PROXY header; name the addresses of the proxies with"
                                + " trusted(\"10.0.0.0/8\"), or call trustedUnixSockets(true)");
            }
            return new ProxyProtocol(this);
        }
    }
}
