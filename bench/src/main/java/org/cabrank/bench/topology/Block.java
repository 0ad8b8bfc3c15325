package org.cabrank.bench.topology;

/** A rectangle of the picture that knows its size and can be drawn anywhere. */
interface Block {
    double width();

    double height();

    /** Itself, made wider where it can be, so that boxes below each other end alike. */
    default Block stretched(double width) {
        return this;
    }

    /** @param x of its left edge @param y of its upper edge */
    void draw(Svg svg, double x, double y);
}
