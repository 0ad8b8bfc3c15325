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
 * The PROXY protocol on accepted connections: decorates handlers, so that they see the client of a trusted proxy. One object may serve
 * several listeners, and counts the outcomes of all their connections.
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
 * <p>The decorated handler is made, and its {@code opened} is called, when the header has been read. A connection that ends before is
 * {@linkplain #counters counted}, and its handler never made. Bytes behind the header reach the handler in the same callback.
 *
 * <p>All methods may be called by any thread.
 */
public final class ProxyProtocol {
    /** Time to wait for a header by default: 5 s. */
    public static final Duration HEADER_TIMEOUT_DEFAULT = Duration.ofSeconds(5);

    /** Number of bytes of the longest header of version 2 by default: 4,096. */
    public static final int HEADER_BYTES_MAX_DEFAULT = 4 << 10;

    /** Outcomes of connections, in the order of {@link ProxyProtocolCounters}. */
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

    /** Counts the connections of each client. */
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

    /**
     * Returns the supplier of a server's handlers.
     *
     * @param handlers asked for the handler of a connection when the header of that connection has been read, in a callback
     */
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

    /** Returns the reason why the longest header exceeds the unread bytes of a connection; null if it fits. */
    String misfit(StreamLimits limits) {
        int unreadLimit = limits.unreadLimit();
        return unreadLimit >= headerMax
                ? null
                : "headers of up to " + headerMax + " bytes do not fit into the " + unreadLimit
                        + " bytes that a connection keeps: raise StreamLimits.unreadLimit to " + headerMax
                        + ", or lower headerMax";
    }

    /** The outcomes of connections so far. */
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

    /** Collects the settings of a {@link ProxyProtocol}. */
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
         * Adds peers that may send a header. A block such as 0.0.0.0/0 allows every client to choose the address that the service sees:
         * name the addresses of the proxies.
         *
         * @param blocks of IP addresses, such as 10.0.0.0/8, fd00::/8 or ::1. An IPv4 peer of an IPv6 listener is in blocks of IPv4
         *     addresses
         * @throws IllegalArgumentException if a text is no block
         */
        public Builder trusted(String... blocks) {
            for (String block : blocks) {
                trusted.add(CidrBlock.parse(block));
            }
            return this;
        }

        /** Lets peers at Unix sockets send a header, whatever their address; default false. The permissions of the file decide who connects. */
        public Builder trustedUnixSockets(boolean wanted) {
            unixTrusted = wanted;
            return this;
        }

        /** Outcome for other peers; default {@link UntrustedPeers#CLOSE}. */
        public Builder untrusted(UntrustedPeers outcome) {
            untrusted = Objects.requireNonNull(outcome, "outcome");
            return this;
        }

        /**
         * Time from the beginning of a connection until its header must be complete; default 5 s.
         *
         * @param limit from 1 ms to 366 days
         */
        public Builder headerTimeout(Duration limit) {
            if (StreamTimeouts.nanos(limit, "header") == 0) {
                throw new IllegalArgumentException("the header time-out must be from 1ms to a year, but is " + limit);
            }
            headerTimeout = limit;
            return this;
        }

        /**
         * Number of bytes of the longest header of version 2; default 4,096. A connection must be allowed to keep as many: {@link
         * org.cabrank.stream.StreamLimits#unreadLimit}. Headers of version 1 have at most 107 bytes.
         *
         * @param bytes from 232, which hold addresses of each family, to 65,551
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
         * True, the default: a trusted peer must send a header. False: a connection of a trusted peer that does not begin with a header is
         * served without one. Then the clients of a proxy that sends no headers can send headers themselves, and choose the address that
         * the service sees: only for trusted peers that always send a header, or that are the clients themselves.
         */
        public Builder required(boolean wanted) {
            required = wanted;
            return this;
        }

        /**
         * Number of connections that one client address may have at a time, at least 1; default {@link ListenOptions#UNLIMITED}. The
         * address is that of the header, or that of the peer of a connection that is served without a header. Connections with a LOCAL
         * or an UNKNOWN header, whose client has no address, and those of Unix addresses are not counted. {@link
         * ListenOptions#connectionsPerPeerMax} counts the connections of the proxy, whoever its clients are.
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
