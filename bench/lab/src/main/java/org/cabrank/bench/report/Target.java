package org.cabrank.bench.report;

/**
 * A performance target of Cabrank, and its outcome in this run.
 *
 * @param name subject of the target, in a few words
 * @param bar description of the figure to reach
 * @param ratio the ratio that was closest to missing the target; NaN if not measured, or if the target is no ratio
 * @param outcome outcome over all cells of the target
 * @param words description of the cell, contender and rival that determined the ratio
 */
public record Target(String name, String bar, double ratio, Outcome outcome, String words) {

    /** Outcome of a target. */
    public enum Outcome {
        REACHED,
        MISSED,

        /** The noise of the run spans the bar, or there are too few observations. */
        CANNOT_TELL,
        NOT_MEASURED
    }
}
