package org.cabrank.tls;

import static org.junit.jupiter.api.Assumptions.assumeTrue;

import io.netty.buffer.UnpooledByteBufAllocator;
import io.netty.handler.ssl.ApplicationProtocolConfig;
import io.netty.handler.ssl.ClientAuth;
import io.netty.handler.ssl.OpenSsl;
import io.netty.handler.ssl.SslContext;
import io.netty.handler.ssl.SslContextBuilder;
import io.netty.handler.ssl.SslProvider;
import io.netty.util.ReferenceCounted;
import java.security.cert.X509Certificate;
import java.util.List;
import java.util.Queue;
import java.util.concurrent.ConcurrentLinkedQueue;
import javax.net.ssl.SSLContext;
import javax.net.ssl.SSLEngine;
import javax.net.ssl.SSLParameters;
import org.conscrypt.Conscrypt;

/** Engines of the JDK and of other providers, for tests. */
enum Engines {
    JDK {
        @Override
        EngineFactory of(Side side) throws Exception {
            return EngineFactory.of(side.initialized(SSLContext.getInstance("TLS")));
        }
    },

    /** BoringSSL behind a provider of the JDK's architecture. */
    CONSCRYPT {
        @Override
        EngineFactory of(Side side) throws Exception {
            assumeTrue(Conscrypt.isAvailable(), "Conscrypt's native library does not run here");
            return EngineFactory.of(side.initialized(SSLContext.getInstance("TLS", Conscrypt.newProvider())));
        }
    },

    /** BoringSSL behind Netty's own factory, with memory that must be released. */
    TCNATIVE {
        @Override
        EngineFactory of(Side side) throws Exception {
            assumeTrue(OpenSsl.isAvailable(), "Netty's tcnative does not run here");
            return new Tcnative(side);
        }
    };

    abstract EngineFactory of(Side side) throws Exception;

    /**
     * One side of connections.
     *
     * @param own certificate and key; null: none
     * @param trusted certificate of the peer; null: none is asked for
     * @param version the only version
     */
    record Side(boolean client, SelfSigned own, X509Certificate trusted, String version, String... protocols) {
        SSLContext initialized(SSLContext context) throws Exception {
            return SelfSigned.initialized(
                    context,
                    own == null ? null : own.key(),
                    own == null ? List.of() : List.of(own.certificate()),
                    trusted == null ? List.of() : List.of(trusted));
        }
    }

    /** Netty's engines: the context has the settings that {@link Tls} gives to other engines. */
    static final class Tcnative implements EngineFactory {
        final Queue<ReferenceCounted> made = new ConcurrentLinkedQueue<>();
        private final SslContext context;

        Tcnative(Side side) throws Exception {
            SslContextBuilder builder = side.client()
                    ? SslContextBuilder.forClient()
                    : SslContextBuilder.forServer(side.own().key(), side.own().certificate());
            if (side.client() && side.own() != null) {
                builder.keyManager(side.own().key(), side.own().certificate());
            }
            if (side.trusted() != null) {
                builder.trustManager(side.trusted());
                builder.clientAuth(ClientAuth.REQUIRE);
            }
            if (side.protocols().length > 0) {
                builder.applicationProtocolConfig(new ApplicationProtocolConfig(
                        ApplicationProtocolConfig.Protocol.ALPN,
                        ApplicationProtocolConfig.SelectorFailureBehavior.NO_ADVERTISE,
                        ApplicationProtocolConfig.SelectedListenerFailureBehavior.ACCEPT,
                        side.protocols()));
            }
            context = builder.sslProvider(SslProvider.OPENSSL_REFCNT)
                    .protocols(side.version())
                    .build();
        }

        @Override
        public SSLEngine newEngine(String host, int port) {
            SSLEngine engine = host == null
                    ? context.newEngine(UnpooledByteBufAllocator.DEFAULT)
                    : context.newEngine(UnpooledByteBufAllocator.DEFAULT, host, port);
            made.add((ReferenceCounted) engine);
            return engine;
        }

        @Override
        public void configure(SSLEngine engine, SSLParameters parameters) {}

        @Override
        public boolean prefersDirectBuffers() {
            return true;
        }

        @Override
        public void release(SSLEngine engine) {
            ((ReferenceCounted) engine).release();
        }
    }
}
