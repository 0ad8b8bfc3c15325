package org.cabrank.bench.report;

/** What a contender is to the others. */
public enum ContenderKind {
    CABRANK,

    /** What people use today on the JVM. */
    JAVA,

    /** What the kernel allows: a bare loop in C. */
    LIMIT,

    /** The baseline a second time: what it differs from itself is this machine's noise. */
    CONTROL
}
