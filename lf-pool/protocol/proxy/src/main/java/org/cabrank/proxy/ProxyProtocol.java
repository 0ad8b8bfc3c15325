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
 * Decorates the handlers of accepted connections, so that a handler sees the client behind a trusted proxy. One object may serve several
 * listeners. It then counts the connections of all these listeners. Safe for use by any thread.
 *
 * <table>
 * <caption>Outcomes for a connection</caption>
 * <tr><th>peer</th><th>first bytes</th><th>outcome</th></tr>
 * <tr><td>trusted</td><td>a header</td><td>served, with the client's address</td></tr>
 * <tr><td>trusted</td><td>a LOCAL or UNKNOWN header</td><td>served, with the peer's address</td></tr>
 * <tr><td>trusted</td><td>a malformed, too long or incomplete header</td><td>closed with a {@link ProxyProtocolException}</td></tr>
 * <tr><td>trusted</td><td>no header</td><td>closed with a {@link ProxyProtocolException} if a header is {@linkplain Builder#required
 * required}, and otherwise served</td></tr>
 * <tr><td>trusted</td><td>nothing until the time-out</td><td>like no header</td></tr>
 * <tr><td>trusted</td><td>part of a header until the time-out</td><td>closed with a {@link ProxyProtocolException}</td></tr>
 * <tr><td>trusted</td><td>none: the peer ends its output</td><td>closed without an exception, because this is usually a health
 * check</td></tr>
 * <tr><td>any</td><td></td><td>closed with a {@link ProxyProtocolException} if the client has {@linkplain Builder#connectionsPerClientMax
 * too many connections}</td></tr>
 * <tr><td>untrusted</td><td>any</td><td>closed with a {@link ProxyProtocolException}, or {@linkplain UntrustedPeers#SERVE
 * served}</td></tr>
 * </table>
 *
 * <p>When the header has been read, the decorated handler is created and its {@code opened} is called. If a connection ends earlier, it
 * is {@linkplain #counters counted}, but its handler is never created. The handler gets the bytes behind the header.
 */
public final class ProxyProtocol {
    /** Default of {@link Builder#headerTimeout}: 5 s. */
    public static final Duration HEADER_TIMEOUT_DEFAULT = Duration.ofSeconds(5);

    /** Default of {@link Builder#headerMax}: 4,096 bytes. */
    public static final int HEADER_BYTES_MAX_DEFAULT = 4 << 10;

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

    /** Returns a supplier of handlers for a server. When a connection's header has been read, {@code handlers} is called in a callback. */
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

    /** Returns null, or the reason why a connection cannot keep the longest header unread. */
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
         * Adds blocks of peers that may send a header, such as 10.0.0.0/8, fd00::/8 or ::1. Name only the proxies, because such a peer
         * chooses the address that the service sees. If an IPv4 peer connects to an IPv6 listener, its IPv4 address counts.
         *
         * @throws IllegalArgumentException if a text is not a block
         */
        public Builder trusted(String... blocks) {
            for (String block : blocks) {
                trusted.add(CidrBlock.parse(block));
            }
            return this;
        }

        /** If true, peers on Unix sockets may send a header. The default is false. The socket file's permissions decide who can connect. */
        public Builder trustedUnixSockets(boolean wanted) {
            unixTrusted = wanted;
            return this;
        }

        /** Outcome for peers that are not trusted. The default is {@link UntrustedPeers#CLOSE}. */
        public Builder untrusted(UntrustedPeers outcome) {
            untrusted = Objects.requireNonNull(outcome, "outcome");
            return this;
        }

        /** Maximum time from the beginning of a connection until its header is complete. From 1 ms to 366 days. The default is 5 s. */
        public Builder headerTimeout(Duration limit) {
            if (StreamTimeouts.nanos(limit, "header") == 0) {
                throw new IllegalArgumentException("the header time-out must be from 1ms to a year, but is " + limit);
            }
            headerTimeout = limit;
            return this;
        }

        /**
         * Maximum length of a header of version 2 in bytes, from 232 (enough for the addresses of each family) to 65,551. The default is
         * 4,096. It must not be larger than {@link org.cabrank.stream.StreamLimits#unreadLimit}.
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
         * If true, a trusted peer must send a header. This is the default. False is safe only if each trusted peer always sends a header or
         * is itself the client. If a trusted proxy sends no header, its clients can send one, and so choose the address that the service
         * sees.
         */
        public Builder required(boolean wanted) {
            required = wanted;
            return this;
        }

        /**
         * Maximum number of concurrent connections of one client address. At least 1. The default is {@link ListenOptions#UNLIMITED}. The
         * address is the source in the header. If there is no header, it is the peer's address. Connections with a LOCAL or UNKNOWN header,
         * and connections of Unix addresses, are not counted. {@link ListenOptions#connectionsPerPeerMax} counts a proxy as one peer.
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
