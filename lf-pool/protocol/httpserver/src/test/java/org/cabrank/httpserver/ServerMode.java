package org.cabrank.httpserver;

import com.sun.net.httpserver.HttpHandler;
import com.sun.net.httpserver.HttpServer;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.util.stream.Stream;
import org.cabrank.stream.BackendProvider;

/** A backend and a number of threads; those that differ most: one thread, and over epoll several that take over from each other. */
record ServerMode(String backend, int threads) {
    /** The first JDK whose JVM runs all tests of a build outside a soak; an older one runs those that the JDK can break. */
    private static final int NEWEST = 22;

    static Stream<ServerMode> all() {
        boolean few = Runtime.version().feature() < NEWEST && Long.getLong("cabrank.soak.seconds") == null;
        return BackendProvider.installed().stream()
                .flatMap(provider -> Stream.of(1, 3, 0).map(threads -> new ServerMode(provider.name(), threads)))
                .filter(mode -> mode.threads == 1 || mode.backend.equals("epoll"))
                .filter(mode -> !few || mode.threads > 1 == mode.backend.equals("epoll"));
    }

    static Stream<ServerMode> ofSeveralThreads() {
        return all().filter(mode -> mode.threads > 1);
    }

    HttpServerSettings settings() {
        return HttpServerSettings.DEFAULT.withBackend(backend).withThreads(threads);
    }

    /** Starts a server with one context. */
    HttpServer start(HttpHandler handler) throws IOException {
        HttpServer server = create(settings());
        server.createContext("/", handler);
        server.start();
        return server;
    }

    static HttpServer create(HttpServerSettings settings) throws IOException {
        return new CabrankHttpServerProvider(settings).createHttpServer(anyPort(), 0);
    }

    static InetSocketAddress anyPort() {
        return new InetSocketAddress(InetAddress.getLoopbackAddress(), 0);
    }

    @Override
    public String toString() {
        return backend + " " + threads;
    }
}
