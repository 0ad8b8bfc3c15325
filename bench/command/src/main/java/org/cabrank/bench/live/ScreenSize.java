package org.cabrank.bench.live;

/** In characters. */
record ScreenSize(int columns, int rows) {
    /** Size assumed for a terminal that does not report its size: that of the first terminals. */
    static final ScreenSize UNKNOWN = new ScreenSize(80, 24);
}
