package org.cabrank.bench.live;

import java.util.ArrayList;
import java.util.List;

/** A label and what belongs to it, on as many lines as that takes. */
final class Flow {
    static final int LABEL_WIDTH = 13;
    private static final String GAP = "   ";

    private final int columns;
    private final TerminalPalette palette;
    private final List<ScreenLine> lines = new ArrayList<>();

    Flow(int columns, TerminalPalette palette, String label) {
        this.columns = columns;
        this.palette = palette;
        lines.add(new ScreenLine(columns).add(label, palette::dim));
    }

    /** A name, and its figure behind it. Stays together. */
    Flow add(String name, String figure, ScreenLine.Style style) {
        int width = name.length() + figure.length() + (name.isEmpty() ? 0 : 1);
        ScreenLine line = lines.get(lines.size() - 1);
        boolean first = line.width() <= LABEL_WIDTH;
        if (!first && line.room() < GAP.length() + width) {
            line = new ScreenLine(columns);
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
        return add(name, figure, ScreenLine.Style.PLAIN);
    }

    /** Adds text in this style, wrapped at spaces. */
    Flow words(String words, ScreenLine.Style style) {
        for (String word : words.split(" ")) {
            ScreenLine line = lines.get(lines.size() - 1);
            if (line.width() > LABEL_WIDTH && line.room() <= word.length()) {
                line = new ScreenLine(columns);
                lines.add(line);
            }
            line.add(line.width() > LABEL_WIDTH ? " " : "").at(LABEL_WIDTH).add(word, style);
        }
        return this;
    }

    List<String> lines() {
        return lines.stream().map(ScreenLine::toString).toList();
    }
}
