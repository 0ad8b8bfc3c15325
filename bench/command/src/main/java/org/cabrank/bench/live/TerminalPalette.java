package org.cabrank.bench.live;

import org.cabrank.bench.text.Colours;

/**
 * Colours and characters of a screen.
 *
 * @param utf8 true if the terminal shows more than ASCII
 */
record TerminalPalette(Colours colours, boolean utf8) {
    String dim(String text) {
        return colours.dim(text);
    }

    String strong(String text) {
        return colours.strong(text);
    }

    String calm(String text) {
        return colours.calm(text);
    }

    String caution(String text) {
        return colours.caution(text);
    }

    /** Something that should be 0. */
    ScreenLine.Style wanting(long zero) {
        return zero == 0 ? ScreenLine.Style.PLAIN : this::caution;
    }
}
