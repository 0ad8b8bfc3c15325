package org.cabrank.bench.live;

import java.util.List;

/** Values as bars beside each other. */
final class Sparkline {
    private static final String BLOCKS = "▁▂▃▄▅▆▇█";
    private static final String ASCII = "_.-=+*#@";

    private Sparkline() {}

    /**
     * Draws the latest values, the last at the right, on a scale from 0 to the highest of them. ScreenTable without a value
     * stay blank.
     *
     * @param utf8 true if the terminal shows block characters
     */
    static String of(List<Double> values, int columns, boolean utf8) {
        List<Double> shown = values.subList(Math.max(0, values.size() - columns), values.size());
        String levels = utf8 ? BLOCKS : ASCII;
        double highest = shown.stream().mapToDouble(Double::doubleValue).max().orElse(0);
        StringBuilder bars = new StringBuilder(" ".repeat(Math.max(0, columns - shown.size())));
        for (double value : shown) {
            int level = highest == 0 ? 0 : (int) Math.ceil(value / highest * levels.length()) - 1;
            bars.append(levels.charAt(Math.max(0, level)));
        }
        return bars.toString();
    }
}
