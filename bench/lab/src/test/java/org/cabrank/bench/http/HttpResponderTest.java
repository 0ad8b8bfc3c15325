package org.cabrank.bench.http;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import com.sun.management.ThreadMXBean;
import java.lang.management.ManagementFactory;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.util.List;
import org.cabrank.bench.handler.HandlerWork;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** The bytes of the answers. */
final class HttpResponderTest {
    private static final String HOST = "Host: a\r\n";

    @ParameterizedTest
    @CsvSource({
        "GET, 1.0, '', close, true",
        "GET, 1.0, 'Connection: keep-alive\r\n', keep-alive, false",
        "POST, 1.0, '', close, true",
        "POST, 1.0, 'Connection: keep-alive\r\n', keep-alive, false",
        "BREW, 1.0, 'Connection: keep-alive\r\n', keep-alive, false",
        "GET, 1.1, '', , false",
        "POST, 1.1, '', , false",
        "POST, 1.1, 'Connection: close\r\n', close, true",
        "BREW, 1.1, 'Connection: keep-alive\r\n', , false"
    })
    void answersStateTheEndOfTheConnection(String method, String version, String field, String stated, boolean ends) {
        HttpResponder responder = new HttpResponder(HandlerWork.NONE);
        String answer = answer(responder, method + " / HTTP/" + version + "\r\n" + HOST + field + "\r\n");
        assertEquals(stated == null ? "" : stated, field(answer, "Connection"), answer);
        assertEquals(ends, responder.ended());
    }

    @ParameterizedTest
    @CsvSource({
        "HEAD / HTTP/1.1, 'Host: a\r\n', 200",
        "HEAD / HTTP/1.0, '', 200",
        "HEAD / HTTP/1.1, '', 400",
        "HEAD foo HTTP/1.1, 'Host: a\r\n', 400",
        "HEAD / HTTP/1.0, 'Host: a b@@/\r\n', 400",
        "HEAD / HTTP/2.0, '', 505",
        "HEAD / HTTP/1.1, 'Host: a\r\nContent-Length: 9999999\r\n', 413",
        "HEAD / HTTP/1.1, 'Host: a\r\nTransfer-Encoding: gzip, chunked\r\n', 501",
        "HEAD / HTTP/1.1, 'Host: a\r\nExpect: wonders\r\n', 417"
    })
    void noBodyFollowsTheAnswerToHead(String line, String fields, int status) {
        String answer = answer(new HttpResponder(HandlerWork.NONE), line + "\r\n" + fields + "\r\n");
        assertTrue(answer.startsWith("HTTP/1.1 " + status + " "), answer);
        assertTrue(answer.endsWith("\r\n\r\n"), answer);
        assertEquals(1, count(answer, "HTTP/1.1 "), answer);
        assertFalse(field(answer, "Content-Length").isEmpty(), answer);
    }

    @ParameterizedTest
    @CsvSource({
        "'GET foo HTTP/1.1\r\nHost: a\r\n\r\n', 400 Bad Request",
        "'GET / HTTP/1.1\nHost: a\n\n', 400 Bad Request",
        "'GET / HTTP/3.0\r\n\r\n', 505 HTTP Version Not Supported",
        "'POST / HTTP/1.1\r\nHost: a\r\nContent-Length: 2000000\r\n\r\n', 413 Content Too Large",
        "'POST / HTTP/1.1\r\nHost: a\r\nTransfer-Encoding: chunked\r\n\r\nx', 400 Bad Request"
    })
    void anErrorIsAnsweredOnceAndEndsTheConnection(String request, String status) {
        HttpResponder responder = new HttpResponder(HandlerWork.NONE);
        String answer = answer(responder, request + "GET / HTTP/1.1\r\nHost: a\r\n\r\n");
        assertTrue(answer.startsWith("HTTP/1.1 " + status + "\r\n"), answer);
        assertEquals(1, count(answer, "HTTP/1.1 "), answer);
        assertEquals("close", field(answer, "Connection"), answer);
        assertTrue(responder.ended());
    }

