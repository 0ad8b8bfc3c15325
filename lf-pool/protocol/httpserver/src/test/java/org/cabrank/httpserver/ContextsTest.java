package org.cabrank.httpserver;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertSame;
import static org.junit.jupiter.api.Assertions.assertThrows;

import com.sun.net.httpserver.HttpContext;
import com.sun.net.httpserver.HttpServer;
import java.util.List;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** Contexts of a server that runs. */
@Timeout(300)
class ContextsTest {
    private HttpServer server;

    @BeforeEach
    void start() throws Exception {
        server = ServerMode.create(HttpServerSettings.DEFAULT);
        server.start();
    }

    @AfterEach
    void stop() {
        server.stop(0);
    }

    private HttpContext add(String path) {
        return server.createContext(
                path,
                exchange -> ServerLifeTest.answer(
                        exchange, exchange.getHttpContext().getPath()));
    }

    private int status(String path) throws Exception {
        try (RawClient client = new RawClient(server)) {
            return client.get(path).answer().status();
        }
    }

    private String body(String path) throws Exception {
        try (RawClient client = new RawClient(server)) {
            return client.get(path).answer().body();
        }
    }

    @Test
    void theLongestPathServes() throws Exception {
        assertEquals(404, status("/"));
        for (String path : List.of("/a", "/", "/a/b/", "/a/")) {
            add(path);
        }
        assertEquals("/", body("/b"));
        assertEquals("/a", body("/a"));
        assertEquals("/a", body("/ab?x"));
        assertEquals("/a/", body("/a/b"));
        assertEquals("/a/b/", body("/a/b/c"));
        assertEquals("/a/b/", body("/%61/b/c")); // compared when it is decoded
        server.removeContext("/a/");
        assertEquals("/a", body("/a/b"));
    }

    /** The client asks for the root (RFC 9110 section 4.2.3). */
    @Test
    void anAbsoluteTargetWithoutAPathIsTheRoot() throws Exception {
        server.createContext(
                "/",
                exchange -> ServerLifeTest.answer(
                        exchange,
                        exchange.getRequestURI().getPath() + " "
                                + exchange.getRequestURI().getRawQuery() + " "
                                + exchange.getRequestURI().getAuthority()));
        assertEquals("/ null a", body("http://a"));
        assertEquals("/ q=1?/ a:80", body("http://a:80?q=1?/"));
        assertEquals("/ null [::1]:8080", body("https://[::1]:8080"));
        assertEquals("/ null a", body("http://a/"));
        assertEquals("/b q a", body("http://a/b?q"));
    }

    /** An origin-form target has no authority, however it begins (RFC 9112 section 3.2.1). */
    @Test
    void twoSlashesBeginAPath() throws Exception {
        add("/x");
        server.createContext(
                "/",
                exchange -> ServerLifeTest.answer(
                        exchange,
                        exchange.getRequestURI().getPath() + " "
                                + exchange.getRequestURI().getRawQuery() + " "
                                + exchange.getRequestURI().getAuthority()));
        assertEquals("//foo/x null null", body("//foo/x"));
        assertEquals("//a:80/x q=1 null", body("//a:80/x?q=1"));
        assertEquals("//foo/x null null", body("//foo/%78"));
        assertEquals("// null null", body("//"));
        assertEquals("//[/ null null", body("//%5b/"));
        assertEquals("///x null null", body("///x"));
    }

    @Test
    void contextsComeAndGoWhileTheServerRuns() throws Exception {
        HttpContext context = add("/a");
        assertSame(server, context.getServer());
        assertEquals(200, status("/a"));
        server.removeContext(context);
        assertEquals(404, status("/a"));
        assertThrows(IllegalArgumentException.class, () -> server.removeContext(context));
        assertThrows(IllegalArgumentException.class, () -> server.removeContext("/a"));
        HttpContext later = server.createContext("/a");
        assertNull(later.getHandler());
        assertEquals(500, status("/a"));
        later.setHandler(exchange -> ServerLifeTest.answer(exchange, "later"));
        assertEquals("later", body("/a"));
        assertThrows(IllegalArgumentException.class, () -> later.setHandler(exchange -> {}));
        assertThrows(IllegalArgumentException.class, () -> add("/a"));
    }

    @Test
    void wrongArgumentsAreRefusedAsByTheJdk() throws Exception {
        HttpServer jdk = JdkComparisonTest.jdkProvider().createHttpServer(ServerMode.anyPort(), 0);
        try {
            for (HttpServer one : List.of(jdk, server)) {
                assertThrows(NullPointerException.class, () -> one.createContext(null));
                assertThrows(NullPointerException.class, () -> one.createContext("/", null));
                assertThrows(IllegalArgumentException.class, () -> one.createContext(""));
                assertThrows(IllegalArgumentException.class, () -> one.createContext("a"));
                assertThrows(NullPointerException.class, () -> one.removeContext((String) null));
                assertThrows(IllegalArgumentException.class, () -> one.removeContext((HttpContext) null));
                HttpContext context = one.createContext("/x");
                assertThrows(NullPointerException.class, () -> context.setHandler(null));
                assertNull(context.setAuthenticator(null));
                assertNull(context.getAuthenticator());
            }
        } finally {
            jdk.stop(0);
        }
    }

    @Test
    void attributesAreThoseOfTheContextUnlessSetOtherwise() throws Exception {
        String counted = "counted";
        for (boolean ofExchange : new boolean[] {false, true}) {
            HttpServer counting = ServerMode.create(HttpServerSettings.DEFAULT.withAttributesOfExchange(ofExchange));
            counting.createContext("/", exchange -> {
                        Integer before = (Integer) exchange.getAttribute(counted);
                        exchange.setAttribute(counted, before + 1);
                        ServerLifeTest.answer(exchange, before + "");
                    })
                    .getAttributes()
                    .put(counted, 0);
            counting.start();
            try (RawClient client = new RawClient(counting)) {
                assertEquals("0", client.get("/").answer().body());
                assertEquals(ofExchange ? "0" : "1", client.get("/").answer().body());
            } finally {
                counting.stop(0);
            }
        }
    }
}
