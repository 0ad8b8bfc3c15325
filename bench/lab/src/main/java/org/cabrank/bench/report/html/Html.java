package org.cabrank.bench.report.html;

/** Escapes text for a page, because names, logs and command lines come from outside. */
final class Html {

    private Html() {}

    /** Escapes for elements, and for attributes in either kind of quotes. */
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
                // HTML does not allow control characters, such as the escapes of a coloured log.
                default -> safe.append(Character.isISOControl(c) && c != '\n' && c != '\t' ? '\uFFFD' : c);
            }
        }
        return safe.toString();
    }

    /** Escapes for a script element, which {@code </script>} would end and {@code <!--} would break. */
    static String json(String json) {
        return json.replace("<", "\\u003c")
                .replace(">", "\\u003e")
                .replace("&", "\\u0026")
                .replace("\u2028", "\\u2028")
                .replace("\u2029", "\\u2029");
    }
}
