package org.cabrank.http;

import java.io.ByteArrayOutputStream;
import java.nio.charset.StandardCharsets;
import java.util.Objects;
import org.cabrank.http.message.Gzip;
import org.cabrank.http.message.HttpFields;
import org.cabrank.http.message.HttpStatus;
import org.cabrank.http.wire.FieldSyntax;

/**
 * An answer that is made once and sent to any number of requests ({@link HttpExchange#send(HttpAnswer)}). Sending up to {@value
 * #SMALL_BYTES} bytes in a callback allocates nothing. Sending adds the fields Date and, if needed, Connection. Immutable.
 */
public final class HttpAnswer {
    /** Maximum size, in bytes, of a body that is copied into one buffer with its head. */
    public static final int SMALL_BYTES = 8 << 10;

    private static final String ACCEPT_ENCODING = "Accept-Encoding";

    private final int status;
    final byte[] fields;

    final byte[] body;

    final HttpAnswer gzip;

    private HttpAnswer(int status, byte[] fields, byte[] body, HttpAnswer gzip) {
        this.status = status;
        this.fields = fields;
        this.body = body;
        this.gzip = gzip;
    }

    /**
     * An answer with a body, which is copied.
     *
     * @param status from 200 to 599
     * @param contentType value of the field Content-Type; null omits the field
     * @throws IllegalArgumentException if the status allows no body, but {@code body} is not empty
     */
    public static HttpAnswer of(int status, String contentType, byte[] body) {
        if (HttpStatus.isInterim(status) || status > HttpStatus.MAX) {
            throw new IllegalArgumentException("an answer has a status from 200 to 599, not " + status);
        }
        if (HttpStatus.forbidsContent(status) && body.length > 0) {
            throw new IllegalArgumentException("an answer with status " + status + " has no body");
        }
        HttpAnswer answer = new HttpAnswer(status, new byte[0], body.clone(), null);
        return contentType == null ? answer : answer.withField("Content-Type", contentType);
    }

    /** An answer with plain text in UTF-8. */
    public static HttpAnswer text(int status, String text) {
        return of(status, "text/plain; charset=utf-8", text.getBytes(StandardCharsets.UTF_8));
    }

    /** Returns an answer with one more field; see {@link HttpExchange#addField}. */
    public HttpAnswer withField(String name, String value) {
        Objects.requireNonNull(value, "value");
        FieldSyntax.requireOfService(name, value);
        HttpAnswer ofGzip = gzip == null ? null : gzip.withLine(name, gzipTag(name, value));
        return withLine(name, value).withGzip(ofGzip);
    }

    private HttpAnswer withLine(String name, String value) {
        ByteArrayOutputStream added = new ByteArrayOutputStream(fields.length + name.length() + value.length() + 4);
        added.writeBytes(fields);
        added.writeBytes((name + ": " + value + "\r\n").getBytes(StandardCharsets.ISO_8859_1));
        return new HttpAnswer(status, added.toByteArray(), body, null);
    }

    private HttpAnswer withGzip(HttpAnswer answer) {
        return new HttpAnswer(status, fields, body, answer);
    }

    /**
     * Returns an answer with a second variant for clients that accept gzip (Accept-Encoding). Compresses the body now. Adds the field Vary.
     * A strong ETag {@code "x"} becomes {@code "x-gzip"} in this variant. If gzip does not shorten the body, returns this answer unchanged.
     */
    public HttpAnswer withGzip() {
        byte[] compressed = Gzip.encode(body);
        if (compressed.length >= body.length) {
            return this;
        }
        HttpAnswer ofGzip = new HttpAnswer(status, new byte[0], compressed, null);
        for (String line : new String(fields, StandardCharsets.ISO_8859_1).split("\r\n")) {
            int colon = line.indexOf(':');
            if (colon > 0) {
                String name = line.substring(0, colon);
                ofGzip = ofGzip.withLine(name, gzipTag(name, line.substring(colon + 2)));
            }
        }
        return withLine("Vary", ACCEPT_ENCODING)
                .withGzip(ofGzip.withLine("Content-Encoding", "gzip").withLine("Vary", ACCEPT_ENCODING));
    }

    /** A strong ETag must differ between the variants (RFC 9110 section 8.8.3.3). A weak ETag may be the same in both. */
    private static String gzipTag(String name, String value) {
        boolean strong = name.equalsIgnoreCase("ETag") && value.startsWith("\"") && value.length() > 1;
        return strong ? value.substring(0, value.length() - 1) + "-gzip\"" : value;
    }

    HttpAnswer chosenFor(HttpFields request) {
        return gzip != null && Gzip.isTakenBy(request) ? gzip : this;
    }

    public int status() {
        return status;
    }
}
