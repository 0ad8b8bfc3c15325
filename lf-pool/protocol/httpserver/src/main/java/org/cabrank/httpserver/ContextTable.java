package org.cabrank.httpserver;

import com.sun.net.httpserver.HttpContext;
import com.sun.net.httpserver.HttpHandler;
import com.sun.net.httpserver.HttpServer;
import java.util.Arrays;
import java.util.Objects;

/**
 * The contexts of a server. The context whose path is the longest prefix of the request's path serves the request, as the API demands.
 * Prefixes are compared by characters, so {@code /foo} also serves {@code /foobar}. A look-up takes no lock. Any thread may use the table.
 */
final class ContextTable {
    private static final ServedContext[] NONE = {};

    private HttpServer server;

    /** The contexts, longest path first. Replaced under the monitor. */
    private volatile ServedContext[] byLength = NONE;

    void setServer(HttpServer owner) {
        server = owner;
    }

    /** @param handler null if the program sets it later */
    synchronized HttpContext create(String path, HttpHandler handler) {
        Objects.requireNonNull(path, "null path");
        if (!path.startsWith("/")) {
            throw new IllegalArgumentException("the path of a context begins with '/', but this is '" + path + "'");
        }
        if (indexOf(path) >= 0) {
            throw new IllegalArgumentException("there is a context for the path '" + path + "' already");
        }
        ServedContext added = new ServedContext(server, path);
        if (handler != null) {
            added.setHandler(handler);
        }
        ServedContext[] changed = Arrays.copyOf(byLength, byLength.length + 1);
        int at = byLength.length;
        for (; at > 0 && changed[at - 1].getPath().length() < path.length(); at--) {
            changed[at] = changed[at - 1];
        }
        changed[at] = added;
        byLength = changed;
        return added;
    }

    synchronized void remove(String path) {
        Objects.requireNonNull(path, "null path");
        removeAt(indexOf(path), path);
    }

    synchronized void remove(HttpContext context) {
        if (!(context instanceof ServedContext)) {
            throw new IllegalArgumentException("the context is none of this server");
        }
        int at = Arrays.asList(byLength).indexOf(context);
        removeAt(at, context.getPath());
    }

    private void removeAt(int at, String path) {
        if (at < 0) {
            throw new IllegalArgumentException("there is no context for the path '" + path + "'");
        }
        ServedContext[] changed = Arrays.copyOf(byLength, byLength.length - 1);
        System.arraycopy(byLength, at + 1, changed, at, changed.length - at);
        byLength = changed;
    }

    private int indexOf(String path) {
        ServedContext[] all = byLength;
        for (int i = 0; i < all.length; i++) {
            if (all[i].getPath().equals(path)) {
                return i;
            }
        }
        return -1;
    }

    ServedContext find(String path) {
        for (ServedContext context : byLength) {
            if (path.startsWith(context.getPath())) {
                return context;
            }
        }
        return null;
    }
}
