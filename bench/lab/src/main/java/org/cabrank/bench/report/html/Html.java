package org.cabrank.bench.report.html;

/** Escapes text for a page, because names, logs and command lines may have any content. */
final class Html {

    private Html() {}

    /** The result may be used in elements, and in attributes with single or double quotes. */
    static String text(String raw) {
        StringBuilder safe = new StringBuilder(raw.length() + 16);
        for (int i = 0; i < raw.length(); i++) {
            char c = raw.charAt(i);
            switch (c) {
                case '&' -> safe.append("&amp;");
                case '<' -> safe.append("&lt;");
                case '>' -> safe.append("&gt;");
                case '"' -> safe.append("&quot;");
                case '\'' -> safe.append("&#39;");
                // HTML forbids control characters. A coloured log has some.
                default -> safe.append(Character.isISOControl(c) && c != '\n' && c != '\t' ? '\uFFFD' : c);
            }
        }
        return safe.toString();
    }

    /** Escapes JSON inside a script element. Otherwise a {@code </script>} in a string would end the element. */
    static String json(String json) {
        return json.replace("<", "\\u003c")
                .replace(">", "\\u003e")
                .replace("&", "\\u0026")
                .replace("\u2028", "\\u2028")
                .replace("\u2029", "\\u2029");
    }
}
