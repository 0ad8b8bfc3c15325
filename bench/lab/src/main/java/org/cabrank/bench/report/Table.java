package org.cabrank.bench.report;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.stream.Stream;

/** A table for the terminal. The first columns are aligned left, and the other columns right. */
public final class Table {
    public static final String NOTHING = "-";

    private static final String GAP = "  ";

    private final List<String> header;
    private final int left;
    private final List<List<String>> rows = new ArrayList<>();

    public Table(List<String> header) {
        this(header, 1);
    }

    /** @param left number of columns that are aligned left */
    public Table(List<String> header, int left) {
        this.header = List.copyOf(header);
        this.left = left;
    }

    public void add(List<String> cells) {
        if (cells.size() != header.size()) {
            throw new IllegalArgumentException(cells.size() + " cells for " + header.size() + " columns");
        }
        rows.add(List.copyOf(cells));
    }

    /** Returns lines without trailing spaces, each with a newline at its end. */
    public String render() {
        int[] widths = new int[header.size()];
        Stream.concat(Stream.of(header), rows.stream()).forEach(row -> {
            for (int column = 0; column < widths.length; column++) {
                widths[column] = Math.max(widths[column], length(row.get(column)));
            }
        });
        StringBuilder text = new StringBuilder();
        append(text, header, widths);
        append(text, Arrays.stream(widths).mapToObj("-"::repeat).toList(), widths);
        rows.forEach(row -> append(text, row, widths));
        return text.toString();
    }

    private void append(StringBuilder text, List<String> cells, int[] widths) {
        StringBuilder line = new StringBuilder();
        for (int column = 0; column < widths.length; column++) {
            String cell = cells.get(column);
            String padding = " ".repeat(widths[column] - length(cell));
            line.append(column == 0 ? "" : GAP).append(column < left ? cell + padding : padding + cell);
        }
        text.append(line.toString().stripTrailing()).append('\n');
    }

    private static int length(String cell) {
        return cell.codePointCount(0, cell.length());
    }
}
