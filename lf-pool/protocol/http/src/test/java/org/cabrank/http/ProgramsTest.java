package org.cabrank.http;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import java.io.File;
import java.io.IOException;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpRequest.BodyPublishers;
import java.net.http.HttpResponse;
import java.net.http.HttpResponse.BodyHandlers;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.TimeUnit;
import java.util.stream.Stream;
import org.cabrank.http.message.HttpLimits;
import org.cabrank.stream.StreamServer;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** Programs that were not written for this server: clients, and proxies in front of it. */
@Timeout(300)
@Tag("newest") // on an older JDK in a soak only
class ProgramsTest {
    private static final int ATTEMPTS_MAX = 200;
    private static final int LARGE = 300_000;

    @TempDir
    Path directory;

    private final List<Process> started = new ArrayList<>();

    @AfterEach
    void end() throws InterruptedException {
        for (Process process : started) {
            process.destroy();
            process.waitFor();
        }
    }

    static Stream<ServerModes> modes() {
        return ServerModes.all();
    }

    private static Path program(String name, String debianPackage) {
        Optional<Path> found = Stream.of((System.getenv().getOrDefault("PATH", "") + File.pathSeparator + "/usr/sbin")
                        .split(File.pathSeparator))
                .map(place -> Path.of(place, name))
                .filter(Files::isExecutable)
                .findFirst();
        assumeTrue(found.isPresent(), name + " was not found; on Debian: apt-get install " + debianPackage);
        return found.orElseThrow();
    }

    /** Sends back bodies; to GET a text whose number of chunks is the query. */
    private static void serve(HttpExchange exchange) {
        if (exchange.method().equals("POST") || exchange.method().equals("PUT")) {
            exchange.wholeBody(LARGE, (own, body) -> own.send(200, "application/octet-stream", body));
        } else if (exchange.query() == null) {
            exchange.send(200, "text/plain", "hello " + exchange.path());
        } else {
            int chunks = Integer.parseInt(exchange.query());
            exchange.begin(200, HttpExchange.UNKNOWN_LENGTH);
            for (int i = 0; i < chunks; i++) {
                exchange.write(StandardCharsets.US_ASCII.encode("chunk " + i + "\n"));
            }
            exchange.end();
        }
    }

    private static HttpService service() {
        return Http.server(ProgramsTest::serve).withLimits(HttpLimits.DEFAULT.withBodyBytes(LARGE));
    }

    private static StreamServer start() throws IOException {
        return new ServerModes("epoll", 3).start(service());
    }

    private String run(Path program, String... arguments) throws Exception {
        List<String> command = new ArrayList<>(List.of(program.toString()));
        command.addAll(List.of(arguments));
        Path output = Files.createTempFile(directory, "output", "");
        Process process = new ProcessBuilder(command)
                .redirectErrorStream(true)
                .redirectOutput(output.toFile())
                .start();
        started.add(process);
        assertTrue(process.waitFor(100, TimeUnit.SECONDS), () -> program + " does not end");
        return Files.readString(output, StandardCharsets.ISO_8859_1);
    }

    @ParameterizedTest
    @MethodSource("modes")
    void curlIsServed(ServerModes mode) throws Exception {
        Path curl = program("curl", "curl");
        Path upload = Files.write(
                directory.resolve("upload"), "0123456789".repeat(LARGE / 10).getBytes());
        HttpService service = service();
        try (StreamServer server = mode.start(service)) {
            String base = "http://127.0.0.1:" + server.port();
            assertEquals("hello /ahello /b", run(curl, "-s", base + "/a", base + "/b"));
            assertEquals("chunk 0\nchunk 1\n", run(curl, "-s", base + "/?2"));
            assertEquals("hello /a", run(curl, "-s", "--http1.0", base + "/a"));
            assertEquals("body", run(curl, "-s", "-d", "body", base));
            // A body that is announced by Expect: 100-continue, and one in chunks.
            String sent = Files.readString(upload);
            assertEquals(sent, run(curl, "-s", "-H", "Expect: 100-continue", "-T", upload.toString(), base));
            assertEquals(
                    sent, run(curl, "-s", "-H", "Transfer-Encoding: chunked", "--data-binary", "@" + upload, base));
            assertTrue(run(curl, "-s", "-I", base + "/a").contains("Content-Length: 8"));
            assertTrue(run(curl, "-sv", "--http2", base + "/a").contains("hello /a"));
            String refused = run(curl, "-sv", "--http2-prior-knowledge", base + "/a");
            assertTrue(!refused.contains("hello"), refused);
            assertEquals(1, service.counters().refused());
        }
    }

