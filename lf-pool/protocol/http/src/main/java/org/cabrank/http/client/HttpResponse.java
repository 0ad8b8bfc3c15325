package org.cabrank.http.client;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.Map;
import org.cabrank.http.message.Gzip;

/**
 * A response that has come as a whole.
 *
 * @param fields values in order of their lines; names are compared without case
 * @param body the bytes, which belong to whoever has the response
 */
public record HttpResponse(int status, Map<String, List<String>> fields, byte[] body) {
    /** Returns the first value of a field, or null. */
    public String field(String name) {
        List<String> values = fields.get(name);
        return values == null ? null : values.get(0);
    }

    /** Returns the body as text in UTF-8. */
    public String text() {
        return new String(body, StandardCharsets.UTF_8);
    }

    /**
     * Returns the body without the coding gzip, which a request permits by {@code withField("Accept-Encoding", "gzip")}; a body without a coding
     * unchanged.
     *
     * @param bytesMax bound of the result: a few KiB may become many MiB
     * @throws IOException if the body would become longer, is malformed, or has another coding
     */
    public byte[] decodedBody(int bytesMax) throws IOException {
        String coding = field("Content-Encoding");
        if (coding == null || body.length == 0) {
            return body;
        }
        if (!Gzip.is(coding)) {
            throw new IOException("the body has the coding " + coding + ", and not gzip: leave Accept-Encoding out");
        }
        byte[] decoded = Gzip.decode(body, bytesMax);
        if (decoded == null) {
            throw new IOException("the body becomes longer than " + bytesMax + " bytes: raise bytesMax");
        }
        return decoded;
    }

    @Override
    public String toString() {
        return "response with status " + status + " and " + body.length + " bytes";
    }
}
