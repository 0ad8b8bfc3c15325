package org.cabrank.bench.load;

import java.util.Objects;
import javax.net.ssl.SSLContext;
import javax.net.ssl.SSLEngine;
import javax.net.ssl.SSLParameters;

/** TLS of the generator's connections. Any thread. */
@FunctionalInterface
public interface ClientTls {

    SSLEngine engine();

    /** Called once for each engine when its connection has ended, because engines may hold memory outside the heap. */
    default void release(SSLEngine engine) {}

    /**
     * Resumes sessions where the server permits, as other clients do.
     *
     * @param host name or address that the certificate must be valid for; the name is also sent to the server (SNI)
     * @param port port; host and port together are the key under which sessions are resumed
     * @param hostVerified false: a certificate of another host is accepted
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
