package org.cabrank.bench.contender;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import java.io.IOException;
import java.net.Socket;
import java.nio.charset.StandardCharsets;
import java.util.Locale;
import java.util.Set;
import java.util.TreeSet;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.AfterParameterizedClassInvocation;
import org.junit.jupiter.params.BeforeParameterizedClassInvocation;
import org.junit.jupiter.params.ParameterizedClass;
import org.junit.jupiter.params.provider.MethodSource;

/**
 * The contract of all contenders that serve HTTP. All send the same bytes and fields, because shorter answers would be less
 * work. Subclasses say which contenders, with a method {@code servers}.
 */
@ParameterizedClass(name = "{0}, {1}")
@MethodSource("servers")
@Timeout(300)
public abstract class HttpContract {

    private static final String REQUEST = "GET /plaintext HTTP/1.1\r\nHost: bench\r\nAccept: text/plain\r\n\r\n";
    private static final String LAST_REQUEST = "GET / HTTP/1.1\r\nHost: bench\r\nConnection: close\r\n\r\n";
    private static final int ANSWER_BYTES = ("HTTP/1.1 200 OK\r\n"
                    + "Date: Sun, 06 Nov 1994 08:49:37 GMT\r\n"
                    + "Content-Type: text/plain\r\n"
                    + "Content-Length: 13\r\n\r\n"
                    + "Hello, World!")
            .length();

    private static RunningServer server;

    private final String name;
    private final Protocol protocol;

    protected HttpContract(String name, Protocol protocol) {
        this.name = name;
        this.protocol = protocol;
    }

    /** Field lines that the server sends in each answer beyond those of all contenders, because nothing makes it leave them out. */
    protected String furtherFields() {
        return "";
    }

    /** Returns null if the server closes a connection whose client asks for it; else the reason why it does not. */
    protected String keepsOpen() {
        return null;
    }

    /** Returns true if the last answer before the server closes a connection has the field Connection. */
    protected boolean saysThatItCloses() {
        return true;
    }

    protected final String name() {
        return name;
    }

    private int answerBytes() {
        return ANSWER_BYTES + furtherFields().length();
    }

    @BeforeParameterizedClassInvocation
    static void start(String name, Protocol protocol) throws Exception {
        server = Servers.start(name, Servers.settings(protocol));
    }

    @AfterParameterizedClassInvocation
    static void end() {
        if (server != null) {
            server.close();
            server = null;
        }
    }

    @Test
    void everyoneSendsTheSameFieldsAndAsManyBytes() throws Exception {
        try (Socket socket = connect()) {
            send(socket, REQUEST);
            assertAnswer(receive(socket, answerBytes()));
        }
    }

    @Test
    void pipelinedRequestsAreAllAnswered() throws Exception {
        int count = 200;
        try (Socket socket = connect()) {
            send(socket, REQUEST.repeat(count));
            String answers = receive(socket, answerBytes() * count);
            for (int at = 0; at < answers.length(); at += answerBytes()) {
                assertAnswer(answers.substring(at, at + answerBytes()));
            }
        }
    }

    @Test
    void aRequestMayComeInPieces() throws Exception {
        try (Socket socket = connect()) {
            socket.setTcpNoDelay(true);
            for (char piece : REQUEST.repeat(2).toCharArray()) {
                send(socket, String.valueOf(piece));
            }
            assertAnswer(receive(socket, answerBytes()));
            assertAnswer(receive(socket, answerBytes()));
        }
    }

    @Test
    void theConnectionEndsAfterTheLastAnswer() throws Exception {
        assumeTrue(keepsOpen() == null, this::keepsOpen);
        try (Socket socket = connect()) {
            send(socket, REQUEST + LAST_REQUEST);
            String answers = new String(socket.getInputStream().readAllBytes(), StandardCharsets.US_ASCII);
            assertAnswer(answers.substring(0, answerBytes()));
            String last = answers.substring(answerBytes()).toLowerCase(Locale.ROOT);
            Set<String> expected = new TreeSet<>(Set.of("date", "content-type", "content-length"));
            if (saysThatItCloses()) {
                expected.add("connection");
            }
            assertEquals(expected, fields(last));
        }
    }

    private void assertAnswer(String answer) {
        String[] parts = answer.split("\r\n\r\n", 2);
        assertEquals("HTTP/1.1 200 OK", parts[0].lines().findFirst().orElseThrow());
        Set<String> expected = new TreeSet<>(Set.of("date", "content-type", "content-length"));
        expected.addAll(fields("\r\n" + furtherFields() + "\r\n"));
        assertEquals(expected, fields(answer));
        assertEquals("Hello, World!", parts[1]);
    }

    private static Set<String> fields(String answer) {
        Set<String> names = new TreeSet<>();
        answer.substring(0, answer.indexOf("\r\n\r\n"))
                .lines()
                .skip(1)
                .forEach(line -> names.add(line.substring(0, line.indexOf(':')).toLowerCase(Locale.ROOT)));
        return names;
    }

    private Socket connect() throws IOException {
        return Servers.connect(server, protocol);
    }

    private static void send(Socket socket, String text) throws IOException {
        socket.getOutputStream().write(text.getBytes(StandardCharsets.US_ASCII));
    }

    private static String receive(Socket socket, int bytes) throws IOException {
        return new String(socket.getInputStream().readNBytes(bytes), StandardCharsets.US_ASCII);
    }
}
