package org.cabrank.bench.report;

/** Role of a contender in the comparison. */
public enum ContenderKind {
    CABRANK,

    JAVA,

    /** A loop in C. */
    LIMIT,

    /** The second run of the baseline. Its difference from the first run is the noise of this machine. */
    CONTROL
}
