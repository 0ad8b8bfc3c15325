package org.cabrank.bench.load;

import java.util.Objects;
import javax.net.ssl.SSLContext;
import javax.net.ssl.SSLEngine;
import javax.net.ssl.SSLParameters;

/** TLS of the generator's connections. Any thread. */
@FunctionalInterface
public interface ClientTls {

    /** Returns the engine of a new connection, in client mode. */
    SSLEngine engine();

    /** Called once for each engine when its connection has ended: for engines with memory outside the heap. */
    default void release(SSLEngine engine) {}

    /**
     * The TLS of a context. Sessions are resumed where the server permits, as by other clients.
     *
     * @param context verifies the certificate of the server
     * @param host name or address that the certificate must be valid for; the name is also sent to the server (SNI)
     * @param port port of the server; with the host the key under which sessions are resumed
     * @param hostVerified false: a certificate of another host is accepted
     * @throws NullPointerException if context or host are missing
     */
    static ClientTls of(SSLContext context, String host, int port, boolean hostVerified) {
        Objects.requireNonNull(context, "context");
        Objects.requireNonNull(host, "host");
        return () -> {
            SSLEngine engine = context.createSSLEngine(host, port);
            engine.setUseClientMode(true);
            if (hostVerified) {
                SSLParameters parameters = engine.getSSLParameters();
                parameters.setEndpointIdentificationAlgorithm("HTTPS");
                engine.setSSLParameters(parameters);
            }
            return engine;
        };
    }
}
