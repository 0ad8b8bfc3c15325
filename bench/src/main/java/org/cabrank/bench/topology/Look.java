package org.cabrank.bench.topology;

/** Style of a box. */
enum Look {
    MACHINE("", "", 16, 0),
    PACKAGE("package", "head", 8, 8),
    NODE("node", "head", 8, 8),
    /** A cache whose parts are single cells. */
    CACHE("cache", "small dim", 3, 6),
    CACHE_OF_CORES("cache", "small dim", 5, 6),
    CORE("core", "", 3, 3);

    private final String style;
    private final String labelStyle;
    private final double gap;
    private final double padding;

    Look(String style, String labelStyle, double gap, double padding) {
        this.style = style;
        this.labelStyle = labelStyle;
        this.gap = gap;
        this.padding = padding;
    }

    /** The class of its rectangle; empty: it has none. */
    String style() {
        return style;
    }

    String labelStyle() {
        return labelStyle;
    }

    /** Between its parts. */
    double gap() {
        return gap;
    }

    /** Around its parts. */
    double padding() {
        return padding;
    }

    /** Returns true if the box fills the available space; other boxes are as large as their cells. */
    boolean stretches() {
        return this == PACKAGE || this == NODE;
    }
}
