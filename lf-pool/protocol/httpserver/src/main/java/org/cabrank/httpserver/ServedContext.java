package org.cabrank.httpserver;

import com.sun.net.httpserver.Authenticator;
import com.sun.net.httpserver.Filter;
import com.sun.net.httpserver.HttpContext;
import com.sun.net.httpserver.HttpExchange;
import com.sun.net.httpserver.HttpHandler;
import com.sun.net.httpserver.HttpServer;
import java.io.IOException;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.CopyOnWriteArrayList;

/** A path with its handler, filters, authenticator and attributes. Any thread may change them while requests are served. */
final class ServedContext extends HttpContext {
    private final HttpServer server;
    private final String path;
    private final Map<String, Object> attributes = new ConcurrentHashMap<>();
    private final List<Filter> filters = new CopyOnWriteArrayList<>();
    private volatile HttpHandler handler;
    private volatile Authenticator authenticator;

    ServedContext(HttpServer server, String path) {
        this.server = server;
        this.path = path;
    }

    @Override
    public HttpHandler getHandler() {
        return handler;
    }

    @Override
    public void setHandler(HttpHandler wanted) {
        Objects.requireNonNull(wanted, "null handler");
        if (handler != null) {
            throw new IllegalArgumentException("the context for '" + path + "' has a handler already");
        }
        handler = wanted;
    }

    @Override
    public String getPath() {
        return path;
    }

    @Override
    public HttpServer getServer() {
        return server;
    }

    @Override
    public Map<String, Object> getAttributes() {
        return attributes;
    }

    @Override
    public List<Filter> getFilters() {
        return filters;
    }

    @Override
    public Authenticator setAuthenticator(Authenticator wanted) {
        Authenticator former = authenticator;
        authenticator = wanted;
        return former;
    }

    @Override
    public Authenticator getAuthenticator() {
        return authenticator;
    }

    /** Calls the filters, the authenticator and the handler. Programs see {@code exchange} as {@code shown}. */
    void serve(ServedExchange exchange, HttpExchange shown) throws IOException {
        LeaderThread.serves(exchange.http().connection());
        if (!filters.isEmpty()) {
            new Filter.Chain(filters, last -> authenticate(exchange, last)).doFilter(shown);
        } else {
            authenticate(exchange, shown);
        }
    }

    private void authenticate(ServedExchange exchange, HttpExchange shown) throws IOException {
        Authenticator present = authenticator;
        if (present == null) {
            handler.handle(shown);
            return;
        }
        Authenticator.Result result = present.authenticate(shown);
        if (result instanceof Authenticator.Success success) {
            exchange.setPrincipal(success.getPrincipal());
            handler.handle(shown);
        } else if (result instanceof Authenticator.Retry retry) {
            refuse(shown, retry.getResponseCode());
        } else if (result instanceof Authenticator.Failure failure) {
            refuse(shown, failure.getResponseCode());
        } else {
            throw new IllegalStateException(
                    "the authenticator of the context '" + path + "' has no result, but " + result);
        }
    }

    /** Refuses a request. Reads its body first, so that the connection can serve the next request. */
    private static void refuse(HttpExchange shown, int status) throws IOException {
        byte[] dropped = new byte[DROPPED_AT_ONCE];
        while (shown.getRequestBody().read(dropped) >= 0) {
            // dropped, because the client is not admitted
        }
        shown.getRequestBody().close();
        shown.sendResponseHeaders(status, -1);
    }

    private static final int DROPPED_AT_ONCE = 4 << 10;
}
