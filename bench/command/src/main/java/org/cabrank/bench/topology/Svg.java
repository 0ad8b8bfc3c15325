package org.cabrank.bench.topology;

import java.util.Locale;

/** Writes SVG elements; lengths are pixels. */
final class Svg {
    /** Approximate width of a character relative to the size of its font. */
    private static final double CHARACTER_WIDTH = 0.58;

    private final StringBuilder text = new StringBuilder();

    /** Approximate width of a text in a font of this size. */
    static double width(String words, double fontSize) {
        return words.length() * fontSize * CHARACTER_WIDTH;
    }

    void rectangle(String style, double x, double y, double width, double height, double radius) {
        rectangleBehind(mark(), style, x, y, width, height, radius);
    }

    /** Position to draw a rectangle behind everything that follows. */
    int mark() {
        return text.length();
    }

    /** Draws a rectangle behind everything that was drawn since {@code mark}. */
    void rectangleBehind(int mark, String style, double x, double y, double width, double height, double radius) {
        text.insert(
                mark,
                String.format(
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

    /** Begins a group with a tooltip. */
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

    /** The whole picture. @param title for readers who cannot see it */
    String document(double width, double height, String title, String css) {
        return String.format(
                        Locale.ROOT,
                        "<svg xmlns=\"http://www.w3.org/2000/svg\" width=\"%1$s\" height=\"%2$s\" viewBox=\"0 0 %1$s %2$s\""
                                + " role=\"img\">%n<title>%3$s</title>%n<style>%n%4$s</style>%n"
                                + "<defs><pattern id=\"hatched\" width=\"5\" height=\"5\" patternUnits=\"userSpaceOnUse\""
                                + " patternTransform=\"rotate(45)\"><path class=\"hatch\" d=\"M0 0V5\" stroke-width=\"2\"/>"
                                + "</pattern></defs>%n",
                        number(Math.ceil(width)),
                        number(Math.ceil(height)),
                        escaped(title),
                        css)
                + text + "</svg>\n";
    }
}
