package org.cabrank.bench.live;

import java.util.ArrayList;
import java.util.List;

/** A table whose last columns are left out where the screen is too narrow for them, and last rows where it is too low. */
final class ScreenTable {
    private static final String GAP = "  ";

    private final List<String> heads;
    private final List<List<String>> rows = new ArrayList<>();
    private final List<ScreenLine.Style> styles = new ArrayList<>();

    /** Beyond the first of them numbers, or what is set like them. */
    private final int words;

    /** @param words number of first columns that hold text, which is aligned to the left */
    ScreenTable(int words, String... heads) {
        this.words = words;
        this.heads = List.of(heads);
    }

    void add(ScreenLine.Style style, String... cells) {
        rows.add(List.of(cells));
        styles.add(style);
    }

    int size() {
        return rows.size();
    }

    /** @param rowsMax at least 1; where there are more, the last line says how many are not shown */
    List<String> lines(int columns, int rowsMax, TerminalPalette palette) {
        int[] widths = new int[heads.size()];
        for (int column = 0; column < widths.length; column++) {
            widths[column] = heads.get(column).length();
            for (List<String> row : rows) {
                widths[column] = Math.max(widths[column], row.get(column).length());
            }
        }
        int shown = shown(widths, columns);
        List<String> lines = new ArrayList<>();
        lines.add(line(heads, widths, shown, columns, palette::dim));
        int whole = rows.size() <= rowsMax ? rows.size() : rowsMax - 1;
        for (int row = 0; row < whole; row++) {
            lines.add(line(rows.get(row), widths, shown, columns, styles.get(row)));
        }
        if (whole < rows.size()) {
            lines.add(new ScreenLine(columns)
                    .add("... and " + (rows.size() - whole) + " more", palette::dim)
                    .toString());
        }
        return lines;
    }

    private static int shown(int[] widths, int columns) {
        int width = widths[0];
        int shown = 1;
        while (shown < widths.length && width + GAP.length() + widths[shown] <= columns) {
            width += GAP.length() + widths[shown];
            shown++;
        }
        return shown;
    }

    private String line(List<String> cells, int[] widths, int shown, int columns, ScreenLine.Style style) {
        StringBuilder text = new StringBuilder();
        for (int column = 0; column < shown; column++) {
            String blanks = " ".repeat(widths[column] - cells.get(column).length());
            text.append(column == 0 ? "" : GAP);
            text.append(column < words ? cells.get(column) + blanks : blanks + cells.get(column));
        }
        return new ScreenLine(columns)
                .add(text.toString().stripTrailing(), style)
                .toString();
    }
}
