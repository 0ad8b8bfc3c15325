package org.cabrank.httpserver;

import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import org.cabrank.http.message.HttpStatus;

/** Bodies of answers that no handler gives. */
final class ErrorPage {
    private ErrorPage() {}

    /** @param detail null: none */
    static ByteBuffer of(int status, String detail) {
        String page = "<h1>" + status + " " + HttpStatus.reason(status) + "</h1>" + (detail == null ? "" : detail);
        return ByteBuffer.wrap(page.getBytes(StandardCharsets.ISO_8859_1));
    }
}
