package org.cabrank.tls;

import java.net.SocketAddress;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.WeakHashMap;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.Executor;
import java.util.concurrent.atomic.LongAdder;
import java.util.function.Function;
import java.util.function.Supplier;
import javax.net.ssl.SSLContext;
import javax.net.ssl.SSLEngine;
import javax.net.ssl.SSLParameters;
import org.cabrank.lf.LeaderFollowersPool;
import org.cabrank.lf.figures.Beans;
import org.cabrank.lf.figures.Figures;
import org.cabrank.lf.observe.BeanRegistration;
import org.cabrank.stream.ConnectOptions;
import org.cabrank.stream.Connection;
import org.cabrank.stream.ConnectionHandler;
import org.cabrank.stream.StreamReactor;
import org.cabrank.stream.StreamTimeouts;
import org.cabrank.stream.transport.LimitedHandlers;

/**
 * TLS for the connections of a server or a client. Wraps a handler, which then gets {@link TlsConnection}s. One object serves any number of
 * listeners and connections. Any thread may use it. Engines come from an {@link SSLContext} or an {@link EngineFactory}.
 */
public final class Tls {
    /**
     * Shows the counters as attributes of the bean ({@link #registerBean}) and as meters.
     *
     * @hidden
     */
    @SuppressWarnings("exports")
    public static final Figures<Tls> FIGURES = new Figures<Tls>("").part(Tls::counters, TlsCounters.FIGURES);

    final boolean client;
    private final String host;
    private final int port;
    private final Function<String, SSLContext> contextByName;
    private final String[] applicationProtocols;
    private final String[] protocols;
    private final String[] cipherSuites;
    private final ClientCertificate clientCertificate;
    private final int handshakesMax;

    /** Runs the public-key operations of handshakes. If it is null, the threads of the pool run them. */
    final Executor handshakeExecutor;

    final Duration handshakeTimeout;
    final int handshakeBytesMax;

    private volatile EngineFactory engines;

    /** The handshake bound of each pool. Guarded by the monitor of the map. */
    private final Map<LeaderFollowersPool, HandshakeBound> bounds = new WeakHashMap<>();

    final LongAdder handshakesBegun = new LongAdder();
    final LongAdder handshakesCompleted = new LongAdder();
    final LongAdder handshakesFailed = new LongAdder();
    final LongAdder handshakesTimedOut = new LongAdder();
    final LongAdder handshakesDeferred = new LongAdder();
    final LongAdder truncations = new LongAdder();
    final LongAdder failures = new LongAdder();

    /** Defines if a server requests a certificate of its clients. */
    public enum ClientCertificate {
        NONE,
        /** The server requests a certificate, but serves a client without a certificate. */
        WANT,
        /** The server requests a certificate. The handshake of a client without a certificate fails. */
        NEED
    }

    private Tls(Builder builder) {
        client = builder.client;
        host = builder.host;
        port = builder.port;
        engines = builder.engines;
        contextByName = builder.contextByName;
        applicationProtocols = builder.applicationProtocols;
        protocols = builder.protocols;
        cipherSuites = builder.cipherSuites;
        clientCertificate = builder.clientCertificate;
        handshakesMax = builder.handshakesMax;
        handshakeExecutor = builder.handshakeExecutor;
        handshakeTimeout = builder.handshakeTimeout;
        handshakeBytesMax = builder.handshakeBytesMax;
    }

    public static Builder server(SSLContext context) {
        return server(EngineFactory.of(context));
    }

    /** Builds TLS for accepted connections, with the engines of another provider. */
    public static Builder server(EngineFactory engines) {
        return new Builder(engines, false, null, 0);
    }

    /**
     * Builds TLS for connections to one host. The server's certificate must be valid for {@code host}.
     *
     * @param host name of the server; the client also sends the name to the server (SNI)
     * @param port port of the server; a session is resumed only with the same host and port
     */
    public static Builder client(SSLContext context, String host, int port) {
        return client(EngineFactory.of(context), host, port);
    }

    /** Builds TLS as {@link #client(SSLContext, String, int)} does, with the engines of another provider. */
    public static Builder client(EngineFactory engines, String host, int port) {
        return new Builder(engines, true, Objects.requireNonNull(host, "host"), port);
    }

