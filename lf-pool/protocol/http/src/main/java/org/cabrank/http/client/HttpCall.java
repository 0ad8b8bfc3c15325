package org.cabrank.http.client;

import java.net.URI;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.Locale;
import java.util.Map;
import java.util.Objects;
import org.cabrank.http.wire.FieldSyntax;

/**
 * A request that a client makes. Immutable; the methods that change one return a copy.
 *
 * @param method a token, but not CONNECT
 * @param uri absolute, {@code http} or {@code https}, with a host; characters beyond ASCII are sent as
 *     {@link URI#toASCIIString} encodes them
 * @param fields field lines with their ends
 * @param body null: none
 * @param timeout from the beginning to the end of the response, at least 0; 0: no limit; null: that of the client
 */
public record HttpCall(String method, URI uri, String fields, byte[] body, Duration timeout) {

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
        body = body == null ? null : body.clone();
    }

    /** A request without a body. */
    public static HttpCall of(String method, URI uri) {
        return new HttpCall(method, uri, "", null, null);
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

    /** Adds a field; Host, and what decides the framing, is written by the client. */
    public HttpCall withField(String name, String value) {
        FieldSyntax.requireOfService(name, value);
        if (name.equalsIgnoreCase("Host")) {
            throw new IllegalArgumentException("the field Host is written from the URI");
        }
        return new HttpCall(method, uri, fields + name + ": " + value + "\r\n", body, timeout);
    }

    public HttpCall withFields(Map<String, String> added) {
        HttpCall changed = this;
        for (Map.Entry<String, String> field : added.entrySet()) {
            changed = changed.withField(field.getKey(), field.getValue());
        }
        return changed;
    }

    /** @param content copied */
    public HttpCall withBody(byte[] content) {
        return new HttpCall(method, uri, fields, Objects.requireNonNull(content, "content"), timeout);
    }

    public HttpCall withTimeout(Duration changed) {
        return new HttpCall(method, uri, fields, body, changed);
    }

    @Override
    public byte[] body() {
        return body == null ? null : body.clone();
    }

    byte[] content() {
        return body;
    }

    boolean isSecure() {
        return "https".equalsIgnoreCase(uri.getScheme());
    }

    /** The server: scheme, host and port. Schemes and hosts have no case. */
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
        if (body != null || expected) {
            text.append("Content-Length: ")
                    .append(body == null ? 0 : body.length)
                    .append("\r\n");
        }
        return text.append("\r\n").toString().getBytes(StandardCharsets.ISO_8859_1);
    }

    @Override
    public String toString() {
        return method + " " + uri;
    }
}
