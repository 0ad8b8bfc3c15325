package org.cabrank.httpserver;

import com.sun.net.httpserver.HttpContext;
import com.sun.net.httpserver.HttpHandler;
import com.sun.net.httpserver.HttpsConfigurator;
import com.sun.net.httpserver.HttpsServer;
import java.io.IOException;
import java.net.InetSocketAddress;
import java.util.Objects;
import java.util.concurrent.Executor;

/** A server for HTTPS: the API of the JDK over a {@link ServerCore}. */
final class SecureServer extends HttpsServer {
    private final ServerCore core;
    private volatile HttpsConfigurator configurator;

    SecureServer(ServerCore core) {
        this.core = core;
        core.setServer(
                this, handlers -> HttpsHandlers.of(configurator, core.settings().handshake(), handlers));
    }

    ServerCore core() {
        return core;
    }

    @Override
    public void setHttpsConfigurator(HttpsConfigurator config) {
        Objects.requireNonNull(config, "null HttpsConfigurator");
        core.requireNotStarted();
        configurator = config;
    }

    @Override
    public HttpsConfigurator getHttpsConfigurator() {
        return configurator;
    }

    @Override
    public void bind(InetSocketAddress address, int backlog) throws IOException {
        core.bind(address, backlog);
    }

    @Override
    public void start() {
        core.start();
    }

    @Override
    public void setExecutor(Executor executor) {
        core.setExecutor(executor);
    }

    @Override
    public Executor getExecutor() {
        return core.executor();
    }

    @Override
    public void stop(int delay) {
        core.stop(delay);
    }

    @Override
    public HttpContext createContext(String path, HttpHandler handler) {
        return core.contexts().create(path, handler);
    }

    @Override
    public HttpContext createContext(String path) {
        return core.contexts().create(path);
    }

    @Override
    public void removeContext(String path) {
        core.contexts().remove(path);
    }

    @Override
    public void removeContext(HttpContext context) {
        core.contexts().remove(context);
    }

    @Override
    public InetSocketAddress getAddress() {
        return core.address();
    }
}