    @Test
    void wrkFindsNoError() throws Exception {
        Path wrk = program("wrk", "wrk");
        try (StreamServer server = start()) {
            String report = run(wrk, "-t1", "-c8", "-d1s", "http://127.0.0.1:" + server.port() + "/");
            assertTrue(report.contains("requests in"), report);
            assertTrue(!report.contains("Socket errors") && !report.contains("Non-2xx"), report);
        }
    }

    @Test
    void h2loadFindsNoErrorOverHttp11() throws Exception {
        Path h2load = program("h2load", "nghttp2-client");
        try (StreamServer server = start()) {
            String report =
                    run(h2load, "--h1", "-n", "2000", "-c", "8", "-m", "4", "http://127.0.0.1:" + server.port() + "/");
            assertTrue(report.contains("2000 succeeded, 0 failed, 0 errored, 0 timeout"), report);
        }
    }

    private static int freePort() throws IOException {
        try (ServerSocket socket = new ServerSocket(0, 1, InetAddress.getLoopbackAddress())) {
            return socket.getLocalPort();
        }
    }

    private Path startProxy(int port, Path log, String... command) throws Exception {
        Process process = new ProcessBuilder(command)
                .redirectErrorStream(true)
                .redirectOutput(log.toFile())
                .start();
        started.add(process);
        for (int attempt = 0; attempt < ATTEMPTS_MAX; attempt++) {
            try (Socket reached = new Socket(InetAddress.getLoopbackAddress(), port)) {
                assertTrue(reached.isConnected());
                return log;
            } catch (IOException notYet) {
                boolean ended = process.waitFor(50, TimeUnit.MILLISECONDS);
                assertTrue(!ended, () -> command[0] + " has ended: " + read(log));
            }
        }
        throw new IOException(command[0] + " does not listen: " + read(log));
    }

    private static String read(Path file) {
        try {
            return Files.readString(file, StandardCharsets.ISO_8859_1);
        } catch (IOException unreadable) {
            return unreadable.toString();
        }
    }

    private static void checkThrough(int port, Path log) throws Exception {
        HttpClient client = HttpClient.newHttpClient();
        URI base = URI.create("http://127.0.0.1:" + port + "/");
        for (int i = 0; i < 20; i++) {
            HttpResponse<String> got =
                    client.send(HttpRequest.newBuilder(base.resolve("/a?3")).build(), BodyHandlers.ofString());
            assertEquals("chunk 0\nchunk 1\nchunk 2\n", got.body(), () -> read(log));
            String body = "x".repeat(1 + i * 10_000);
            HttpRequest post = HttpRequest.newBuilder(base)
                    .POST(BodyPublishers.ofString(body))
                    .build();
            assertEquals(body, client.send(post, BodyHandlers.ofString()).body(), () -> read(log));
        }
    }

    @Test
    void haproxyForwards() throws Exception {
        Path haproxy = program("haproxy", "haproxy");
        try (StreamServer server = start()) {
            int port = freePort();
            Path configuration =
                    Files.writeString(directory.resolve("haproxy.cfg"), """
                    defaults
                        mode http
                        timeout connect 5s
                        timeout client 30s
                        timeout server 30s
                    frontend clients
                        bind 127.0.0.1:%d
                        default_backend servers
                    backend servers
                        option httpchk GET /health
                        http-reuse always
                        server one 127.0.0.1:%d check inter 100ms
                    """.formatted(port, server.port()));
            Path log = directory.resolve("haproxy.log");
            checkThrough(port, startProxy(port, log, haproxy.toString(), "-db", "-q", "-f", configuration.toString()));
        }
    }

    @Test
    void nginxForwards() throws Exception {
        Path nginx = program("nginx", "nginx-light");
        try (StreamServer server = start()) {
            int port = freePort();
            Path configuration =
                    Files.writeString(directory.resolve("nginx.conf"), """
                    daemon off;
                    master_process off;
                    pid %1$s/nginx.pid;
                    error_log stderr;
                    events { worker_connections 64; }
                    http {
                        access_log off;
                        client_body_temp_path %1$s/body;
                        proxy_temp_path %1$s/proxy;
                        fastcgi_temp_path %1$s/fastcgi;
                        uwsgi_temp_path %1$s/uwsgi;
                        scgi_temp_path %1$s/scgi;
                        upstream servers { server 127.0.0.1:%3$d; keepalive 4; }
                        server {
                            listen 127.0.0.1:%2$d;
                            location / {
                                proxy_pass http://servers;
                                proxy_http_version 1.1;
                                proxy_set_header Connection "";
                                proxy_request_buffering off;
                            }
                        }
                    }
                    """.formatted(directory, port, server.port()));
            Path log = directory.resolve("nginx.log");
            checkThrough(
                    port,
                    startProxy(
                            port, log, nginx.toString(), "-p", directory.toString(), "-c", configuration.toString()));
        }
    }
}
