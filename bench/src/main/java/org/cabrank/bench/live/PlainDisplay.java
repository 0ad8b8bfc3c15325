package org.cabrank.bench.live;

/** A line for each interval on standard error. */
final class PlainDisplay implements LiveDisplay {
    @Override
    public void show(LiveFigures figures) {
        if (!figures.history().isEmpty()) {
            System.err.println(PlainLine.of(figures));
        }
    }

    @Override
    public void close() {
        // a line is there to stay
    }
}
