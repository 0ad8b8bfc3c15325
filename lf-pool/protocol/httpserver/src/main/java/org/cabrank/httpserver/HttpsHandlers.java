package org.cabrank.httpserver;

import com.sun.net.httpserver.HttpsConfigurator;
import java.net.InetSocketAddress;
import java.nio.ByteBuffer;
import java.time.Duration;
import java.util.function.Supplier;
import javax.net.ssl.SSLEngine;
import javax.net.ssl.SSLParameters;
import org.cabrank.stream.Connection;
import org.cabrank.stream.ConnectionHandler;
import org.cabrank.stream.StreamTimeouts;
import org.cabrank.tls.EngineFactory;
import org.cabrank.tls.Tls;

/** Adds TLS. The program's {@link HttpsConfigurator} chooses versions, cipher suites and certificates before each handshake. */
final class HttpsHandlers implements EngineFactory {
    private static final System.Logger LOGGER = System.getLogger(HttpsHandlers.class.getName());

    /** The connection for which this thread makes an engine. The library makes the engine in {@link ConnectionHandler#opened}. */
    private static final ThreadLocal<Connection> OPENED = new ThreadLocal<>();

    private final HttpsConfigurator configurator;

    private HttpsHandlers(HttpsConfigurator configurator) {
        this.configurator = configurator;
    }

    /** @param configurator null if the program has set none. Connections are then closed, as in the JDK's server */
    static Supplier<ConnectionHandler> of(
            HttpsConfigurator configurator, Duration handshake, Supplier<ConnectionHandler> handlers) {
        if (configurator == null) {
            LOGGER.log(
                    System.Logger.Level.WARNING,
                    "a server for HTTPS has no HttpsConfigurator: each connection is closed; call setHttpsConfigurator"
                            + " before start");
            return Refusing::new;
        }
        Tls tls = Tls.server(new HttpsHandlers(configurator))
                .handshakeTimeout(handshake.isZero() ? StreamTimeouts.MAX : handshake)
                .build();
        return () -> new Opening(tls.handler(handlers.get()));
    }

    @Override
    public SSLEngine newEngine(String host, int port) {
        return configurator.getSSLContext().createSSLEngine();
    }

    @Override
    public void configure(SSLEngine engine, SSLParameters parameters) {
        Connection connection = OPENED.get();
        if (connection == null) { // Tls.Builder.build tries an engine
            return;
        }
        ClientParameters wanted = new ClientParameters(configurator, (InetSocketAddress) connection.remoteAddress());
        configurator.configure(wanted);
        wanted.applyTo(engine);
    }

    private record Opening(ConnectionHandler tls) implements ConnectionHandler {
        @Override
        public void opened(Connection connection) throws Exception {
            connection.replaceHandler(tls);
            OPENED.set(connection);
            try {
                tls.opened(connection);
            } finally {
                OPENED.remove();
            }
        }

        @Override
        public void data(Connection connection, ByteBuffer data) {
            throw new IllegalStateException("the handler of TLS was not called instead of this one");
        }
    }

    private static final class Refusing implements ConnectionHandler {
        @Override
        public void opened(Connection connection) {
            connection.abort();
        }

        @Override
        public void data(Connection connection, ByteBuffer data) {
            data.position(data.limit());
        }
    }
}
