package org.cabrank.httpserver;

import static org.junit.jupiter.api.Assertions.assertEquals;

import com.sun.net.httpserver.HttpServer;
import com.sun.net.httpserver.spi.HttpServerProvider;
import java.io.EOFException;
import java.net.SocketException;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** The same conversations with the JDK's server and with this one, with the same outcome. The differences stand in differences.html. */
@Timeout(300)
class JdkComparisonTest {
    private static final String HOST = "Host: a\r\n";
    private static final ComparedHandlers OF_JDK = new ComparedHandlers();
    private static final ComparedHandlers OURS = new ComparedHandlers();
    private static HttpServer jdk;
    private static HttpServer ours;

    @BeforeAll
    static void start() throws Exception {
        jdk = jdkProvider().createHttpServer(ServerMode.anyPort(), 0);
        ours = ServerMode.create(HttpServerSettings.DEFAULT);
        OF_JDK.installIn(jdk);
        OURS.installIn(ours);
        jdk.start();
        ours.start();
    }

    /** By reflection, because the package is not for programs. */
    static HttpServerProvider jdkProvider() throws ReflectiveOperationException {
        return (HttpServerProvider) Class.forName("sun.net.httpserver.DefaultHttpServerProvider")
                .getConstructor()
                .newInstance();
    }

    @AfterAll
    static void stop() {
        jdk.stop(0);
        ours.stop(0);
    }

    /** @param answers number of answers that follow the bytes */
    private record Conversation(String name, String bytes, int answers) {
        @Override
        public String toString() {
            return name;
        }
    }

    private static Conversation get(String path) {
        return new Conversation("GET " + path, "GET " + path + " HTTP/1.1\r\n" + HOST + "\r\n", 1);
    }

    private static Conversation head(String path) {
        return new Conversation("HEAD " + path, "HEAD " + path + " HTTP/1.1\r\n" + HOST + "\r\n", 1);
    }

    private static Conversation post(String path, String body) {
        return new Conversation(
                "POST " + path,
                "POST " + path + " HTTP/1.1\r\n" + HOST + "Content-Length: " + body.length() + "\r\n\r\n" + body,
                1);
    }

    private static Conversation other(String name, int answers, String... lines) {
        return new Conversation(name, String.join("\r\n", lines), answers);
    }

    static Stream<Conversation> conversations() {
        return Stream.of(
                get("/fixed"),
                get("/fixedbutlonger"),
                get("/fixed/below?a=b"),
                get("/bytes"),
                get("/chunked"),
                get("/none"),
                get("/204"),
                get("/length204"),
                get("/304"),
                head("/sized"),
                get("/closing"),
                get("/many"),
                get("/request/%41b?q=%20x"),
                get("/request//b"),
                get("/toomany"),
                get("/twice"),
                get("/early"),
                get("/given-up"),
                get("/no-handler"),
                get("/unknown"),
                get("/filtered"),
                get("/locked"),
                get("/never"),
                post("/never", "body"),
                post("/echo", "some bytes"),
                post("/echo", ""),
                post("/unread", "some bytes"),
                post("/half", "some bytes"),
                other(
                        "a chunked request",
                        1,
                        "POST /echo HTTP/1.1",
                        "Host: a",
                        "Transfer-Encoding: chunked",
                        "",
                        "3",
                        "abc",
                        "2;x=y",
                        "de",
                        "0",
                        "",
                        ""),
                other(
                        "credentials",
                        1,
                        "GET /locked HTTP/1.1",
                        "Host: a",
                        "Authorization: Basic YW5uOnNlY3JldA==",
                        "",
                        ""),
                other(
                        "wrong credentials",
                        1,
                        "POST /locked HTTP/1.1",
                        "Host: a",
                        "Authorization: Basic YW5uOnNlY3JlVA==",
                        "Content-Length: 3",
                        "",
                        "abc"),
                other("fields", 1, "GET /request HTTP/1.1", "Host: a", "x-one:  1 ", "X-Two: 2", "X-TWO: 3", "", ""),
                other("the client closes", 1, "GET /fixed HTTP/1.1", "Host: a", "Connection: close", "", ""),
                other("HTTP/1.0", 1, "GET /request HTTP/1.0", "Host: a", "", ""),
                other("HTTP/1.0 of unknown length", 1, "GET /chunked HTTP/1.0", "Host: a", "", ""),
                other(
                        "two pipelined",
                        2,
                        "GET /fixed HTTP/1.1",
                        "Host: a",
                        "",
                        "GET /chunked HTTP/1.1",
                        "Host: a",
                        "",
                        ""),
                other(
                        "100-continue",
                        2,
                        "POST /echo HTTP/1.1",
                        "Host: a",
                        "Content-Length: 3",
                        "Expect: 100-continue",
                        "",
                        "abc"),
                other("OPTIONS", 1, "OPTIONS /request HTTP/1.1", "Host: a", "", ""),
                other("an absolute target", 1, "GET http://b/request HTTP/1.1", "Host: a", "", ""),
                other("an unknown method", 1, "BREW /request HTTP/1.1", "Host: a", "", ""));
    }

    @ParameterizedTest
    @MethodSource("conversations")
    void theOutcomeIsThatOfTheJdk(Conversation conversation) throws Exception {
        List<String> expected = outcome(jdk, OF_JDK, conversation);
        List<String> outcome = outcome(ours, OURS, conversation);
        assertEquals(String.join("\n", expected), String.join("\n", outcome));
    }

    private static List<String> outcome(HttpServer server, ComparedHandlers handlers, Conversation conversation)
            throws Exception {
        handlers.seen().clear();
        List<String> outcome = new ArrayList<>();
        try (RawClient client = new RawClient(server)) {
            client.send(conversation.bytes());
            try {
                for (int i = 0; i < conversation.answers(); i++) {
                    outcome.add(text(client.answer(conversation.bytes().startsWith("HEAD"))));
                }
                outcome.add(text(client.get("/fixed").answer()));
            } catch (EOFException | SocketException ended) {
                outcome.add("ended");
            }
        }
        outcome.addAll(handlers.seen());
        return outcome;
    }

    /** Reasons are no matter of protocols, and a date is one of now; differences.html names the other fields. */
    private static String text(RawClient.Answer answer) {
        answer.fields().remove("date");
        answer.fields().remove("connection");
        if (answer.status() == 100) {
            answer.fields().remove("content-length");
        }
        return answer.status() + " " + answer.fields() + " " + answer.body();
    }
}