    @Test
    void theMethodsThatAreAllowedAreNamed() {
        String answer = answer(new HttpResponder(HandlerWork.NONE), "OPTIONS * HTTP/1.1\r\nHost: a\r\n\r\n");
        assertTrue(answer.startsWith("HTTP/1.1 405 Method Not Allowed\r\n"), answer);
        assertEquals("GET, HEAD", field(answer, "Allow"), answer);
    }

    @ParameterizedTest
    @ValueSource(
            strings = {"GET / HTTP/1.0\r\nConnection: keep-alive\r\n\r\n", "OPTIONS * HTTP/1.1\r\nHost: a\r\n\r\n"})
    void answersAreTheSameHoweverTheRequestIsCut(String request) {
        String whole = dateless(answer(new HttpResponder(HandlerWork.NONE), request + request));
        for (int cut = 1; cut < 2 * request.length(); cut++) {
            HttpResponder responder = new HttpResponder(HandlerWork.NONE);
            String both = (request + request);
            String answers = answer(responder, both.substring(0, cut)) + answer(responder, both.substring(cut));
            assertEquals(whole, dateless(answers), "cut at " + cut);
        }
    }

    /** Requests behind the rest of one that was cut must not wait for bytes that never come. */
    @Test
    void eachPipelinedRequestIsAnsweredWhereOneAnswerFillsTheRoom() {
        String requests = "GET / HTTP/1.1\r\nHost: a\r\n\r\n".repeat(10);
        for (int cut = 1; cut < requests.length(); cut++) {
            HttpResponder responder = new HttpResponder(HandlerWork.NONE);
            StringBuilder answers = new StringBuilder();
            for (String part : List.of(requests.substring(0, cut), requests.substring(cut))) {
                ByteBuffer data = ByteBuffer.wrap(part.getBytes(StandardCharsets.US_ASCII));
                while (data.hasRemaining()) {
                    ByteBuffer out = ByteBuffer.allocate(HttpResponder.ANSWER_BYTES_MAX);
                    responder.answer(data, out);
                    answers.append(StandardCharsets.US_ASCII.decode(out.flip()));
                }
            }
            assertEquals(10, count(answers.toString(), "HTTP/1.1 200"), "cut at " + cut);
        }
    }

    private static String dateless(String answers) {
        return answers.replaceAll("Date: [^\r]*\r\n", "");
    }

    @ParameterizedTest
    @ValueSource(strings = {"GET / HTTP/1.1\r\nHost: a\r\n\r\n", "HEAD / HTTP/1.0\r\nConnection: keep-alive\r\n\r\n"})
    void answersAllocateNothing(String request) {
        ThreadMXBean threads = (ThreadMXBean) ManagementFactory.getThreadMXBean();
        HttpResponder responder = new HttpResponder(HandlerWork.NONE);
        ByteBuffer data = ByteBuffer.wrap(request.getBytes(StandardCharsets.US_ASCII));
        ByteBuffer out = ByteBuffer.allocate(HttpResponder.ANSWER_BYTES_MAX);
        int rounds = 10_000;
        responder.answer(data.rewind(), out.clear());
        long before = threads.getCurrentThreadAllocatedBytes();
        for (int i = 0; i < rounds; i++) {
            responder.answer(data.rewind(), out.clear());
        }
        long bytes = threads.getCurrentThreadAllocatedBytes() - before;
        assertTrue(bytes < rounds, bytes + " bytes for " + rounds + " answers");
    }

    private static String answer(HttpResponder responder, String request) {
        ByteBuffer out = ByteBuffer.allocate(10 * HttpResponder.ANSWER_BYTES_MAX);
        responder.answer(ByteBuffer.wrap(request.getBytes(StandardCharsets.US_ASCII)), out);
        return StandardCharsets.US_ASCII.decode(out.flip()).toString();
    }

    private static String field(String answer, String name) {
        return answer.lines()
                .filter(line -> line.startsWith(name + ": "))
                .map(line -> line.substring(name.length() + 2))
                .findFirst()
                .orElse("");
    }

    private static int count(String text, String part) {
        return (text.length() - text.replace(part, "").length()) / part.length();
    }
}
