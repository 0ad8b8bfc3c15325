package org.cabrank.bench.fuzz;

import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.cabrank.http.message.HttpLimits;

/**
 * A second reader of requests, by regular expressions over the whole input, for comparison with the parsers of the library. Slow, and
 * written from RFC 9112 and RFC 3986 without them.
 */
final class SlowHttpReader {
    private static final Pattern HEAD = Pattern.compile(
            "(?:\r\n)*+(" + SlowFields.TOKEN + ") ([!-~\\x80-\\xff]++) HTTP/1\\.([0-9])\r\n" + SlowFields.LINES);

    private static final String NAME = "(?:[A-Za-z0-9._~!$&'()*+,;=-]|%[0-9A-Fa-f]{2})";
    private static final String OCTET = "(?:25[0-5]|2[0-4][0-9]|1[0-9]{2}|[1-9]?[0-9])";
    private static final String IPV4 = OCTET + "(?:\\." + OCTET + "){3}";
    private static final String H16 = "[0-9A-Fa-f]{1,4}";
    private static final String LS32 = "(?:" + H16 + ":" + H16 + "|" + IPV4 + ")";
    private static final String IPV6 = "(?:(?:" + H16 + ":){6}" + LS32
            + "|::(?:" + H16 + ":){5}" + LS32
            + "|(?:" + H16 + ")?::(?:" + H16 + ":){4}" + LS32
            + "|(?:(?:" + H16 + ":){0,1}" + H16 + ")?::(?:" + H16 + ":){3}" + LS32
            + "|(?:(?:" + H16 + ":){0,2}" + H16 + ")?::(?:" + H16 + ":){2}" + LS32
            + "|(?:(?:" + H16 + ":){0,3}" + H16 + ")?::" + H16 + ":" + LS32
            + "|(?:(?:" + H16 + ":){0,4}" + H16 + ")?::" + LS32
            + "|(?:(?:" + H16 + ":){0,5}" + H16 + ")?::" + H16
            + "|(?:(?:" + H16 + ":){0,6}" + H16 + ")?::)";
    private static final String HOST = "(?:\\[" + IPV6 + "\\]|" + NAME + "+)";
    private static final Pattern AUTHORITY = Pattern.compile("(" + HOST + ")(?::([0-9]*))?");
    private static final String PATH = "[!\"$-~\\x80-\\xff]*";
    private static final Pattern ORIGIN_FORM = Pattern.compile("/" + PATH);
    private static final Pattern ABSOLUTE_FORM = Pattern.compile("(?i:https?)://([^/?]*)([/?]" + PATH + ")?");
    private static final int PORT_MAX = 65_535;

    private final String input;
    private final List<String> requests = new ArrayList<>();
    private int at;

    private SlowHttpReader(String input) {
        this.input = input;
    }

    /** Returns the requests that the bytes (ISO 8859-1) begin with, each on its own, up to the first that is malformed or incomplete. */
    static List<String> requests(String input) {
        SlowHttpReader reader = new SlowHttpReader(input);
        while (reader.readOne()) {
            continue;
        }
        return reader.requests;
    }

    private boolean readOne() {
        Matcher head = HEAD.matcher(input).region(at, input.length());
        if (!head.lookingAt() || head.end() - at > HttpLimits.DEFAULT.headBytes()) {
            return false;
        }
        boolean version10 = head.group(3).equals("0");
        Map<String, List<String>> fields = SlowFields.of(head.group(4));
        String length = read(head.group(1), head.group(2), version10, fields);
        if (length == null) {
            return false;
        }
        boolean close = SlowFields.has(fields, "connection", "close");
        boolean stays = !close && (!version10 || SlowFields.has(fields, "connection", "keep-alive"));
        boolean expects = !version10 && fields.containsKey("expect") && !length.equals("0");
        SlowBody content = new SlowBody(input, head.end());
        String request = head.group(1) + " " + head.group(2) + (version10 ? " 1.0 " : " 1.1 ") + stays + " " + fields;
        String body = expects
                ? " {}"
                : length.equals("chunked") ? content.chunks(false) : content.fixed(Long.parseLong(length));
        if (body == null) {
            return false;
        }
        at = content.end();
        requests.add(request + (expects ? " " : "") + body);
        return stays && !expects;
    }

    /** Returns the length of the body, "chunked", or null if the request is refused. */
    private static String read(String method, String target, boolean version10, Map<String, List<String>> fields) {
        int lines = fields.values().stream().mapToInt(List::size).sum();
        List<String> hosts = fields.getOrDefault("host", List.of());
        boolean hostsRight = hosts.size() == 1 ? isAuthority(hosts.get(0), true, false) : hosts.isEmpty() && version10;
        if (lines > HttpLimits.DEFAULT.fields() || !hostsRight || !isTarget(method, target)) {
            return null;
        }
        boolean expectUnknown = fields.getOrDefault("expect", List.of()).stream()
                .anyMatch(value -> !value.equalsIgnoreCase("100-continue"));
        List<String> lengths = fields.getOrDefault("content-length", List.of());
        boolean coded = fields.containsKey("transfer-encoding");
        if (expectUnknown && !version10 || lengths.size() > 1 || coded && (version10 || !lengths.isEmpty())) {
            return null;
        }
        if (coded) {
            return SlowFields.isChunkedAlone(fields) ? "chunked" : null;
        }
        if (lengths.isEmpty()) {
            return "0";
        }
        String digits = lengths.get(0).replaceAll("^0+(?=.)", "");
        boolean number = digits.matches("[0-9]{1,15}");
        return number && Long.parseLong(digits) <= HttpLimits.DEFAULT.bodyBytes() ? digits : null;
    }

    private static boolean isAuthority(String text, boolean mayBeEmpty, boolean needsPort) {
        if (text.isEmpty()) {
            return mayBeEmpty;
        }
        Matcher parts = AUTHORITY.matcher(text);
        if (!parts.matches()) {
            return false;
        }
        String port = parts.group(2) == null ? "" : parts.group(2).replaceAll("^0+(?=.)", "");
        boolean portRight = port.length() <= 5 && (port.isEmpty() || Integer.parseInt(port) <= PORT_MAX);
        return portRight && !(needsPort && port.isEmpty());
    }

    private static boolean isTarget(String method, String target) {
        if (method.equals("CONNECT")) {
            return isAuthority(target, false, true);
        }
        if (target.equals("*")) {
            return method.equals("OPTIONS");
        }
        Matcher absolute = ABSOLUTE_FORM.matcher(target);
        return ORIGIN_FORM.matcher(target).matches()
                || absolute.matches() && isAuthority(absolute.group(1), false, false);
    }
}
