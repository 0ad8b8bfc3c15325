package org.cabrank.bench.load;

import java.util.Objects;
import javax.net.ssl.SSLContext;
import javax.net.ssl.SSLEngine;
import javax.net.ssl.SSLParameters;

/** Makes a TLS engine for each connection of the generator. Any thread may call it. */
@FunctionalInterface
public interface ClientTls {

    SSLEngine engine();

    /** Frees memory that the engine holds outside the heap. Called once, when the connection of the engine has ended. */
    default void release(SSLEngine engine) {}

    /**
     * Makes engines that resume TLS sessions with the same host and port, and send the host name to the server (SNI). The engines accept
     * the certificate of another host only if {@code hostVerified} is false.
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