    /** Settings of a {@link Tls}. */
    public static final class Builder {
        private final EngineFactory engines;
        private final boolean client;
        private final String host;
        private final int port;
        private Function<String, SSLContext> contextByName;
        private String[] applicationProtocols = {};
        private String[] protocols = {"TLSv1.3", "TLSv1.2"};
        private String[] cipherSuites;
        private ClientCertificate clientCertificate = ClientCertificate.NONE;
        private int handshakesMax;
        private Executor handshakeExecutor;
        private Duration handshakeTimeout = Duration.ofSeconds(10);
        private int handshakeBytesMax = 128 << 10;

        private Builder(EngineFactory engines, boolean client, String host, int port) {
            this.engines = Objects.requireNonNull(engines, "engines");
            this.client = client;
            this.host = host;
            this.port = port;
        }

        /**
         * Sets the application protocols (ALPN), the preferred protocol first. The default is none. If a client offers only other
         * protocols, the handshake fails, as RFC 7301 demands. A client that offers no protocol is served without ALPN.
         */
        public Builder applicationProtocols(String... names) {
            applicationProtocols = names.clone();
            return this;
        }

        /** Sets the versions, by the names of {@link SSLEngine#setEnabledProtocols}. The default is TLS 1.3 and TLS 1.2. */
        public Builder protocols(String... names) {
            protocols = names.clone();
            return this;
        }

        /** Sets the cipher suites, by the names of {@link SSLEngine#setEnabledCipherSuites}. The default is the suites of the context. */
        public Builder cipherSuites(String... names) {
            cipherSuites = names.clone();
            return this;
        }

        /** Sets if a server requests certificates of its clients. The default is {@link ClientCertificate#NONE}. */
        public Builder clientCertificate(ClientCertificate wanted) {
            clientCertificate = Objects.requireNonNull(wanted, "wanted");
            return this;
        }

        /**
         * Lets a server choose the context by the host name that the client requests (SNI).
         *
         * @param choice gets the name in lower case, or null if the client names no host. Returns the context, or null for the context of
         *     the builder or of the last {@link Tls#reload}. Pool threads call it, so it must not block. If it throws, the client gets the
         *     alert unrecognized_name, and the exception counts as an exception of the handler.
         */
        public Builder contextByName(Function<String, SSLContext> choice) {
            contextByName = Objects.requireNonNull(choice, "choice");
            return this;
        }

        /**
         * Limits the handshakes of one pool that run public-key operations at the same time, to at least 1. Further handshakes wait without
         * a thread. The default is one less than the pool's threads, so that one thread serves established connections, but at least 1 and
         * at most the number of processors. If a pool has one thread, its connections wait during the operations, unless
         * {@link #handshakeExecutor} runs them.
         */
        public Builder handshakesMax(int count) {
            if (count < 1) {
                throw new IllegalArgumentException(
                        "at least 1 handshake must run at a time, but handshakesMax is " + count);
            }
            handshakesMax = count;
            return this;
        }

        /** Runs the public-key operations of handshakes on {@code executor}. {@link #handshakesMax} still limits their number. */
        public Builder handshakeExecutor(Executor executor) {
            handshakeExecutor = Objects.requireNonNull(executor, "executor");
            return this;
        }

        /** Sets the maximum duration of a handshake, from 1 ms to 366 days. The default is 10 s. */
        public Builder handshakeTimeout(Duration timeout) {
            if (timeout.compareTo(StreamTimeouts.MIN) < 0 || timeout.compareTo(StreamTimeouts.MAX) > 0) {
                throw new IllegalArgumentException("a handshake may take from 1 ms to 366 days, not " + timeout);
            }
            handshakeTimeout = timeout;
            return this;
        }

        /** Limits the bytes of a peer's handshake, to at least 1 KiB. The default of 128 KiB suffices for long certificate chains. */
        public Builder handshakeBytesMax(int bytes) {
            if (bytes < 1 << 10) {
                throw new IllegalArgumentException(
                        "a handshake needs at least 1 KiB, but handshakeBytesMax is " + bytes);
            }
            handshakeBytesMax = bytes;
            return this;
        }

        /** @throws IllegalArgumentException if the context does not support a version, cipher suite or application protocol */
        public Tls build() {
            Tls built = new Tls(this);
            engines.release(built.newEngine(engines)); // refuses wrong settings now, and not at each connection
            return built;
        }
    }

    public Supplier<ConnectionHandler> handlers(Supplier<? extends ConnectionHandler> handlers) {
        Objects.requireNonNull(handlers, "handlers");
        return LimitedHandlers.of(
                () -> handler(handlers.get()), limits -> LimitedHandlers.requireFit(handlers, limits));
    }

