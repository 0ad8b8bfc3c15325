package org.cabrank.bench.fuzz;

import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/** Field lines by regular expressions, for {@link SlowHttpReader} and {@link SlowResponseReader}. */
final class SlowFields {
    static final String TOKEN = "[!#$%&'*+.^_`|~0-9A-Za-z-]++";
    static final String VALUE = "[\\t\\x20-\\x7e\\x80-\\xff]*+";

    /** Field lines with the empty line behind them; the lines are a group. */
    static final String LINES = "((?:" + TOKEN + ":" + VALUE + "\r\n)*+)\r\n";

    /** Field lines of a response, which may be folded (RFC 9112 section 5.2). */
    static final String FOLDED_LINES = "((?:" + TOKEN + ":" + VALUE + "(?:\r\n[\t ]" + VALUE + ")*+\r\n)*+)\r\n";

    private static final Pattern FIELD = Pattern.compile("(" + TOKEN + "):[\\t ]*+(" + VALUE + ")\r\n");

    private SlowFields() {}

    /** The values of field lines by name; names have no case. */
    static Map<String, List<String>> of(String lines) {
        Map<String, List<String>> fields = new TreeMap<>(String.CASE_INSENSITIVE_ORDER);
        Matcher line = FIELD.matcher(lines.replaceAll("[\t ]*+\r\n[\t ]++", " "));
        while (line.find()) {
            fields.computeIfAbsent(line.group(1), absent -> new ArrayList<>())
                    .add(line.group(2).replaceAll("[\\t ]+$", ""));
        }
        return fields;
    }

    /** Returns true if a list of that name has the element. */
    static boolean has(Map<String, List<String>> fields, String name, String element) {
        return fields.getOrDefault(name, List.of()).stream()
                .flatMap(value -> List.of(value.split(",")).stream())
                .anyMatch(part -> strip(part).equalsIgnoreCase(element));
    }

    private static String strip(String part) {
        return part.replaceAll("^[\\t ]+|[\\t ]+$", "");
    }

    /** Number of field lines. */
    static int count(Map<String, List<String>> fields) {
        return fields.values().stream().mapToInt(List::size).sum();
    }

    /** Returns true if the chunked transfer coding is the only one, and named once. */
    static boolean isChunkedAlone(Map<String, List<String>> fields) {
        List<String> codings = fields.get("transfer-encoding").stream()
                .flatMap(value -> List.of(value.split(",")).stream())
                .map(SlowFields::strip)
                .filter(coding -> !coding.isEmpty())
                .toList();
        return codings.size() == 1 && codings.get(0).equalsIgnoreCase("chunked");
    }
}
