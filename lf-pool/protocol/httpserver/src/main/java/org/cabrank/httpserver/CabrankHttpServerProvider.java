package org.cabrank.httpserver;

import com.sun.net.httpserver.HttpServer;
import com.sun.net.httpserver.HttpsServer;
import com.sun.net.httpserver.spi.HttpServerProvider;
import java.io.IOException;
import java.net.InetSocketAddress;
import java.util.Objects;
import org.cabrank.stream.StreamReactor;

/**
 * Makes the servers of {@code com.sun.net.httpserver}. The JDK finds this class on the module path or class path, or by the system property
 * {@code com.sun.net.httpserver.HttpServerProvider}. A program may also construct it. Any thread may use it.
 */
public final class CabrankHttpServerProvider extends HttpServerProvider {
    private final HttpServerSettings settings;

    /** A provider that reads the settings from the system properties whenever it makes a server. */
    public CabrankHttpServerProvider() {
        settings = null;
    }

    /** A provider with these settings. It does not read system properties. */
    public CabrankHttpServerProvider(HttpServerSettings settings) {
        this.settings = Objects.requireNonNull(settings, "settings");
    }

    /**
     * Makes a server, and binds it.
     *
     * @param address null if {@link HttpServer#bind} follows
     * @param backlog number of connections that the kernel holds until they are accepted. The kernel may lower it. 0 or less means 4,096
     * @throws java.net.BindException if the address is unavailable; the message has the cause and the remedy
     * @throws IllegalArgumentException if a system property has a wrong value; the message has its name and the valid values
     */
    @Override
    public HttpServer createHttpServer(InetSocketAddress address, int backlog) throws IOException {
        return newServer(address, backlog);
    }

    /** Like {@link #createHttpServer}, but for HTTPS. Call {@link HttpsServer#setHttpsConfigurator} before the start. */
    @Override
    public HttpsServer createHttpsServer(InetSocketAddress address, int backlog) throws IOException {
        return new SecureServer(newServer(address, backlog));
    }

    private PlainServer newServer(InetSocketAddress address, int backlog) throws IOException {
        PlainServer server = new PlainServer(settings == null ? HttpServerSettings.ofSystemProperties() : settings);
        if (address != null) {
            server.bind(address, backlog);
        }
        return server;
    }

    /** @throws IllegalArgumentException if another provider has made the server */
    public static HttpServerCounters counters(HttpServer server) {
        return plain(server).counters();
    }

    /**
     * The reactor of a server, for its counters, metrics and liveness. {@link HttpServer#stop} closes it.
     *
     * @throws IllegalArgumentException if another provider has made the server
     * @throws IllegalStateException if the server was not started
     */
    public static StreamReactor reactor(HttpServer server) {
        return plain(server).reactor();
    }

    private static PlainServer plain(HttpServer server) {
        if (server instanceof SecureServer secure) {
            return secure.plain();
        }
        if (server instanceof PlainServer plain) {
            return plain;
        }
        throw new IllegalArgumentException(
                "the server was made by another provider: " + server.getClass().getName());
    }
}
