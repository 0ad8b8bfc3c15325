package org.cabrank.http.example;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.Socket;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpRequest.BodyPublishers;
import java.net.http.HttpResponse.BodyHandlers;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.TimeUnit;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import javax.net.ssl.SSLContext;
import javax.net.ssl.SSLParameters;
import javax.net.ssl.SSLSocket;
import org.cabrank.http.Http;
import org.cabrank.http.HttpHandler;
import org.cabrank.http.client.HttpCall;
import org.cabrank.stream.ReactorFile;
import org.cabrank.stream.StreamReactor;
import org.cabrank.stream.StreamServer;
import org.cabrank.tls.SelfSigned;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** The examples of the package documentation are code of {@link HttpRecipes}, and work. */
@Timeout(300)
class HttpRecipesTest {
    private static final Path RECIPES = Path.of("src/test/java/org/cabrank/http/example/HttpRecipes.java");
    private static final Path PACKAGE = Path.of("src/main/java/org/cabrank/http/package-info.java");
    private static final Path CLIENT_PACKAGE = Path.of("src/main/java/org/cabrank/http/client/package-info.java");
    private static final Pattern BLOCK = Pattern.compile("<pre>\\{@code\\n(.*?)\\n \\* }</pre>", Pattern.DOTALL);

    private static String folded(String code) {
        return code.replaceAll("\\s+", ""); // the formatter breaks lines otherwise
    }

    @Test
    void everyExampleOfTheDocumentationCompiles() throws Exception {
        String recipes = folded(Files.readString(RECIPES));
        List<String> examples = new ArrayList<>();
        Matcher blocks = BLOCK.matcher(Files.readString(PACKAGE) + Files.readString(CLIENT_PACKAGE));
        while (blocks.find()) {
            String code = blocks.group(1).replaceAll("(?m)^ \\* ?", "");
            examples.addAll(List.of(code.split("\\n\\.\\.\\.\\n")));
        }
        assertEquals(
                List.of(),
                examples.stream()
                        .filter(code -> !recipes.contains(folded(code)))
                        .toList());
        assertTrue(examples.size() >= 8, examples.size() + " examples");
    }

    private static String get(StreamServer server, String target) throws Exception {
        return get(server.port(), target);
    }

    private static String get(int port, String target) throws Exception {
        HttpRequest request = HttpRequest.newBuilder(URI.create("http://127.0.0.1:" + port + target))
                .build();
        return HttpClient.newHttpClient().send(request, BodyHandlers.ofString()).body();
    }

    private static StreamServer serve(HttpHandler handler) throws Exception {
        return StreamServer.builder()
                .listen("127.0.0.1", 0)
                .handler(HttpRecipes.limited(handler))
                .start();
    }

    @Test
    void helloIsSaid() throws Exception {
        try (StreamServer server = HttpRecipes.serve(0)) {
            assertEquals("hello", get(server, "/"));
        }
    }

    @Test
    void workIsDoneElsewhere() throws Exception {
        ExecutorService executor = Executors.newSingleThreadExecutor();
        try (StreamServer offloading = serve(HttpRecipes.offloading(executor));
                StreamServer later = serve(HttpRecipes.answeringLater(executor))) {
            assertEquals("found x", get(offloading, "/?x"));
            assertEquals("by /y", get(later, "/y"));
        } finally {
            executor.shutdown();
        }
    }

    @Test
    void bodiesAndAnswersComeInPieces() throws Exception {
        try (StreamServer summing = serve(HttpRecipes.summing());
                StreamServer counting = serve(HttpRecipes.counting(100_000))) {
            HttpRequest sum = HttpRequest.newBuilder(URI.create("http://127.0.0.1:" + summing.port()))
                    .POST(BodyPublishers.ofByteArray(new byte[] {1, 2, (byte) 200}))
                    .build();
            assertEquals(
                    "203",
                    HttpClient.newHttpClient()
                            .send(sum, BodyHandlers.ofString())
                            .body());
            assertEquals(
                    IntStream.range(0, 100_000).mapToObj(i -> i + "\n").collect(Collectors.joining()),
                    get(counting, "/"));
        }
    }

