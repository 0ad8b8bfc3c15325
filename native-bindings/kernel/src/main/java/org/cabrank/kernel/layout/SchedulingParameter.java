package org.cabrank.kernel.layout;

/** Layout of {@code struct sched_param}: an {@code int}, 1 (lowest) to 99 for a real-time policy, and 0 for all other policies. */
public final class SchedulingParameter {
    public static final int SIZE_BYTES = 4;
    public static final int PRIORITY_OFFSET = 0;

    private SchedulingParameter() {}
}
