package org.cabrank.bench.http;

import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;

/**
 * The answers of one second, ready to be sent: only the Date field changes between them. Immutable; every connection has
 * views of its own ({@link HttpHandler}).
 */
final class HttpAnswers {

    static final int METHOD_NOT_ALLOWED = 405;
    static final int NOT_IMPLEMENTED = 501;

    private static final String BODY = "Hello, World!";
    private static final String KEEP_ALIVE = "Connection: keep-alive\r\n";
    private static final String CLOSE = "Connection: close\r\n";

    private static final EverySecond<HttpAnswers> CURRENT = new EverySecond<>(HttpAnswers::new);

    private final ByteBuffer staying;
    private final ByteBuffer stayingTold;
    private final ByteBuffer closing;

    private HttpAnswers(long second) {
        staying = answer("200 OK", "", BODY, second);
        stayingTold = answer("200 OK", KEEP_ALIVE, BODY, second);
        closing = answer("200 OK", CLOSE, BODY, second);
    }

    /** The answers with the date of now. */
    static HttpAnswers now() {
        return CURRENT.current();
    }

    /** For a request whose client assumes that the connection stays (HTTP/1.1). */
    ByteBuffer staying() {
        return staying.duplicate();
    }

    /** For a request whose client asked that it stay (HTTP/1.0). */
    ByteBuffer stayingTold() {
        return stayingTold.duplicate();
    }

    /** For the last request of a connection. */
    ByteBuffer closing() {
        return closing.duplicate();
    }

    /** How many bytes to leave out at the end for an answer to HEAD. */
    static int bodyBytes() {
        return BODY.length();
    }

    /** An error, made when it is needed; {@code close} when it is the last answer of its connection. */
    static ByteBuffer error(int status, boolean close) {
        String words = words(status);
        String fields = (close ? CLOSE : "") + (status == METHOD_NOT_ALLOWED ? "Allow: GET, HEAD\r\n" : "");
        return answer(status + " " + words, fields, words + "\n", System.currentTimeMillis() / 1_000);
    }

    private static String words(int status) {
        return switch (status) {
            case HttpParser.BAD_REQUEST -> "Bad Request";
            case METHOD_NOT_ALLOWED -> "Method Not Allowed";
            case HttpParser.TARGET_TOO_LONG -> "URI Too Long";
            case HttpParser.HEAD_TOO_LONG -> "Request Header Fields Too Large";
            case NOT_IMPLEMENTED -> "Not Implemented";
            case HttpParser.VERSION_NOT_SUPPORTED -> "HTTP Version Not Supported";
            default -> throw new IllegalArgumentException("no words for status " + status);
        };
    }

    private static ByteBuffer answer(String status, String fields, String body, long second) {
        byte[] bytes = ("HTTP/1.1 " + status + "\r\n"
                        + "Date: " + HttpDate.format(second) + "\r\n"
                        + fields
                        + "Content-Type: text/plain\r\n"
                        + "Content-Length: " + body.length() + "\r\n"
                        + "\r\n"
                        + body)
                .getBytes(StandardCharsets.US_ASCII);
        return ByteBuffer.allocateDirect(bytes.length).put(bytes).flip();
    }
}
