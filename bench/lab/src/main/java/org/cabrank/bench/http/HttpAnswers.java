package org.cabrank.bench.http;

import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;

/**
 * The answers of one second, ready to be sent: only the Date field changes between them. Immutable; every thread has views of
 * its own ({@link AnswerViews}).
 */
final class HttpAnswers {
    /** The end of the connection as the answer states it. */
    enum End {
        /** Nothing is said: a client of HTTP/1.1 assumes that the connection stays. */
        ASSUMED,
        /** The connection stays: for clients of HTTP/1.0. */
        STAYS,
        /** The answer is the last one of the connection. */
        CLOSES
    }

    private static final String[] CONNECTION = {"", "Connection: keep-alive\r\n", "Connection: close\r\n"};
    private static final String BODY = "Hello, World!";
    private static final int ENDS = End.values().length;

    private static final EverySecond<HttpAnswers> CURRENT = new EverySecond<>(HttpAnswers::new);

    private final ByteBuffer[] answers = new ByteBuffer[count()];
    private final int[] headBytes = new int[count()];

    private HttpAnswers(long second) {
        byte[][] texts = new byte[count()][];
        int bytes = 0;
        for (int i = 0; i < texts.length; i++) {
            int status = HttpStatus.at(i / ENDS);
            String body = status == HttpStatus.OK ? BODY : HttpStatus.reason(status) + "\n";
            texts[i] = answer(status, CONNECTION[i % ENDS], body, second).getBytes(StandardCharsets.US_ASCII);
            headBytes[i] = texts[i].length - body.length();
            bytes += texts[i].length;
        }
        ByteBuffer all = ByteBuffer.allocateDirect(bytes);
        for (int i = 0; i < texts.length; i++) {
            answers[i] = all.slice(all.position(), texts[i].length);
            all.put(texts[i]);
        }
    }

    /** The answers with the date of now. */
    static HttpAnswers now() {
        return CURRENT.current();
    }

    static int count() {
        return HttpStatus.count() * ENDS;
    }

    static int index(int status, End end) {
        return HttpStatus.indexOf(status) * ENDS + end.ordinal();
    }

    ByteBuffer view(int index) {
        return answers[index].duplicate();
    }

    /** Bytes of the answer without its body, for HEAD. */
    int headBytes(int index) {
        return headBytes[index];
    }

    private static String answer(int status, String connection, String body, long second) {
        return "HTTP/1.1 " + status + " " + HttpStatus.reason(status) + "\r\n"
                + "Date: " + HttpDate.format(second) + "\r\n"
                + connection
                + (status == HttpStatus.METHOD_NOT_ALLOWED ? "Allow: GET, HEAD\r\n" : "")
                + "Content-Type: text/plain\r\n"
                + "Content-Length: " + body.length() + "\r\n"
                + "\r\n"
                + body;
    }
}
