package org.cabrank.bench.load;

import java.nio.charset.StandardCharsets;

/** A GET request for {@link Plaintext}. {@code answerBytes} is the size of each answer, including its head. */
public record HttpGet(String host, int answerBytes) {

    public static final String STATUS = "HTTP/1.1 200 ";

    private static final int ANSWER_BYTES_MAX = 4_096;

    public HttpGet {
        int least = STATUS.length() + Plaintext.BODY.length();
        if (answerBytes < least || answerBytes > ANSWER_BYTES_MAX) {
            throw new IllegalArgumentException(
                    "answers of " + answerBytes + " bytes, expected " + least + " to " + ANSWER_BYTES_MAX);
        }
    }

    public static byte[] request(String host) {
        return ("GET / HTTP/1.1\r\nHost: " + host + "\r\n\r\n").getBytes(StandardCharsets.US_ASCII);
    }
}
