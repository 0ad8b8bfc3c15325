package org.cabrank.bench.fuzz;

import java.util.List;
import java.util.Map;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.cabrank.http.message.HttpLimits;

/**
 * A second reader of the response to one request, by regular expressions over all bytes of a connection, for comparison with the client of
 * the library. Slow, and written from RFC 9112 without it.
 */
final class SlowResponseReader {
    /** The bytes are no whole response. */
    static final String FAILED = "failed";

    private static final Pattern HEAD = Pattern.compile(
            "HTTP/1\\.([0-9]) ([1-9][0-9]{2})(?: " + SlowFields.VALUE + ")?+\r\n" + SlowFields.FOLDED_LINES);
    private static final int SWITCHING = 101;
    private static final int FIRST_FINAL = 200;
    private static final int NO_CONTENT = 204;
    private static final int NOT_MODIFIED = 304;
    private static final int INTERIM_MAX = 32;
    private static final HttpLimits LIMITS = HttpLimits.DEFAULT;

    private SlowResponseReader() {}

    /**
     * Returns status, fields, body, trailer fields, and true if the client leaves the end of the connection to the server;
     * {@link #FAILED} if there is no whole response.
     *
     * @param toHead the request was HEAD
     */
    static String response(String input, boolean toHead) {
        int at = 0;
        boolean stays = true;
        for (int interims = 0; interims <= INTERIM_MAX; interims++) {
            Matcher head = HEAD.matcher(input).region(at, input.length());
            if (!head.lookingAt() || head.end() - at > LIMITS.headBytes()) {
                return FAILED;
            }
            int status = Integer.parseInt(head.group(2));
            Map<String, List<String>> fields = SlowFields.of(head.group(3));
            boolean version10 = head.group(1).equals("0");
            boolean neverBody = status < FIRST_FINAL || status == NO_CONTENT;
            boolean bodiless = toHead || neverBody || status == NOT_MODIFIED;
            boolean clear = isClear(fields, version10);
            if (status == SWITCHING || SlowFields.count(fields) > LIMITS.fields() || !bodiless && !clear) {
                return FAILED;
            }
            at = head.end();
            boolean close = SlowFields.has(fields, "connection", "close");
            stays &= !close && (!version10 || SlowFields.has(fields, "connection", "keep-alive"));
            stays &= clear && !(neverBody && announcesBody(fields));
            if (status >= FIRST_FINAL) {
                return body(input, at, status + " " + fields, fields, stays, bodiless);
            }
        }
        return FAILED;
    }

    private static boolean isClear(Map<String, List<String>> fields, boolean version10) {
        List<String> lengths = fields.getOrDefault("content-length", List.of());
        boolean coded = fields.containsKey("transfer-encoding");
        return lengths.size() <= 1
                && lengths.stream().allMatch(length -> length.matches("[0-9]+"))
                && !(coded && (version10 || !lengths.isEmpty() || !SlowFields.isChunkedAlone(fields)));
    }

    private static boolean announcesBody(Map<String, List<String>> fields) {
        return fields.containsKey("transfer-encoding")
                || fields.getOrDefault("content-length", List.of()).stream()
                        .anyMatch(length -> length.matches(".*[1-9].*"));
    }

    private static String body(
            String input, int at, String head, Map<String, List<String>> fields, boolean kept, boolean bodiless) {
        SlowBody body = new SlowBody(input, at);
        boolean stays = kept;
        String content;
        if (bodiless) {
            content = body.fixed(0);
        } else if (fields.containsKey("transfer-encoding")) {
            content = body.chunks(true);
        } else if (fields.containsKey("content-length")) {
            String digits = fields.get("content-length").get(0).replaceAll("^0+(?=.)", "");
            boolean tooLong = digits.length() > 15 || Long.parseLong(digits) > LIMITS.bodyBytes();
            content = tooLong ? null : body.fixed(Long.parseLong(digits));
        } else {
            int length = input.length() - at;
            content = length > LIMITS.bodyBytes() ? null : body.fixed(length);
            stays = true; // the server's end is that of the body
        }
        return content == null ? FAILED : head + content + " " + (stays && body.end() == input.length());
    }
}
