package org.cabrank.httpserver;

import com.sun.net.httpserver.HttpContext;
import com.sun.net.httpserver.HttpHandler;
import com.sun.net.httpserver.HttpsConfigurator;
import com.sun.net.httpserver.HttpsServer;
import java.io.IOException;
import java.net.InetSocketAddress;
import java.util.Objects;
import java.util.concurrent.Executor;

final class SecureServer extends HttpsServer {
    private final PlainServer plain;
    private volatile HttpsConfigurator configurator;

    SecureServer(PlainServer plain) {
        this.plain = plain;
        plain.serveFor(
                this,
                handlers -> HttpsHandlers.of(configurator, plain.settings().handshake(), handlers));
    }

    PlainServer plain() {
        return plain;
    }

    @Override
    public void setHttpsConfigurator(HttpsConfigurator config) {
        Objects.requireNonNull(config, "null HttpsConfigurator");
        plain.requireNotStarted();
        configurator = config;
    }

    @Override
    public HttpsConfigurator getHttpsConfigurator() {
        return configurator;
    }

    @Override
    public void bind(InetSocketAddress address, int backlog) throws IOException {
        plain.bind(address, backlog);
    }

    @Override
    public void start() {
        plain.start();
    }

    @Override
    public void setExecutor(Executor executor) {
        plain.setExecutor(executor);
    }

    @Override
    public Executor getExecutor() {
        return plain.getExecutor();
    }

    @Override
    public void stop(int delay) {
        plain.stop(delay);
    }

    @Override
    public HttpContext createContext(String path, HttpHandler handler) {
        return plain.createContext(path, handler);
    }

    @Override
    public HttpContext createContext(String path) {
        return plain.createContext(path);
    }

    @Override
    public void removeContext(String path) {
        plain.removeContext(path);
    }

    @Override
    public void removeContext(HttpContext context) {
        plain.removeContext(context);
    }

    @Override
    public InetSocketAddress getAddress() {
        return plain.getAddress();
    }
}
