package org.cabrank.http.client;

import static org.junit.jupiter.api.Assertions.assertEquals;

import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/**
 * Responses that servers send although RFC 9112 forbids or discourages them, each with the outcome that the RFC asks for or, where the RFC
 * leaves a choice, the one that no intermediary can take for another response.
 */
@Timeout(300)
@Tag("newest") // on an older JDK in a soak only
class OddResponsesTest {
    private static final String OK = "HTTP/1.1 200 OK\r\n";

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            value = {
                // Status line (RFC 9112 section 4): the reason may be missing, and holds any text.
                "GET | 'HTTP/1.1 200\r\nContent-Length: 1\r\n\r\na'                              | 200 a kept",
                "GET | 'HTTP/1.1 200 \r\nContent-Length: 1\r\n\r\na'                             | 200 a kept",
                "GET | 'HTTP/1.1 200  OK\t!\u00e4\u0080\r\nContent-Length: 1\r\n\r\na'           | 200 a kept",
                "GET | 'HTTP/1.1 999 Odd\r\nContent-Length: 1\r\n\r\na'                          | 999 a kept",
                "GET | 'HTTP/1.1 200\r\r\nContent-Length: 1\r\n\r\na'                            | refused",
                "GET | 'HTTP/1.1 200 O\rK\r\nContent-Length: 1\r\n\r\na'                         | refused",
                "GET | 'HTTP/1.1 200 OK\nContent-Length: 1\r\n\r\na'                             | refused",
                "GET | 'HTTP/1.1 2OO OK\r\nContent-Length: 1\r\n\r\na'                           | refused",
                "GET | 'HTTP/1.1 -20 OK\r\nContent-Length: 1\r\n\r\na'                           | refused",
                "GET | 'HTTP/1.1 200OK\r\nContent-Length: 1\r\n\r\na'                            | refused",
                "GET | 'HTTP/1.1\t200 OK\r\nContent-Length: 1\r\n\r\na'                          | refused",
                "GET | ' HTTP/1.1 200 OK\r\nContent-Length: 1\r\n\r\na'                          | refused",
                "GET | '\nHTTP/1.1 200 OK\r\nContent-Length: 1\r\n\r\na'                         | refused",
                // Version (RFC 9110 section 2.5): a higher minor version is read as 1.1.
                "GET | 'HTTP/1.2 200 OK\r\nContent-Length: 1\r\n\r\na'                           | 200 a kept",
                "GET | 'HTTP/1.9 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n1\r\na\r\n0\r\n\r\n' | 200 a kept",
                "GET | 'HTTP/1.10 200 OK\r\nContent-Length: 1\r\n\r\na'                          | refused",
                "GET | 'HTTP/1 200 OK\r\nContent-Length: 1\r\n\r\na'                             | refused",
                "GET | 'HTTP/3.0 200 OK\r\nContent-Length: 1\r\n\r\na'                           | refused",
                "GET | 'ICY 200 OK\r\nContent-Length: 1\r\n\r\na'                                | refused",
                // Field lines (RFC 9112 section 5).
                "GET | 'HTTP/1.1 200\r\nA:\r\nB: \t \r\nContent-Length:1 \t\r\n\r\na'            | 200 a kept",
                "GET | 'HTTP/1.1 200\r\nA: \u00e4\u0080\u00ff\r\nContent-Length: 1\r\n\r\na'     | 200 a kept",
                "GET | 'HTTP/1.1 200\r\n!#$%&\u0027\u0027*+.^_`~-: b\r\nContent-Length: 1\r\n\r\na' | 200 a kept",
                "GET | 'HTTP/1.1 200\r\nA : b\r\nContent-Length: 1\r\n\r\na'                     | refused",
                "GET | 'HTTP/1.1 200\r\n: b\r\nContent-Length: 1\r\n\r\na'                       | refused",
                "GET | 'HTTP/1.1 200\r\nA\r\nContent-Length: 1\r\n\r\na'                         | refused",
                "GET | 'HTTP/1.1 200\r\n\u00e4: b\r\nContent-Length: 1\r\n\r\na'                 | refused",
                "GET | 'HTTP/1.1 200\r\nA(: b\r\nContent-Length: 1\r\n\r\na'                     | refused",
                "GET | 'HTTP/1.1 200\r\nA: b\rC: d\r\nContent-Length: 1\r\n\r\na'                | refused",
                "GET | 'HTTP/1.1 200\r\nA: b\nContent-Length: 1\r\n\r\na'                        | refused",
                "GET | 'HTTP/1.1 200\r\nA: b\u0000\r\nContent-Length: 1\r\n\r\na'                | refused",
                "GET | 'HTTP/1.1 200\r\nA: b\u007f\r\nContent-Length: 1\r\n\r\na'                | refused",
                "GET | 'HTTP/1.1 200\r\nContent-Length: 1\r\n\ra'                                | refused",
                // A folded line in front of the first field belongs to no field (section 2.2).
                "GET | 'HTTP/1.1 200\r\n A: b\r\nContent-Length: 1\r\n\r\na'                     | refused",
                "GET | 'HTTP/1.1 200\r\n\tContent-Length: 9\r\nContent-Length: 1\r\n\r\na'       | refused",
                // Folds (section 5.2) are spaces: a field that is folded decides the framing, one in a fold does not.
                "GET | 'HTTP/1.1 200\r\nContent-Length:\r\n 1\r\n\r\na'                          | 200 a kept",
                "GET | 'HTTP/1.1 200\r\nContent-Length: 1\r\n\t\r\n\r\na'                        | 200 a kept",
                "GET | 'HTTP/1.1 200\r\nContent-Length: 1\r\n 2\r\n\r\nabcdefghijkl'             | refused",
                "GET | 'HTTP/1.1 200\r\nTransfer-Encoding:\r\n\tchunked\r\n\r\n1\r\na\r\n0\r\n\r\n' | 200 a kept",
                "GET | 'HTTP/1.1 200\r\nA: b\r\n Content-Length: 9\r\nContent-Length: 1\r\n\r\na' | 200 a kept",
                "GET | 'HTTP/1.1 200\r\nA: b\r\n Transfer-Encoding: chunked\r\n\r\n0\r\n\r\n'    | '200 0\r\n\r\n closed'",
                "GET | 'HTTP/1.1 200\r\nContent-Length: 1\r\nConnection: a,\r\n  close\r\n\r\na' | 200 a closed",
                "GET | 'HTTP/1.1 200\r\nContent-Length: 1\r\nA: b\r\n c\rd\r\n\r\na'             | refused",
                "GET | 'HTTP/1.1 200\r\nContent-Length: 1\r\nA: b\r\n c\nd\r\n\r\na'             | refused",
                // Content-Length (section 6.2, RFC 9110 section 8.6).
                "GET | 'HTTP/1.1 200\r\nContent-Length: 00000000000000000001\r\n\r\na'           | 200 a kept",
                "GET | 'HTTP/1.1 200\r\nCONTENT-LENGTH: 1\r\n\r\na'                              | 200 a kept",
                "GET | 'HTTP/1.1 200\r\nContent-Length: -0\r\n\r\n'                              | refused",
                "GET | 'HTTP/1.1 200\r\nContent-Length: 1 1\r\n\r\na'                            | refused",
                "GET | 'HTTP/1.1 200\r\nContent-Length: 1.0\r\n\r\na'                            | refused",
                "GET | 'HTTP/1.1 200\r\nContent-Length: 1,\r\n\r\na'                             | refused",
                "GET | 'HTTP/1.1 200\r\nContent-Length: 18446744073709551617\r\n\r\na'           | refused",
                "GET | 'HTTP/1.1 200\r\nContent-Length: 1\r\ncontent-length: 1\r\n\r\na'         | refused",
                // Transfer-Encoding (section 6.1).
                "GET | 'HTTP/1.1 200\r\nTransfer-Encoding: ,chunked,\r\n\r\n0\r\n\r\n'           | 200  kept",
                "GET | 'HTTP/1.1 200\r\nTransfer-Encoding: chunked\r\nTransfer-Encoding: chunked\r\n\r\n0\r\n\r\n' | refused",
                "GET | 'HTTP/1.1 200\r\nTransfer-Encoding: chunked;q=1\r\n\r\n0\r\n\r\n'         | refused",
                "GET | 'HTTP/1.1 200\r\nTransfer-Encoding: \"chunked\"\r\n\r\n0\r\n\r\n'         | refused",
                "GET | 'HTTP/1.1 200\r\nTransfer-Encoding: \u000bchunked\r\n\r\n0\r\n\r\n'       | refused",
                "GET | 'HTTP/1.1 200\r\nContent-Length: 5\r\nTransfer-Encoding: identity\r\n\r\nabcde' | refused",
                // Chunks (section 7.1).
                "GET | 'HTTP/1.1 200\r\nTransfer-Encoding: chunked\r\n\r\n0001\r\na\r\n00\r\n\r\n' | 200 a kept",
                "GET | 'HTTP/1.1 200\r\nTransfer-Encoding: chunked\r\n\r\nA\r\nabcdefghij\r\n0\r\n\r\n' | 200 abcdefghij kept",
                "GET | 'HTTP/1.1 200\r\nTransfer-Encoding: chunked\r\n\r\n-1\r\na\r\n0\r\n\r\n'  | refused",
                "GET | 'HTTP/1.1 200\r\nTransfer-Encoding: chunked\r\n\r\n+1\r\na\r\n0\r\n\r\n'  | refused",
                "GET | 'HTTP/1.1 200\r\nTransfer-Encoding: chunked\r\n\r\n 1\r\na\r\n0\r\n\r\n'  | refused",
                "GET | 'HTTP/1.1 200\r\nTransfer-Encoding: chunked\r\n\r\n\r\n1\r\na\r\n0\r\n\r\n' | refused",
                "GET | 'HTTP/1.1 200\r\nTransfer-Encoding: chunked\r\n\r\n1\r\na\n0\r\n\r\n'     | refused",
                "GET | 'HTTP/1.1 200\r\nTransfer-Encoding: chunked\r\n\r\n1\r\na0\r\n\r\n'       | refused",
                "GET | 'HTTP/1.1 200\r\nTransfer-Encoding: chunked\r\n\r\nffffffffffffffff1\r\na' | refused",
                "GET | 'HTTP/1.1 200\r\nTransfer-Encoding: chunked\r\n\r\n0\r\n T: 1\r\n\r\n'    | refused",
                "GET | 'HTTP/1.1 200\r\nTransfer-Encoding: chunked\r\n\r\n0\r\nT : 1\r\n\r\n'    | refused",
                "GET | 'HTTP/1.1 200\r\nTransfer-Encoding: chunked\r\n\r\n0\r\nT: 1\n\r\n'       | refused",
                "GET | 'HTTP/1.1 200\r\nTransfer-Encoding: chunked\r\n\r\n0\r\nT: 1 \r\n  2\r\nU: 3\r\n\r\n' | '200  {T=[1 2], U=[3]} kept'",
                // Interim responses (RFC 9110 section 15.2).
                "GET | 'HTTP/1.1 100\r\n\r\nHTTP/1.1 102\r\nA: b\r\n c\r\n\r\nHTTP/1.1 103\r\n\r\nHTTP/1.1 200\r\nContent-Length: 1\r\n\r\na' | 200 a kept",
                "GET | 'HTTP/1.1 199 Odd\r\n\r\nHTTP/1.1 204\r\n\r\n'                            | 204  kept",
                "GET | 'HTTP/1.1 100\r\nTransfer-Encoding: chunked\r\n\r\nHTTP/1.1 204\r\n\r\n'  | 204  closed",
                "GET | 'HTTP/1.1 100\r\nConnection: close\r\n\r\nHTTP/1.1 204\r\n\r\n'           | 204  closed",
                "GET | 'HTTP/1.1 100\r\n\r\nHTTP/1.1 101\r\n\r\n'                                | refused",
                "GET | 'HTTP/1.1 100\r\n\r\n\r\nHTTP/1.1 204\r\n\r\n'                            | refused",
                "GET | 'HTTP/1.1 100\r\n\r\n'                                                    | broken off",
                "HEAD | 'HTTP/1.1 103\r\nLink: a\r\n\r\nHTTP/1.1 200\r\nTransfer-Encoding: chunked\r\n\r\n' | 200  kept",
                // Persistence (RFC 9112 section 9.3).
                "GET | 'HTTP/1.1 200\r\nContent-Length: 1\r\nConnection: keep-alive, CLOSE\r\n\r\na' | 200 a closed",
                "GET | 'HTTP/1.1 200\r\nContent-Length: 1\r\nConnection: closed\r\n\r\na'        | 200 a kept",
                "GET | 'HTTP/1.1 200\r\nContent-Length: 1\r\nConnection: \r\nConnection: ,,close\r\n\r\na' | 200 a closed",
                "GET | 'HTTP/1.0 204\r\nConnection: keep-alive\r\n\r\n'                          | 204  kept",
                "HEAD | 'HTTP/1.0 200\r\nConnection: keep-alive\r\nTransfer-Encoding: chunked\r\n\r\n' | 200  closed",
            })
    void anOddResponseHasTheOutcomeOfTheRfc(String method, String bytes, String expected) {
        assertEquals(expected, ResponseFramingTest.outcome(method, List.of(bytes)));
        assertEquals(expected, ResponseFramingTest.outcome(method, bytewise(bytes)), "byte by byte");
    }

    private static List<String> bytewise(String bytes) {
        return bytes.chars().mapToObj(Character::toString).toList();
    }

    private static Map<String, List<String>> fields(List<String> pieces) {
        try (EmbeddedServers servers = new EmbeddedServers();
                HttpClient client = HttpClient.over(servers)) {
            CompletableFuture<HttpResponse> response = client.send(HttpCall.get("http://a"));
            pieces.forEach(servers.last()::peerSends);
            return response.join().fields();
        }
    }

    /** Each fold, with the white space around it, is one space (RFC 9112 section 5.2). */
    @ParameterizedTest
    @ValueSource(
            strings = {
                "b\r\n c",
                "b\r\n\tc",
                "b \t\r\n \t  c",
                "\r\n b\r\n c",
                "\t\r\n\t\r\n b\r\n c",
                "b\r\n \r\n\t\r\n c",
                "b\r\n c\r\n ",
                "b\r\n c \r\n\t\t\r\n \t",
            })
    void aFoldIsOneSpace(String folded) {
        String bytes = OK + "First: 1\r\nA: " + folded + "\r\nLast: 2\r\nContent-Length: 0\r\n\r\n";
        Map<String, List<String>> expected = Map.of(
                "First", List.of("1"), "A", List.of("b c"), "Last", List.of("2"), "Content-Length", List.of("0"));
        assertEquals(expected, fields(List.of(bytes)));
        assertEquals(expected, fields(bytewise(bytes)), "byte by byte");
    }

    @Test
    void aFieldThatIsFoldedToNothingIsEmpty() {
        Map<String, List<String>> expected = Map.of("A", List.of(""), "Content-Length", List.of("0"));
        assertEquals(expected, fields(List.of(OK + "A:\r\n \r\n\t\r\nContent-Length: 0\r\n\r\n")));
    }

    /** Folds are no fields of their own: their number has the limit of the head's bytes. */
    @Test
    void foldsDoNotCountAsFields() {
        Map<String, List<String>> fields =
                fields(List.of(OK + "A: b" + "\r\n b".repeat(1_000) + "\r\nContent-Length: 0\r\n\r\n"));
        assertEquals("b" + " b".repeat(1_000), fields.get("A").get(0));
    }
}
