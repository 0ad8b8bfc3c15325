package org.cabrank.httpserver;

import com.sun.net.httpserver.Authenticator;
import com.sun.net.httpserver.BasicAuthenticator;
import com.sun.net.httpserver.Filter;
import com.sun.net.httpserver.HttpContext;
import com.sun.net.httpserver.HttpExchange;
import com.sun.net.httpserver.HttpHandler;
import com.sun.net.httpserver.HttpServer;
import java.io.FilterOutputStream;
import java.io.IOException;
import java.io.OutputStream;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;

/** Contexts of a server whose answers are compared with those of another; what handlers saw is noted. */
final class ComparedHandlers {
    private final List<String> seen = new CopyOnWriteArrayList<>();

    List<String> seen() {
        return seen;
    }

    /** An action that is expected to throw. */
    private interface Action {
        void run() throws IOException;
    }

    private void noteThrown(Action action) {
        try {
            action.run();
            seen.add("nothing thrown");
        } catch (IOException | RuntimeException thrown) {
            boolean io = thrown instanceof IOException; // the class may be one of the implementation
            seen.add((io ? "IOException" : thrown.getClass().getName()));
        }
    }

    private static byte[] bytes(String text) {
        return text.getBytes(StandardCharsets.ISO_8859_1);
    }

    private static void answer(HttpExchange exchange, String text) throws IOException {
        exchange.sendResponseHeaders(200, text.isEmpty() ? -1 : text.length());
        exchange.getResponseBody().write(bytes(text));
        exchange.close();
    }

    void installIn(HttpServer server) {
        server.createContext("/fixed", exchange -> answer(exchange, "hello"));
        server.createContext("/chunked", exchange -> {
            exchange.sendResponseHeaders(200, 0);
            OutputStream out = exchange.getResponseBody();
            out.write(bytes("hello"));
            out.flush();
            out.write(bytes(" world"));
            out.close();
        });
        server.createContext("/bytes", exchange -> {
            exchange.sendResponseHeaders(200, 3);
            for (byte b : bytes("abc")) {
                exchange.getResponseBody().write(b);
            }
            exchange.getResponseBody().close();
        });
        server.createContext("/none", exchange -> exchange.sendResponseHeaders(200, -1));
        server.createContext("/204", exchange -> exchange.sendResponseHeaders(204, -1));
        server.createContext("/length204", exchange -> exchange.sendResponseHeaders(204, 5));
        server.createContext("/304", exchange -> {
            exchange.getResponseHeaders().set("ETag", "\"x\"");
            exchange.sendResponseHeaders(304, -1);
        });
        server.createContext("/sized", exchange -> {
            exchange.getResponseHeaders().set("Content-Length", "42");
            exchange.sendResponseHeaders(200, -1);
        });
        server.createContext(
                "/echo",
                exchange -> answer(
                        exchange, new String(exchange.getRequestBody().readAllBytes(), StandardCharsets.ISO_8859_1)));
        server.createContext("/unread", exchange -> answer(exchange, "unread"));
        server.createContext("/half", exchange -> {
            byte[] half = exchange.getRequestBody().readNBytes(3);
            exchange.getRequestBody().close();
            noteThrown(() -> exchange.getRequestBody().read());
            answer(exchange, new String(half, StandardCharsets.ISO_8859_1));
        });
        server.createContext(
                "/request",
                exchange -> answer(
                        exchange,
                        exchange.getRequestMethod() + " "
                                + exchange.getRequestURI() + " "
                                + exchange.getRequestURI().getPath() + " " + exchange.getProtocol() + " "
                                + exchange.getRequestHeaders().getFirst("x-ONE") + " "
                                + exchange.getRequestHeaders().get("X-two") + " "
                                + exchange.getHttpContext().getPath()));
        server.createContext("/closing", exchange -> {
            exchange.getResponseHeaders().add("Connection", "close");
            answer(exchange, "last");
        });
        server.createContext("/many", exchange -> {
            exchange.getResponseHeaders().add("X-A", "1");
            exchange.getResponseHeaders().add("X-A", "2");
            answer(exchange, "many");
        });
        installWrongOnes(server);
        installFilters(server);
    }

    private void installWrongOnes(HttpServer server) {
        server.createContext("/toomany", exchange -> {
            exchange.sendResponseHeaders(200, 3);
            noteThrown(() -> exchange.getResponseBody().write(bytes("12345")));
            exchange.getResponseBody().write(bytes("123"));
            noteThrown(() -> exchange.getResponseBody().write('4'));
            exchange.close();
            noteThrown(() -> exchange.getResponseBody().write(bytes("5")));
        });
        server.createContext("/twice", exchange -> {
            exchange.sendResponseHeaders(200, -1);
            noteThrown(() -> exchange.sendResponseHeaders(200, -1));
            seen.add("code " + exchange.getResponseCode());
        });
        server.createContext("/early", exchange -> {
            seen.add("code " + exchange.getResponseCode());
            noteThrown(() -> exchange.getResponseBody().write(1));
            noteThrown(() -> exchange.getResponseBody().close());
            noteThrown(() -> exchange.getRequestHeaders().add("X-B", "1"));
            noteThrown(() -> exchange.getResponseHeaders().add("X-B", "1\n2"));
            noteThrown(() -> exchange.getAttribute(null));
            answer(exchange, "early");
        });
        server.createContext("/given-up", HttpExchange::close);
        server.createContext("/no-handler");
    }

    private static void installFilters(HttpServer server) {
        HttpContext filtered = server.createContext("/filtered", exchange -> answer(exchange, "filtered"));
        filtered.getFilters().add(new Upper("first"));
        filtered.getFilters().add(new Filter() {
            @Override
            public void doFilter(HttpExchange exchange, Chain chain) throws IOException {
                exchange.getResponseHeaders().add("X-Filter", "second " + exchange.getAttribute("by"));
                chain.doFilter(exchange);
            }

            @Override
            public String description() {
                return "second";
            }
        });
        HttpContext locked = server.createContext(
                "/locked",
                exchange -> answer(
                        exchange,
                        exchange.getPrincipal().getUsername() + "@"
                                + exchange.getPrincipal().getRealm()));
        locked.setAuthenticator(new BasicAuthenticator("realm") {
            @Override
            public boolean checkCredentials(String user, String password) {
                return user.equals("ann") && password.equals("secret");
            }
        });
        HttpContext never = server.createContext("/never", ComparedHandlers::fail);
        never.setAuthenticator(new Authenticator() {
            @Override
            public Result authenticate(HttpExchange exchange) {
                return new Failure(403);
            }
        });
    }

    private static void fail(HttpExchange exchange) {
        throw new AssertionError("a client that is not admitted reaches the handler");
    }

    /** A filter that changes the body in its stream, and sets an attribute. */
    private static final class Upper extends Filter {
        private final String name;

        Upper(String name) {
            this.name = name;
        }

        @Override
        public void doFilter(HttpExchange exchange, Chain chain) throws IOException {
            exchange.setAttribute("by", name);
            exchange.setStreams(null, new FilterOutputStream(exchange.getResponseBody()) {
                @Override
                public void write(int b) throws IOException {
                    out.write(Character.toUpperCase(b));
                }
            });
            chain.doFilter(exchange);
        }

        @Override
        public String description() {
            return name;
        }
    }

    /** The handler that a test of differences needs alone. */
    static HttpHandler throwing() {
        return exchange -> {
            throw new IOException("on purpose");
        };
    }
}
