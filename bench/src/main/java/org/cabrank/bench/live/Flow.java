package org.cabrank.bench.live;

import java.util.ArrayList;
import java.util.List;

/** A label and what belongs to it, on as many lines as that takes. */
final class Flow {
    static final int LABEL_WIDTH = 13;
    private static final String GAP = "   ";

    private final int columns;
    private final Palette palette;
    private final List<Line> lines = new ArrayList<>();

    Flow(int columns, Palette palette, String label) {
        this.columns = columns;
        this.palette = palette;
        lines.add(new Line(columns).add(label, palette::dim));
    }

    /** A name, and its figure behind it. Stays together. */
    Flow add(String name, String figure, Line.Style style) {
        int width = name.length() + figure.length() + (name.isEmpty() ? 0 : 1);
        Line line = lines.get(lines.size() - 1);
        boolean first = line.width() <= LABEL_WIDTH;
        if (!first && line.room() < GAP.length() + width) {
            line = new Line(columns);
            lines.add(line);
            first = true;
        }
        line.add(first ? "" : GAP).at(LABEL_WIDTH);
        if (!name.isEmpty()) {
            line.add(name + " ", palette::dim);
        }
        line.add(figure, style);
        return this;
    }

    Flow add(String name, String figure) {
        return add(name, figure, Line.Style.PLAIN);
    }

    /** Adds text in this style, wrapped at spaces. */
    Flow words(String words, Line.Style style) {
        for (String word : words.split(" ")) {
            Line line = lines.get(lines.size() - 1);
            if (line.width() > LABEL_WIDTH && line.room() <= word.length()) {
                line = new Line(columns);
                lines.add(line);
            }
            line.add(line.width() > LABEL_WIDTH ? " " : "").at(LABEL_WIDTH).add(word, style);
        }
        return this;
    }

    List<String> lines() {
        return lines.stream().map(Line::toString).toList();
    }
}
