package org.cabrank.bench.report;

/** Role of a contender in the comparison. */
public enum ContenderKind {
    CABRANK,

    JAVA,

    /** A loop in C. */
    LIMIT,

    /** The baseline a second time: its difference from itself is this machine's noise. */
    CONTROL
}
