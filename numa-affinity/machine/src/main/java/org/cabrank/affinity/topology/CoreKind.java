package org.cabrank.affinity.topology;

import java.util.Locale;

/** Class of a core's speed, fastest first. */
public enum CoreKind {
    /** All cores of the machine are of one kind, as far as the kernel tells. */
    UNIFORM,
    /** A core of the fastest kind: Intel's P-cores, the largest of an Arm machine. */
    PERFORMANCE,
    /** A core between the fastest and the slowest of three or more kinds. */
    MIDDLE,
    /** Small and economical: Intel's E-cores, the smallest of an Arm machine. */
    EFFICIENCY,
    /** An efficiency core outside the L3 cache of the other cores, for the work of an idle machine: Intel's LP E-cores. */
    LOW_POWER;

    /** The kind as placements name it, such as {@code low-power}. */
    public String word() {
        return name().toLowerCase(Locale.ROOT).replace('_', '-');
    }
}
