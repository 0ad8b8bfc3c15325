package org.cabrank.bench.experiment;

import org.cabrank.affinity.SchedulingPolicy;

/** Division of a service's threads between its urgent and its bulk connections. */
public enum PoolPriorities {
    /** All threads serve both. */
    ONE_POOL("one pool", null, null),
    /** Half of the threads for each, all with the same priority. */
    TWO_POOLS("two pools", null, null),
    /** Raising a nice value takes no privilege, so it is the bulk's that is raised. */
    NICE("two pools, bulk nice:19", null, SchedulingPolicy.nice(19)),
    /** Takes a privilege. */
    FIFO("two pools, urgent fifo:10", SchedulingPolicy.fifo(10), null);

    private final String label;
    private final SchedulingPolicy urgent;
    private final SchedulingPolicy bulk;

    PoolPriorities(String label, SchedulingPolicy urgent, SchedulingPolicy bulk) {
        this.label = label;
        this.urgent = urgent;
        this.bulk = bulk;
    }

    /** For tables. */
    public String label() {
        return label;
    }

    /** Of the urgent pool's threads; null: as the process. */
    SchedulingPolicy urgent() {
        return urgent;
    }

    /** Of the bulk pool's threads; null: as the process. */
    SchedulingPolicy bulk() {
        return bulk;
    }
}
