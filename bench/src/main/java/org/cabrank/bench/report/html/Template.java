package org.cabrank.bench.report.html;

import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * A text resource with placeholders, a small part of Mustache: <code>{{name}}</code> is a value as HTML text,
 * <code>{{{name}}}</code> a value that is HTML already, <code>{{.}}</code> the element of a list of texts.
 * <code>{{#name}}...{{/name}}</code> is repeated for each element of a list, or shown once for any other value that is not
 * empty; <code>{{^name}}...{{/name}}</code> is shown if the value is empty. Empty are an absent value, false, an empty text
 * and an empty list. The names of a list's elements, which are maps, hide those around them.
 */
final class Template {

    private static final Pattern TAG = Pattern.compile("\\{\\{(\\{|[#^])?([\\w.]+)}?}}");

    private final String name;
    private final String text;

    private Template(String name, String text) {
        this.name = name;
        this.text = text;
    }

    /** The template in the resource {@code name}. */
    static Template named(String name) {
        return new Template(name, Asset.own(name));
    }

    String fill(Map<String, ?> values) {
        StringBuilder out = new StringBuilder(text.length());
        fill(text, values, List.of(), out);
        return out.toString();
    }

    /** @param around values of the sections around this one, the innermost first */
    private void fill(String part, Object values, List<Object> around, StringBuilder out) {
        Matcher tag = TAG.matcher(part);
        int from = 0;
        while (tag.find(from)) {
            out.append(part, from, tag.start());
            String kind = tag.group(1) == null ? "" : tag.group(1);
            String key = tag.group(2);
            Object value = value(key, values, around);
            from = tag.end();
            if (kind.equals("#") || kind.equals("^")) {
                String close = "{{/" + key + "}}";
                int end = part.indexOf(close, from);
                if (end < 0) {
                    throw new IllegalStateException(name + " does not end the section " + key);
                }
                section(kind.equals("^"), part.substring(from, end), value, values, around, out);
                from = end + close.length();
            } else if (value == null) {
                throw new IllegalStateException(name + " has no value for " + key);
            } else {
                out.append(kind.isEmpty() ? Html.text(value.toString()) : value.toString());
            }
        }
        out.append(part, from, part.length());
    }

    private void section(
            boolean inverse, String part, Object value, Object values, List<Object> around, StringBuilder out) {
        boolean empty = value == null
                || value.equals(false)
                || value.equals("")
                || value instanceof List<?> list && list.isEmpty();
        if (inverse == empty) {
            if (!inverse && value instanceof List<?> list) {
                List<Object> outer = new ArrayList<>(List.of(values));
                outer.addAll(around);
                list.forEach(element -> fill(part, element, outer, out));
            } else {
                fill(part, values, around, out);
            }
        }
    }

    private static Object value(String key, Object values, List<Object> around) {
        if (key.equals(".")) {
            return values;
        }
        if (values instanceof Map<?, ?> map && map.containsKey(key)) {
            return map.get(key);
        }
        return around.isEmpty() ? null : value(key, around.get(0), around.subList(1, around.size()));
    }
}