    public ConnectionHandler handler(ConnectionHandler handler) {
        return new TlsHandler(this, Objects.requireNonNull(handler, "handler"), null);
    }

    /**
     * Connects, and makes the handshake. If the future is cancelled before that, the connection is reset, and the handler is never called.
     *
     * @return future that a pool thread completes after the handshake, before {@link ConnectionHandler#opened}; fails if the connect or the
     *     handshake fails
     * @throws IllegalStateException if this object is for a server
     */
    public CompletableFuture<TlsConnection> connect(
            StreamReactor reactor, SocketAddress address, ConnectOptions options, ConnectionHandler handler) {
        if (!client) {
            throw new IllegalStateException("Tls.client connects, Tls.server does not");
        }
        CompletableFuture<TlsConnection> done = new CompletableFuture<>();
        TlsHandler decorated = new TlsHandler(this, Objects.requireNonNull(handler, "handler"), done);
        CompletableFuture<Connection> attempt = reactor.connect(address, options, decorated);
        attempt.whenComplete((connection, refused) -> {
            if (refused != null) {
                done.completeExceptionally(refused);
            }
        });
        done.whenComplete((connection, failure) -> {
            if (failure != null && !attempt.cancel(false)) {
                attempt.thenAccept(Connection::abort);
            }
        });
        return done;
    }

    /** Uses another context for new connections, so that a server can change its certificates without a restart. */
    public void reload(SSLContext changed) {
        reload(EngineFactory.of(changed));
    }

    /** Does what {@link #reload(SSLContext)} does, with the engines of another provider. */
    public void reload(EngineFactory changed) {
        engines = Objects.requireNonNull(changed, "changed");
    }

    public TlsCounters counters() {
        return new TlsCounters(
                handshakesBegun.sum(),
                handshakesCompleted.sum(),
                handshakesFailed.sum(),
                handshakesTimedOut.sum(),
                handshakesDeferred.sum(),
                truncations.sum(),
                failures.sum());
    }

    /**
     * Shows the counters over JMX as {@code org.cabrank:type=Tls,name=NAME}, until the returned registration is closed.
     *
     * @param name name of the service, preferably the name of its reactor
     * @throws IllegalStateException if this runtime has no JMX
     */
    public BeanRegistration registerBean(String name) {
        return Beans.register(this, FIGURES, "Tls", name);
    }

    boolean choosesByName() {
        return contextByName != null && !client;
    }

    HandshakeBound boundOf(LeaderFollowersPool pool) {
        synchronized (bounds) {
            return bounds.computeIfAbsent(pool, of -> {
                int threads = of == null ? 1 : of.config().threads();
                int processors = Runtime.getRuntime().availableProcessors();
                return new HandshakeBound(handshakesMax > 0 ? handshakesMax : defaultMax(threads, processors));
            });
        }
    }

    /** Returns the default of {@link Builder#handshakesMax}. More handshakes than processors would delay the leader. */
    static int defaultMax(int threads, int processors) {
        return Math.max(1, Math.min(threads - 1, processors));
    }

    /** @param name host name that the client requests; null if the client requests no name */
    EngineFactory enginesFor(String name) {
        SSLContext chosen = choosesByName() ? contextByName.apply(name) : null;
        return chosen == null ? engines : EngineFactory.of(chosen);
    }

    SSLEngine newEngine(EngineFactory of) {
        SSLEngine engine = of.newEngine(host, port);
        boolean configured = false;
        try {
            configure(engine, of);
            configured = true;
            return engine;
        } finally {
            if (!configured) {
                of.release(engine);
            }
        }
    }

    private void configure(SSLEngine engine, EngineFactory of) {
        engine.setUseClientMode(client);
        SSLParameters parameters = engine.getSSLParameters();
        parameters.setProtocols(protocols);
        if (cipherSuites != null) {
            parameters.setCipherSuites(cipherSuites);
        }
        if (applicationProtocols.length > 0) {
            parameters.setApplicationProtocols(applicationProtocols);
        }
        if (client) {
            parameters.setEndpointIdentificationAlgorithm("HTTPS");
        } else {
            parameters.setUseCipherSuitesOrder(true);
            parameters.setNeedClientAuth(clientCertificate == ClientCertificate.NEED);
            if (clientCertificate == ClientCertificate.WANT) {
                parameters.setWantClientAuth(true);
            }
        }
        of.configure(engine, parameters);
    }

    @Override
    public String toString() {
        return "TLS of a " + (client ? "client of " + host : "server") + ", "
                + String.join(" and ", List.of(protocols));
    }
}
