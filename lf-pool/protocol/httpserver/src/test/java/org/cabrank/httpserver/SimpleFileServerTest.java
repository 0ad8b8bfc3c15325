package org.cabrank.httpserver;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import com.sun.net.httpserver.Filter;
import com.sun.net.httpserver.Headers;
import com.sun.net.httpserver.HttpExchange;
import com.sun.net.httpserver.HttpHandler;
import com.sun.net.httpserver.HttpServer;
import java.io.ByteArrayOutputStream;
import java.io.OutputStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.function.Predicate;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.condition.EnabledForJreRange;
import org.junit.jupiter.api.condition.JRE;
import org.junit.jupiter.api.io.TempDir;

/** Handlers and filters that the JDK brings since version 18, by reflection, because the tests are compiled for 17. */
@Timeout(300)
@EnabledForJreRange(min = JRE.JAVA_18)
class SimpleFileServerTest {
    private static final String FILES = "com.sun.net.httpserver.SimpleFileServer";
    private static final String HANDLERS = "com.sun.net.httpserver.HttpHandlers";

    @TempDir
    private Path directory;

    private static Object call(String type, String method, Object... arguments) throws ReflectiveOperationException {
        return Arrays.stream(Class.forName(type).getMethods())
                .filter(one -> one.getName().equals(method) && one.getParameterCount() == arguments.length)
                .findFirst()
                .orElseThrow()
                .invoke(null, arguments);
    }

    @Test
    void filesAreServedAndLogged() throws Exception {
        byte[] large = new byte[3_000_000];
        Arrays.fill(large, (byte) 'x');
        Files.write(directory.resolve("large.bin"), large);
        Files.writeString(directory.resolve("hello.txt"), "hello");
        ByteArrayOutputStream log = new ByteArrayOutputStream();
        Object verbose = Class.forName(FILES + "$OutputLevel").getEnumConstants()[1];
        Filter filter = (Filter) call(FILES, "createOutputFilter", (OutputStream) log, verbose);
        HttpServer server = ServerMode.create(HttpServerSettings.DEFAULT.withThreads(2));
        server.createContext("/", (HttpHandler) call(FILES, "createFileHandler", directory))
                .getFilters()
                .add(filter);
        server.start();
        try (RawClient client = new RawClient(server)) {
            RawClient.Answer hello = client.get("/hello.txt").answer();
            assertEquals("hello", hello.body());
            assertEquals("text/plain", hello.fields().get("content-type"));
            assertEquals(3_000_000, client.get("/large.bin").answer().body().length());
            RawClient.Answer head =
                    client.send("HEAD /large.bin HTTP/1.1\r\nHost: a\r\n\r\n").answer(true);
            assertEquals("3000000", head.fields().get("content-length"));
            assertTrue(client.get("/").answer().body().contains("large.bin")); // a directory
            assertEquals(404, client.get("/none").answer().status());
            assertEquals(404, client.get("//etc/passwd").answer().status());
            assertEquals(
                    405,
                    client.send("DELETE /hello.txt HTTP/1.1\r\nHost: a\r\n\r\n")
                            .answer()
                            .status());
        } finally {
            server.stop(0);
        }
        String lines = log.toString();
        assertTrue(lines.contains("\"GET /hello.txt HTTP/1.1\" 200 -"), lines);
        assertTrue(lines.contains("\"GET /none HTTP/1.1\" 404 -"), lines);
    }

    @Test
    void cannedAnswersAndAdaptedRequestsAreServed() throws Exception {
        Headers headers = new Headers();
        headers.set("X-A", "b");
        HttpHandler canned = (HttpHandler) call(HANDLERS, "of", 203, headers, "canned");
        HttpHandler named = exchange -> ServerLifeTest.answer(exchange, "named " + exchange.getRequestMethod());
        Predicate<Object> posts = request -> method(request).equals("POST");
        HttpServer server = ServerMode.create(HttpServerSettings.DEFAULT);
        server.createContext("/", (HttpHandler) call(HANDLERS, "handleOrElse", posts, named, canned));
        server.start();
        try (RawClient client = new RawClient(server)) {
            RawClient.Answer answer = client.get("/").answer();
            assertEquals(203, answer.status());
            assertEquals("b", answer.fields().get("x-a"));
            assertEquals("canned", answer.body());
            client.send("POST / HTTP/1.1\r\nHost: a\r\nContent-Length: 0\r\n\r\n");
            assertEquals("named POST", client.answer().body());
        } finally {
            server.stop(0);
        }
    }

    private static String method(Object request) {
        return ((HttpExchange) request).getRequestMethod();
    }
}
