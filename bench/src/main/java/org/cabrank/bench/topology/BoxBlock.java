package org.cabrank.bench.topology;

import java.util.List;

/**
 * A box with a label above its parts, which are arranged in rows.
 *
 * @param label empty: none
 * @param filled filled share of the bar after the label, 0 to 1; negative: no bar
 * @param beside number of parts in a row
 */
record BoxBlock(Look look, String label, double filled, List<Block> parts, int beside, double width, double height)
        implements Block {
    private static final double LABEL_HEIGHT = 17;
    private static final double LABEL_SIZE = 13;
    private static final double BAR_WIDTH = 60;
    private static final double BAR_HEIGHT = 8;
    private static final double RADIUS = 5;

    static BoxBlock of(Look look, String label, double filled, List<Block> unequal, int beside) {
        double widest = unequal.stream().mapToDouble(Block::width).max().orElse(0);
        List<Block> parts = unequal.stream().map(part -> part.stretched(widest)).toList();
        double width = Svg.width(label, LABEL_SIZE) + (filled < 0 ? 0 : BAR_WIDTH + look.gap());
        double height = label.isEmpty() ? 0 : LABEL_HEIGHT;
        for (int first = 0; first < parts.size(); first += beside) {
            List<Block> row = parts.subList(first, Math.min(first + beside, parts.size()));
            width = Math.max(width, row.stream().mapToDouble(Block::width).sum() + look.gap() * (row.size() - 1));
            height += row.stream().mapToDouble(Block::height).max().orElse(0) + (first == 0 ? 0 : look.gap());
        }
        return new BoxBlock(
                look, label, filled, parts, beside, width + 2 * look.padding(), height + 2 * look.padding());
    }

    /** Returns a wider box, whose parts share the additional width. */
    @Override
    public Block stretched(double wider) {
        if (wider <= width || !look.stretches()) {
            return this;
        }
        double more = (wider - width) / Math.max(1, Math.min(beside, parts.size()));
        List<Block> stretched =
                parts.stream().map(part -> part.stretched(part.width() + more)).toList();
        return new BoxBlock(look, label, filled, stretched, beside, wider, height);
    }

    @Override
    public void draw(Svg svg, double x, double y) {
        if (!look.style().isEmpty()) {
            svg.rectangle(look.style(), x, y, width, height, RADIUS);
        }
        double padding = look.padding();
        double top = y + padding;
        if (!label.isEmpty()) {
            svg.words(look.labelStyle(), x + padding, top + LABEL_SIZE - 2, label);
            bar(svg, x + width - padding - BAR_WIDTH, top + 3);
            top += LABEL_HEIGHT;
        }
        for (int first = 0; first < parts.size(); first += beside) {
            List<Block> row = parts.subList(first, Math.min(first + beside, parts.size()));
            double left = x + padding;
            for (Block part : row) {
                part.draw(svg, left, top);
                left += part.width() + look.gap();
            }
            top += row.stream().mapToDouble(Block::height).max().orElse(0) + look.gap();
        }
    }

    private void bar(Svg svg, double x, double y) {
        if (filled >= 0) {
            svg.rectangle("memory", x, y, BAR_WIDTH, BAR_HEIGHT, 2);
            svg.rectangle("used", x, y, BAR_WIDTH * filled, BAR_HEIGHT, 2);
        }
    }
}