    @Test
    void aBodyIsSentInPieces() throws Exception {
        try (StreamServer server = serve(exchange -> exchange.wholeBody(
                        1 << 20, (own, body) -> own.send(200, "text/plain", String.valueOf(body.remaining()))));
                org.cabrank.http.client.HttpClient client = Http.client(server.reactor())) {
            HttpCall call = HttpRecipes.counted(URI.create("http://127.0.0.1:" + server.port()), 100_000);
            assertEquals("588890", client.send(call).get(120, TimeUnit.SECONDS).text());
        }
    }

    @Test
    void aFileIsServed(@TempDir Path directory) throws Exception {
        Path path = Files.writeString(directory.resolve("file"), "content");
        try (StreamServer opening = HttpRecipes.serve(0);
                ReactorFile file = HttpRecipes.open(opening, path);
                StreamServer server = serve(HttpRecipes.file(file, 7))) {
            assertEquals("content", get(server, "/"));
        }
    }

    @Test
    void aHandlerWaitsForAnotherService() throws Exception {
        try (StreamServer inventory = serve(exchange -> exchange.send(200, "text/plain", "7 of " + exchange.query()));
                StreamReactor reactor = HttpRecipes.start(0, "http://127.0.0.1:" + inventory.port())) {
            int port = ((InetSocketAddress) reactor.listeners().get(0).address()).getPort();
            assertEquals("in stock: 7 of nails", get(port, "/?nails"));
        }
    }

    @Test
    void aResponseIsRelayedPieceByPiece() throws Exception {
        int lines = 100_000;
        try (StreamServer origin = serve(HttpRecipes.counting(lines));
                org.cabrank.http.client.HttpClient client = Http.client(origin.reactor());
                StreamServer relay =
                        serve(HttpRecipes.relaying(client, URI.create("http://127.0.0.1:" + origin.port())))) {
            String received = get(relay, "/all");
            assertTrue(received.endsWith("\n" + (lines - 1) + "\n"), received.length() + " characters");
            assertEquals(lines, received.lines().count());
            assertEquals(1, client.connections());
        }
    }

    @Test
    void aRelayWithoutAnOriginAnswersWithAnError() throws Exception {
        try (StreamServer origin = HttpRecipes.serve(0);
                org.cabrank.http.client.HttpClient client = Http.client(origin.reactor());
                StreamServer relay = serve(HttpRecipes.relaying(client, URI.create("http://127.0.0.1:1")))) {
            HttpRequest request = HttpRequest.newBuilder(URI.create("http://127.0.0.1:" + relay.port()))
                    .build();
            assertEquals(
                    502,
                    HttpClient.newHttpClient()
                            .send(request, BodyHandlers.discarding())
                            .statusCode());
        }
    }

