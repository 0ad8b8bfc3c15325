package org.cabrank.http;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.IOException;
import java.net.InetAddress;
import java.net.Socket;
import java.net.SocketException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Locale;
import org.cabrank.stream.ReactorFile;
import org.cabrank.stream.StreamServer;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/**
 * Each way to answer with each kind of status, to each kind of request: a reader that knows RFC 9112 section 6.3 alone finds the body, and the
 * next answer behind it.
 */
@Timeout(300)
class AnswerFramingTest {
    private static final String BODY = "hello";
    private static final List<String> METHODS = List.of("GET", "HEAD", "POST", "OPTIONS", "CONNECT");
    private static final List<Integer> STATUSES = List.of(200, 201, 204, 205, 299, 304, 404, 500);
    private static final List<String> VERSIONS = List.of("1.1", "1.0");

    @TempDir
    Path folder;

    /** A way to answer. */
    private enum Way {
        NOTHING(""),
        TEXT(BODY),
        MADE(BODY),
        PIECES(BODY),
        PIECES_OF_UNKNOWN_LENGTH(BODY),
        NO_PIECES(""),
        NO_PIECES_OF_UNKNOWN_LENGTH(""),
        FILE(BODY);

        private final String body;

        Way(String body) {
            this.body = body;
        }

        void answer(HttpExchange exchange, int status, ReactorFile file) throws IOException {
            switch (this) {
                case NOTHING -> exchange.send(status);
                case TEXT -> exchange.send(status, "text/plain", BODY);
                case MADE -> exchange.send(HttpAnswer.text(status, BODY));
                case FILE -> exchange.sendFile(status, "text/plain", file, 0, BODY.length());
                default -> {
                    exchange.begin(status, name().endsWith("LENGTH") ? HttpExchange.UNKNOWN_LENGTH : body.length());
                    if (!body.isEmpty()) {
                        exchange.write(StandardCharsets.US_ASCII.encode(body));
                    }
                    exchange.end();
                }
            }
        }
    }

    @Test
    void eachAnswerEndsWhereItsReaderFindsItsEnd() throws Exception {
        Path path = Files.writeString(folder.resolve(BODY), BODY);
        ReactorFile[] file = new ReactorFile[1];
        try (StreamServer server = ServerModes.all().findFirst().orElseThrow().start(exchange -> {
            String wanted = exchange.authority();
            if (wanted.equals("next")) {
                exchange.send(200, null, "next");
                return;
            }
            String[] parts = wanted.split(":");
            Way.values()[Integer.parseInt(parts[0].substring(1))].answer(exchange, Integer.parseInt(parts[1]), file[0]);
        })) {
            file[0] = server.reactor().openFile(path);
            for (Way way : Way.values()) {
                for (int status : STATUSES) {
                    for (String method : METHODS) {
                        for (String version : VERSIONS) {
                            check(server, way, status, method, version);
                        }
                    }
                }
            }
        }
    }

    private static void check(StreamServer server, Way way, int status, String method, String version)
            throws IOException {
        String named = way + " " + status + " " + method + " " + version;
        String authority = "w" + way.ordinal() + ":" + status;
        String target = method.equals("CONNECT") ? authority : "/";
        String answers;
        try (Socket client = new Socket(InetAddress.getLoopbackAddress(), server.port())) {
            client.setSoTimeout(120_000);
            client.getOutputStream()
                    .write((method + " " + target + " HTTP/" + version + "\r\nHost: " + authority
                                    + "\r\nConnection: keep-alive\r\n\r\nGET / HTTP/1.1\r\nHost: next\r\n\r\n")
                            .getBytes(StandardCharsets.US_ASCII));
            client.shutdownOutput();
            answers = new String(client.getInputStream().readAllBytes(), StandardCharsets.ISO_8859_1);
        } catch (SocketException reset) { // the body was written when the head was gone
            assertTrue(noContent(status) && way == Way.PIECES_OF_UNKNOWN_LENGTH, named + ": " + reset);
            return;
        }
        int headEnd = answers.indexOf("\r\n\r\n") + 4;
        assertTrue(headEnd > 4, named + ": " + answers);
        String head = answers.substring(0, headEnd).toLowerCase(Locale.ROOT);
        String rest = answers.substring(headEnd);
        boolean refused = head.startsWith("http/1.1 500 ") && status != 500;
        int sent = refused ? 500 : status;
        boolean noBody = sent == 204 || sent == 304;
        assertEquals(
                noContent(status) && !way.body.isEmpty() && !way.name().startsWith("NO"), refused, named + answers);
        assertTrue(head.startsWith("http/1.1 " + sent + " "), named + ": " + answers);
        boolean tunnel = method.equals("CONNECT") && sent / 100 == 2;
        boolean length = head.contains("\r\ncontent-length: ");
        boolean chunked = head.contains("\r\ntransfer-encoding: chunked\r\n");
        assertFalse(length && chunked, named + ": " + answers);
        assertFalse((tunnel || noBody) && (length || chunked), named + ": " + answers);
        assertFalse(chunked && version.equals("1.0"), named + ": " + answers);
        String body;
        String next;
        if (noBody || method.equals("HEAD")) {
            body = null;
            next = rest;
        } else if (length) {
            int count = Integer.parseInt(head.replaceFirst("(?s).*\r\ncontent-length: (\\d+)\r\n.*", "$1"));
            body = rest.substring(0, count);
            next = rest.substring(count);
        } else if (chunked) {
            int end = rest.indexOf("0\r\n\r\n");
            body = rest.startsWith("5\r\n") ? rest.substring(3, 8) : "";
            next = rest.substring(end + 5);
        } else {
            assertTrue(head.contains("\r\nconnection: close\r\n"), named + ": " + answers);
            body = rest;
            next = "";
        }
        if (body != null && !refused) {
            assertEquals(way.body, body, named + ": " + answers);
        }
        boolean closes = head.contains("\r\nconnection: close\r\n");
        assertEquals(
                closes ? "" : "next", next.isEmpty() ? "" : next.substring(next.length() - 4), named + ": " + answers);
        assertTrue(closes || next.startsWith("HTTP/1.1 200 OK\r\n"), named + ": " + answers);
    }

    private static boolean noContent(int status) {
        return status == 204 || status == 205 || status == 304;
    }
}
