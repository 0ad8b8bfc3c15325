package org.cabrank.bench.topology;

import java.util.ArrayList;
import java.util.List;

/** Lines of text. */
record Paragraph(String style, double fontSize, List<String> lines, double width) implements Block {
    private static final double LEADING = 1.4;

    /** @param texts each begins a line, and goes on in the next where it is too long */
    static Paragraph of(String style, double fontSize, List<String> texts, double width) {
        List<String> lines = new ArrayList<>();
        for (String text : texts) {
            wrap(text, (int) (width / Svg.width("x", fontSize)), lines);
        }
        return new Paragraph(style, fontSize, lines, width);
    }

    private static void wrap(String text, int charactersMax, List<String> lines) {
        String rest = text;
        while (rest.length() > charactersMax) {
            int blank = Math.max(rest.lastIndexOf(' ', charactersMax), rest.lastIndexOf(',', charactersMax - 1) + 1);
            int end = blank > 0 ? blank : charactersMax;
            lines.add(rest.substring(0, end).stripTrailing());
            rest = rest.substring(end).stripLeading();
        }
        lines.add(rest);
    }

    @Override
    public double height() {
        return lines.size() * fontSize * LEADING;
    }

    @Override
    public void draw(Svg svg, double x, double y) {
        double base = y + fontSize;
        for (String line : lines) {
            svg.words(style, x, base, line);
            base += fontSize * LEADING;
        }
    }
}