    /** Each request names another host in some way, or tries to end the request line; none reaches another host than the origin. */
    @ParameterizedTest
    @CsvSource({
        "CONNECT evil:80, 405",
        "CONNECT 127.0.0.1:80, 405",
        "POST /a, 200 /a",
        "OPTIONS *, 400",
        "GET *, 400",
        "GET http://evil/a, 200 /a",
        "GET https://evil:81/a?b, 200 /a?b",
        "GET http://evil, 200 /",
        "GET http://evil?b, 200 /?b",
        "GET http://a@evil/, 400",
        "GET //evil/a, 200 //evil/a",
        "GET ///evil, 200 ///evil",
        "GET /@evil/, 200 /@evil/",
        "GET /a@evil:80, 200 /a@evil:80",
        "GET @evil/, 400",
        "GET .evil/, 400",
        "GET :80@evil/, 400",
        "GET ?a, 400",
        "GET ftp://evil/, 400",
        "GET file:///etc/passwd, 400",
        "GET http:/evil, 400",
        "GET http:evil, 400",
        "GET /http://evil/, 200 /http://evil/",
        "GET /\\evil, 200 /%5Cevil",
        "GET /a?b%0d%0aHost:evil, 200 /a?b%0d%0aHost:evil",
        "GET /a#@evil, 400",
        "GET /%, 400",
        "GET /%zz, 400",
        "GET /a?[|]\u00c3\u00a4\", 200 /a?%5B%7C%5D%C3%A4%22",
        "GET /..//evil, 200 /..//evil",
    })
    void noRequestReachesAnotherHostThanTheOrigin(String start, String expected) throws Exception {
        try (StreamServer origin =
                        serve(exchange -> exchange.send(200, null, exchange.authority() + " " + exchange.target()));
                org.cabrank.http.client.HttpClient client = Http.client(origin.reactor());
                StreamServer relay =
                        serve(HttpRecipes.relaying(client, URI.create("http://127.0.0.1:" + origin.port())));
                Socket socket = new Socket(InetAddress.getLoopbackAddress(), relay.port())) {
            socket.getOutputStream()
                    .write((start + " HTTP/1.1\r\nHost: evil\r\nConnection: close\r\n\r\n")
                            .getBytes(StandardCharsets.ISO_8859_1));
            String answer = new String(socket.getInputStream().readAllBytes(), StandardCharsets.ISO_8859_1);
            assertEquals(expected.substring(0, 3), answer.substring(9, 12), answer);
            if (expected.length() > 3) {
                assertTrue(answer.contains("127.0.0.1:" + origin.port() + expected.substring(3) + "\r\n"), answer);
            }
        }
    }

    @Test
    void aClientCallsByHttps() throws Exception {
        SelfSigned identity =
                SelfSigned.of(Instant.now().minusSeconds(60), Instant.now().plusSeconds(3_600), "localhost");
        SSLContext context = SelfSigned.trusting(identity.certificate());
        try (StreamServer server = HttpRecipes.secure(
                        0, identity.context(), exchange -> exchange.send(200, "text/plain", exchange.authority()));
                org.cabrank.http.client.HttpClient client = HttpRecipes.secureClient(server.reactor(), context)) {
            for (int i = 0; i < 2; i++) {
                HttpCall call = HttpCall.get("https://localhost:" + server.port() + "/");
                assertEquals(
                        "localhost:" + server.port(),
                        client.send(call).get(120, TimeUnit.SECONDS).text());
            }
            assertEquals(1, client.connections());
        }
    }

    @Test
    void httpsAgreesOnTheProtocol() throws Exception {
        SelfSigned identity =
                SelfSigned.of(Instant.now().minusSeconds(60), Instant.now().plusSeconds(3_600), "localhost");
        SSLContext client = SelfSigned.trusting(identity.certificate());
        HttpHandler hello = exchange -> exchange.send(200, "text/plain", "secure");
        try (StreamServer server = HttpRecipes.secure(0, identity.context(), hello);
                Socket plain = new Socket(InetAddress.getLoopbackAddress(), server.port());
                SSLSocket socket =
                        (SSLSocket) client.getSocketFactory().createSocket(plain, "localhost", server.port(), true)) {
            SSLParameters parameters = socket.getSSLParameters();
            parameters.setApplicationProtocols(new String[] {"h2", "http/1.1"});
            socket.setSSLParameters(parameters);
            socket.getOutputStream()
                    .write("GET / HTTP/1.1\r\nHost: localhost\r\nConnection: close\r\n\r\n"
                            .getBytes(StandardCharsets.US_ASCII));
            String answer = new String(socket.getInputStream().readAllBytes(), StandardCharsets.US_ASCII);
            assertTrue(answer.endsWith("\r\n\r\nsecure"), answer);
            assertEquals("http/1.1", socket.getApplicationProtocol());
        }
        assertEquals(0, Http.server(hello).counters().refused());
    }
}
