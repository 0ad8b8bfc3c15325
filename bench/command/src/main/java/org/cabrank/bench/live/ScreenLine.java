package org.cabrank.bench.live;

/** One line of the screen, no wider than it: what does not fit is cut off. */
final class ScreenLine {
    private final int columns;
    private final StringBuilder text = new StringBuilder();
    private int width;

    ScreenLine(int columns) {
        this.columns = columns;
    }

    /** Style of a part of a line; takes no columns. */
    interface Style {
        Style PLAIN = text -> text;

        String apply(String text);
    }

    /** Characters that take one column each. */
    ScreenLine add(String part, Style style) {
        String fits = part.length() <= columns - width ? part : part.substring(0, columns - width);
        if (!fits.isEmpty()) {
            text.append(style.apply(fits));
            width += fits.length();
        }
        return this;
    }

    ScreenLine add(String part) {
        return add(part, Style.PLAIN);
    }

    /** Goes on at {@code column}, from 0, if it is not beyond that already. */
    ScreenLine at(int column) {
        return add(" ".repeat(Math.max(0, column - width)));
    }

    /** At the right border, where there is room for all of it and a blank. */
    ScreenLine addRight(String part, Style style) {
        return width + 1 + part.length() <= columns
                ? at(columns - part.length()).add(part, style)
                : this;
    }

    int width() {
        return width;
    }

    int room() {
        return columns - width;
    }

    @Override
    public String toString() {
        return text.toString();
    }
}
