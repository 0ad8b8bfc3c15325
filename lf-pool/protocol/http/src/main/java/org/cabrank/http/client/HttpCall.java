package org.cabrank.http.client;

import java.net.URI;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.Locale;
import java.util.Map;
import java.util.Objects;
import org.cabrank.http.message.Gzip;
import org.cabrank.http.wire.FieldSyntax;
import org.cabrank.http.wire.RequestFraming;

/**
 * A request that a client makes. Immutable: methods that change a request return a changed copy.
 *
 * @param method any token except CONNECT
 * @param uri absolute, {@code http} or {@code https}, with a host; {@link URI#toASCIIString} encodes characters beyond ASCII
 * @param fields the field lines, each with its line end
 * @param upload source of the body; null without a body
 * @param length bytes of the body; {@link #UNKNOWN_LENGTH} sends the body in chunks
 * @param timeout time to the end of the response, at least 0. 0 means no limit, and more than 366 days mean 366 days. Null means the
 *     time-out of the client
 * @param decodes true if the client decodes a response in the coding gzip
 */
public record HttpCall(
        String method, URI uri, String fields, HttpUpload upload, long length, Duration timeout, boolean decodes) {
    public static final long UNKNOWN_LENGTH = RequestFraming.CHUNKED;

    private static final String EXPECTATION = "Expect: 100-continue\r\n";
    private static final String LATER_EXPECTATION = "\r\n" + EXPECTATION;

    public HttpCall {
        Objects.requireNonNull(fields, "fields");
        if (timeout != null && timeout.isNegative()) {
            throw new IllegalArgumentException("the time-out of a request must be at least 0, but is " + timeout);
        }
        FieldSyntax.require(method, "");
        if (method.equals("CONNECT")) {
            throw new IllegalArgumentException("this client makes no tunnels: CONNECT is not supported");
        }
        boolean known = "http".equalsIgnoreCase(uri.getScheme()) || "https".equalsIgnoreCase(uri.getScheme());
        if (!known || uri.getHost() == null || uri.getRawUserInfo() != null) {
            throw new IllegalArgumentException(
                    "the URI of a request begins with http or https, and has a host and no user: " + uri);
        }
        if (!StandardCharsets.UTF_8.newEncoder().canEncode(uri.toString())) {
            throw new IllegalArgumentException(
                    "the URI of a request has half of a surrogate pair, which has no encoding: " + uri);
        }
        if (length < UNKNOWN_LENGTH) {
            throw new IllegalArgumentException("a body has a length from 0, or UNKNOWN_LENGTH, not " + length);
        }
    }

    public static HttpCall of(String method, URI uri) {
        return new HttpCall(method, uri, "", null, 0, null, false);
    }

    public static HttpCall get(String uri) {
        return of("GET", URI.create(uri));
    }

    public static HttpCall post(String uri, String contentType, byte[] body) {
        return of("POST", URI.create(uri))
                .withField("Content-Type", contentType)
                .withBody(body);
    }

    public static HttpCall post(String uri, String contentType, String body) {
        return post(uri, contentType, body.getBytes(StandardCharsets.UTF_8));
    }

    /** Adds a field. The client itself writes Host and the fields that frame the message. */
    public HttpCall withField(String name, String value) {
        FieldSyntax.requireOfService(name, value);
        if (name.equalsIgnoreCase("Host")) {
            throw new IllegalArgumentException("the field Host is written from the URI");
        }
        if (name.equalsIgnoreCase("Expect")) {
            throw new IllegalArgumentException("the field Expect is written by expectContinue");
        }
        return withLine(name + ": " + value + "\r\n");
    }

    public HttpCall withFields(Map<String, String> added) {
        HttpCall changed = this;
        for (Map.Entry<String, String> field : added.entrySet()) {
            changed = changed.withField(field.getKey(), field.getValue());
        }
        return changed;
    }

    private HttpCall withLine(String line) {
        return new HttpCall(method, uri, fields + line, upload, length, timeout, decodes);
    }

    /** @param content copied */
    public HttpCall withBody(byte[] content) {
        return withBody(content.length, new WholeUpload(content.clone()));
    }

    /**
     * Returns a request whose body is sent as {@code source} gives it. The request is not repeated after its body has begun.
     *
     * @param bytes length of the body; {@link #UNKNOWN_LENGTH} sends it in chunks
     */
    public HttpCall withBody(long bytes, HttpUpload source) {
        // RFC 9110 section 10.1.1: a request without content must not have the expectation
        String lines = bytes == 0
                ? ("\r\n" + fields).replace(LATER_EXPECTATION, "\r\n").substring(2)
                : fields;
        return new HttpCall(method, uri, lines, Objects.requireNonNull(source, "source"), bytes, timeout, decodes);
    }

    /**
     * Encodes the body by gzip (Content-Encoding), for a server that is known to accept gzip. A whole body is encoded now. A body in pieces
     * is encoded when it is written, is sent in chunks, and uses about 256 KiB outside of the heap until it is complete.
     *
     * @throws IllegalStateException if the request has no body
     */
    public HttpCall withGzip() {
        if (upload == null) {
            throw new IllegalStateException("a request without a body has nothing to encode");
        }
        HttpCall named = withField("Content-Encoding", "gzip");
        return upload instanceof WholeUpload whole
                ? named.withBody(Gzip.encode(whole.bytes()))
                : named.withBody(UNKNOWN_LENGTH, new GzipUpload(upload));
    }

    private record GzipUpload(HttpUpload plain) implements HttpUpload {
        @Override
        public void begin(HttpTransfer transfer) throws Exception {
            plain.begin(transfer);
        }
    }

    boolean isEncoded() {
        return upload instanceof GzipUpload;
    }

    /**
     * Delays the body until the server consents to it (Expect: 100-continue, RFC 9110 section 10.1.1), but at most 1 s. Use it for a large
     * body that a server may refuse. If a response comes first, the body is not sent, and the connection ends. A request with an empty
     * body is left unchanged.
     *
     * @throws IllegalStateException if the request has no body
     */
    public HttpCall expectContinue() {
        if (upload == null) {
            throw new IllegalStateException("a request without a body expects no consent to it");
        }
        return length == 0 || expectsContinue() ? this : withLine(EXPECTATION);
    }

    public HttpCall withTimeout(Duration changed) {
        return new HttpCall(method, uri, fields, upload, length, changed, decodes);
    }

    /**
     * Lets the server encode its response by gzip (Accept-Encoding), and decodes it. A decoded response has no fields Content-Encoding and
     * Content-Length. The decoded body must fit {@link org.cabrank.http.message.HttpLimits#bodyBytes}. A response in another coding fails.
     */
    public HttpCall acceptGzip() {
        HttpCall permitting = decodes ? this : withLine("Accept-Encoding: gzip\r\n");
        return new HttpCall(method, uri, permitting.fields, upload, length, timeout, true);
    }

    boolean expectsContinue() {
        return fields.startsWith(EXPECTATION) || fields.contains(LATER_EXPECTATION);
    }

    boolean isBodyKept() {
        return upload == null || upload instanceof WholeUpload;
    }

    boolean isSecure() {
        return "https".equalsIgnoreCase(uri.getScheme());
    }

    String origin() {
        return (uri.getScheme() + "://" + uri.getHost()).toLowerCase(Locale.ROOT) + ":" + port();
    }

    int port() {
        return uri.getPort() >= 0 ? uri.getPort() : isSecure() ? 443 : 80;
    }

    /** Returns true if the request may be repeated when its outcome is unknown (RFC 9110 section 9.2.2). */
    boolean isIdempotent() {
        return switch (method) {
            case "GET", "HEAD", "OPTIONS", "TRACE", "PUT", "DELETE" -> true;
            default -> false;
        };
    }

    byte[] head() {
        String encoded = uri.toASCIIString();
        URI sent = encoded.equals(uri.toString()) ? uri : URI.create(encoded);
        String path = sent.getRawPath().isEmpty() ? "/" : sent.getRawPath();
        StringBuilder text = new StringBuilder(128 + fields.length());
        text.append(method).append(' ').append(path);
        if (sent.getRawQuery() != null) {
            text.append('?').append(sent.getRawQuery());
        }
        text.append(" HTTP/1.1\r\nHost: ").append(uri.getHost());
        if (uri.getPort() >= 0) {
            text.append(':').append(uri.getPort());
        }
        text.append("\r\n").append(fields);
        boolean expected = method.equals("POST") || method.equals("PUT") || method.equals("PATCH");
        if (length == UNKNOWN_LENGTH) {
            text.append("Transfer-Encoding: chunked\r\n");
        } else if (upload != null || expected) {
            text.append("Content-Length: ").append(length).append("\r\n");
        }
        return text.append("\r\n").toString().getBytes(StandardCharsets.ISO_8859_1);
    }

    @Override
    public String toString() {
        return method + " " + uri;
    }
}
