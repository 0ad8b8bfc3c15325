package org.cabrank.affinity.topology;

import java.util.Locale;

/** Classes of cores by speed, fastest first. */
public enum CoreKind {
    /** All cores of the machine are of one kind, as far as the kernel tells. */
    UNIFORM,
    /** A core of the fastest kind, such as Intel's P-cores or the largest cores of an Arm machine. */
    PERFORMANCE,
    MIDDLE,
    /** A small and economical core, such as Intel's E-cores or the smallest cores of an Arm machine. */
    EFFICIENCY,
    /** An efficiency core outside the L3 cache of the other cores, such as Intel's LP E-cores. It serves a machine that is almost idle. */
    LOW_POWER;

    /** The kind as placements name it, such as {@code low-power}. */
    public String word() {
        return name().toLowerCase(Locale.ROOT).replace('_', '-');
    }
}
