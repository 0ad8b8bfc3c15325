package org.cabrank.bench.live;

/** In characters. */
record ScreenSize(int columns, int rows) {
    /** Of a terminal that does not tell: as large as the first that were. */
    static final ScreenSize UNKNOWN = new ScreenSize(80, 24);
}
