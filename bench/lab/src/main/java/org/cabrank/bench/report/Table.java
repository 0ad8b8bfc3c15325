package org.cabrank.bench.report;

import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.stream.Stream;

/**
 * A table for the terminal: the first columns are aligned left, the rest right, with two spaces between. Cells of a table that is wider
 * than the terminal are wrapped between words.
 */
public final class Table {
    /** Stands for a figure that was not measured. */
    public static final String NOTHING = "-";

    private static final String GAP = "  ";

    private final List<String> header;
    private final int left;
    private final List<List<String>> rows = new ArrayList<>();

    /** A table whose first column is aligned to the left. */
    public Table(List<String> header) {
        this(header, 1);
    }

    /** {@code left}: how many columns stand to the left. */
    public Table(List<String> header, int left) {
        this.header = List.copyOf(header);
        this.left = left;
    }

    /** Formats a figure with {@code digits} after the decimal point; NaN is {@link #NOTHING}. */
    public static String number(double value, int digits) {
        return Double.isNaN(value) ? NOTHING : String.format(Locale.ROOT, "%,." + digits + "f", value);
    }

    /** Adds a row of as many cells as the header has. */
    public void add(List<String> cells) {
        if (cells.size() != header.size()) {
            throw new IllegalArgumentException(cells.size() + " cells for " + header.size() + " columns");
        }
        rows.add(List.copyOf(cells));
    }

    /**
     * Lines without trailing spaces, each ended by a newline. The width of the terminal is that of the system property
     * {@code cabrank.columns}, which scripts/cabrank sets; without it nothing is wrapped, as in a file.
     */
    public String render() {
        return render(terminalColumns(System.getProperty("cabrank.columns")));
    }

    static int terminalColumns(String given) {
        return given != null && given.matches("[1-9][0-9]{0,3}") ? Integer.parseInt(given) : Integer.MAX_VALUE;
    }

    /** @param columnsMax longest line; only a table whose longest words do not fit has longer ones */
    String render(int columnsMax) {
        int[] widths = widths(columnsMax);
        StringBuilder text = new StringBuilder();
        appendRow(text, header, widths);
        List<String> rule = new ArrayList<>();
        for (int width : widths) {
            rule.add("-".repeat(width));
        }
        appendRow(text, rule, widths);
        for (List<String> row : rows) {
            appendRow(text, row, widths);
        }
        return text.toString();
    }

    /** Widths of the columns: those of the longest cells, of which the widest that can be wrapped give way. */
    private int[] widths(int columnsMax) {
        int[] widths = new int[header.size()];
        int[] words = new int[header.size()];
        int total = -GAP.length();
        for (int column = 0; column < widths.length; column++) {
            int number = column;
            Stream.concat(Stream.of(header), rows.stream())
                    .map(row -> row.get(number))
                    .forEach(cell -> {
                        widths[number] = Math.max(widths[number], length(cell));
                        for (String word : cell.split(" ")) {
                            words[number] = Math.max(words[number], length(word));
                        }
                    });
            total += widths[column] + GAP.length();
        }
        for (; total > columnsMax; total--) {
            int widest = -1;
            for (int column = 0; column < widths.length; column++) {
                if (widths[column] > words[column] && (widest < 0 || widths[column] > widths[widest])) {
                    widest = column;
                }
            }
            if (widest < 0) {
                break;
            }
            widths[widest]--;
        }
        return widths;
    }

    private void appendRow(StringBuilder text, List<String> cells, int[] widths) {
        List<List<String>> wrapped = new ArrayList<>();
        int lines = 1;
        for (int column = 0; column < widths.length; column++) {
            List<String> parts = wrap(cells.get(column), widths[column]);
            wrapped.add(parts);
            lines = Math.max(lines, parts.size());
        }
        for (int number = 0; number < lines; number++) {
            StringBuilder line = new StringBuilder();
            for (int column = 0; column < widths.length; column++) {
                List<String> parts = wrapped.get(column);
                String part = number < parts.size() ? parts.get(number) : "";
                String padding = " ".repeat(widths[column] - length(part));
                line.append(column == 0 ? "" : GAP).append(column < left ? part + padding : padding + part);
            }
            text.append(line.toString().stripTrailing()).append('\n');
        }
    }

    private static List<String> wrap(String cell, int width) {
        if (length(cell) <= width) {
            return List.of(cell);
        }
        List<String> parts = new ArrayList<>();
        StringBuilder part = new StringBuilder();
        for (String word : cell.split(" ")) {
            if (part.length() > 0 && length(part.toString()) + 1 + length(word) > width) {
                parts.add(part.toString());
                part.setLength(0);
            }
            part.append(part.length() == 0 ? "" : " ").append(word);
        }
        parts.add(part.toString());
        return parts;
    }

    private static int length(String cell) {
        return cell.codePointCount(0, cell.length());
    }
}
