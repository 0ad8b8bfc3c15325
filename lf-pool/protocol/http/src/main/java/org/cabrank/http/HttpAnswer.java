package org.cabrank.http;

import java.io.ByteArrayOutputStream;
import java.nio.charset.StandardCharsets;
import java.util.Objects;
import org.cabrank.http.message.HttpStatus;
import org.cabrank.http.wire.FieldSyntax;

/**
 * An answer that is made once and sent to any number of requests ({@link HttpExchange#send(HttpAnswer)}), without an allocation for
 * each up to {@value #SMALL_BYTES} bytes. The date and the end of the connection are added when it is sent. Immutable.
 */
public final class HttpAnswer {
    /** Answers with so many bytes of body and fields are composed in memory of the thread. */
    public static final int SMALL_BYTES = 8 << 10;

    private final int status;
    /** Field lines, each with its end. */
    final byte[] fields;

    final byte[] body;

    private HttpAnswer(int status, byte[] fields, byte[] body) {
        this.status = status;
        this.fields = fields;
        this.body = body;
    }

    /**
     * An answer with a body.
     *
     * @param status from 200 to 599
     * @param contentType value of the field Content-Type; null: none
     * @param body copied
     * @throws IllegalArgumentException for a status that has no body, but for an empty one
     */
    public static HttpAnswer of(int status, String contentType, byte[] body) {
        if (HttpStatus.isInterim(status) || status > HttpStatus.MAX) {
            throw new IllegalArgumentException("an answer has a status from 200 to 599, not " + status);
        }
        if (HttpStatus.forbidsContent(status) && body.length > 0) {
            throw new IllegalArgumentException("an answer with status " + status + " has no body");
        }
        HttpAnswer answer = new HttpAnswer(status, new byte[0], body.clone());
        return contentType == null ? answer : answer.withField("Content-Type", contentType);
    }

    /** An answer with plain text in UTF-8. */
    public static HttpAnswer text(int status, String text) {
        return of(status, "text/plain; charset=utf-8", text.getBytes(StandardCharsets.UTF_8));
    }

    /** Adds a field, as {@link HttpExchange#addField} does. */
    public HttpAnswer withField(String name, String value) {
        Objects.requireNonNull(value, "value");
        FieldSyntax.requireOfService(name, value);
        ByteArrayOutputStream added = new ByteArrayOutputStream(fields.length + name.length() + value.length() + 4);
        added.writeBytes(fields);
        added.writeBytes((name + ": " + value + "\r\n").getBytes(StandardCharsets.ISO_8859_1));
        return new HttpAnswer(status, added.toByteArray(), body);
    }

    public int status() {
        return status;
    }
}
