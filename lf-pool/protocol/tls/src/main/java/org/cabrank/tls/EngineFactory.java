package org.cabrank.tls;

import java.util.Objects;
import javax.net.ssl.SSLContext;
import javax.net.ssl.SSLEngine;
import javax.net.ssl.SSLParameters;

/**
 * Makes the engine of each connection. Needed for a provider whose engines do not come from an {@link SSLContext}, or must be released.
 * Any thread may call it.
 *
 * <p>{@link Tls} sets role, versions, cipher suites, ALPN, client certificates and host name of each engine with
 * {@link SSLEngine#setSSLParameters}. If the engines ignore one of these settings, the factory must set it itself.
 *
 * <p>Engines differ. An engine of Netty's tcnative ends both directions at the peer's close_notify, even in TLS 1.3. It reports a forged
 * record only when it reads the next record. With BoringSSL, the cipher suites of TLS 1.3 cannot be chosen.
 */
@FunctionalInterface
public interface EngineFactory {
    /** Returns a new engine. For a client, {@code host} and {@code port} are those of the server. For a server, they are null and 0. */
    SSLEngine newEngine(String host, int port);

    /** Returns true if the engines work on memory outside the heap. Direct buffers then save a copy. The default is false. */
    default boolean prefersDirectBuffers() {
        return false;
    }

    /** Applies the settings of {@link Tls} to a new engine. The default calls {@link SSLEngine#setSSLParameters}. */
    default void configure(SSLEngine engine, SSLParameters parameters) {
        engine.setSSLParameters(parameters);
    }

    /** Releases memory outside the heap. Called once for each engine, when its connection has ended. The default does nothing. */
    default void release(SSLEngine engine) {}

    static EngineFactory of(SSLContext context) {
        Objects.requireNonNull(context, "context");
        return (host, port) -> host == null ? context.createSSLEngine() : context.createSSLEngine(host, port);
    }
}
