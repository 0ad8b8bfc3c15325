package org.cabrank.tls;

import java.util.Objects;
import javax.net.ssl.SSLContext;
import javax.net.ssl.SSLEngine;
import javax.net.ssl.SSLParameters;

/**
 * Makes the engines of connections, for providers whose engines do not come from an {@link SSLContext} or must be released. Any thread.
 *
 * <p>{@link Tls} sets role, versions, cipher suites, ALPN, client certificates and host name of each engine with {@link
 * SSLEngine#setSSLParameters}. A factory whose engines ignore one of these must set it.
 *
 * <p>Engines differ. Engines of Netty's tcnative end both directions at the peer's close_notify even in TLS 1.3, and report a forged record
 * only at the record after it. A server with BoringSSL does not choose the cipher suites of TLS 1.3.
 */
@FunctionalInterface
public interface EngineFactory {
    /** Returns a new engine for a client of {@code host} and {@code port}; null and 0 ask for an engine of a server. */
    SSLEngine newEngine(String host, int port);

    /** True if engines work on memory outside the heap, so that direct buffers save a copy. Default: false, as for the JDK's engine. */
    default boolean prefersDirectBuffers() {
        return false;
    }

    /** Applies the settings of {@link Tls} to a new engine. Default: {@link SSLEngine#setSSLParameters}. */
    default void configure(SSLEngine engine, SSLParameters parameters) {
        engine.setSSLParameters(parameters);
    }

    /**
     * Releases memory outside the heap. Called once for each engine, when its connection has ended and none of its operations runs or will
     * run. Default: does nothing.
     */
    default void release(SSLEngine engine) {}

    static EngineFactory of(SSLContext context) {
        Objects.requireNonNull(context, "context");
        return (host, port) -> host == null ? context.createSSLEngine() : context.createSSLEngine(host, port);
    }
}
