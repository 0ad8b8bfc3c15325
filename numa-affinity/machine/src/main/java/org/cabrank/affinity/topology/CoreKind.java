package org.cabrank.affinity.topology;

/** What a core was built for, the fastest first. */
public enum CoreKind {
    /** All cores of the machine are of one kind, as far as the kernel tells. */
    UNIFORM,
    /** Of the fastest kind: Intel's P-cores, the largest of an Arm machine. */
    PERFORMANCE,
    /** Neither of the fastest nor of the slowest of three or more kinds. */
    MIDDLE,
    /** Small and economical: Intel's E-cores, the smallest of an Arm machine. */
    EFFICIENCY,
    /** Efficiency cores away from the others' L3 cache, for an idle machine's work: Intel's LP E-cores. */
    LOW_POWER
}
