package org.cabrank.http.client;

import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.Map;

/**
 * A response that has arrived as a whole.
 *
 * @param fields values in order of their lines; names are compared without case
 * @param body owned by the receiver of the response
 */
public record HttpResponse(int status, Map<String, List<String>> fields, byte[] body) {
    /** Returns the first value of a field, or null. */
    public String field(String name) {
        List<String> values = fields.get(name);
        return values == null ? null : values.get(0);
    }

    /** The body decoded as UTF-8. */
    public String text() {
        return new String(body, StandardCharsets.UTF_8);
    }

    @Override
    public String toString() {
        return "response with status " + status + " and " + body.length + " bytes";
    }
}
