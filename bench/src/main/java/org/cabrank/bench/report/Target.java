package org.cabrank.bench.report;

/**
 * Something that Cabrank set itself, and what came of it in this run.
 *
 * @param name what it is about, in a few words
 * @param bar what was to be reached, in words
 * @param ratio where it was closest to being missed; NaN when it was not measured
 * @param outcome of all cells that it is about
 * @param words where, who, and against whom
 */
public record Target(String name, String bar, double ratio, Outcome outcome, String words) {

    /** What came of a target. */
    public enum Outcome {
        REACHED,
        MISSED,
        NOT_MEASURED
    }
}
