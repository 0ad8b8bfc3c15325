package org.cabrank.bench.topology;

import java.util.Locale;

/** Writes SVG elements; lengths are pixels. */
final class Svg {
    /** About what a character takes of the fonts in use, in their size; wider ones are made up for by narrower ones. */
    private static final double CHARACTER_WIDTH = 0.58;

    private final StringBuilder text = new StringBuilder();

    /** Approximate width of a text in a font of this size. */
    static double width(String words, double fontSize) {
        return words.length() * fontSize * CHARACTER_WIDTH;
    }

    void rectangle(String style, double x, double y, double width, double height, double radius) {
        text.append(String.format(
                Locale.ROOT,
                "<rect class=\"%s\" x=\"%s\" y=\"%s\" width=\"%s\" height=\"%s\" rx=\"%s\"/>%n",
                style,
                number(x),
                number(y),
                number(width),
                number(height),
                number(radius)));
    }

    /** @param y of the base line */
    void words(String style, double x, double y, String words) {
        text.append(String.format(
                Locale.ROOT,
                "<text class=\"%s\" x=\"%s\" y=\"%s\">%s</text>%n",
                style,
                number(x),
                number(y),
                escaped(words)));
    }

    /** Begins a group with what is shown when the mouse is over it. */
    void begin(String title) {
        text.append("<g><title>").append(escaped(title)).append("</title>\n");
    }

    void end() {
        text.append("</g>\n");
    }

    private static String number(double value) {
        return value == Math.rint(value) ? Long.toString((long) value) : String.format(Locale.ROOT, "%.1f", value);
    }

    private static String escaped(String words) {
        return words.replace("&", "&amp;")
                .replace("<", "&lt;")
                .replace(">", "&gt;")
                .replace("\"", "&quot;");
    }

    /** The whole picture. @param title for those who cannot see it */
    String document(double width, double height, String title, String style) {
        return String.format(
                        Locale.ROOT,
                        "<svg xmlns=\"http://www.w3.org/2000/svg\" width=\"%1$s\" height=\"%2$s\" viewBox=\"0 0 %1$s %2$s\""
                                + " role=\"img\">%n<title>%3$s</title>%n",
                        number(Math.ceil(width)),
                        number(Math.ceil(height)),
                        escaped(title))
                + style + text + "</svg>\n";
    }
}
