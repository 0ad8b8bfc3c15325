package org.cabrank.kernel.layout;

/** Layout of {@code struct sched_param} (sched_setscheduler(2)): a priority ({@code int}), 1 (low) to 99 for a real-time policy, else 0. */
public final class SchedulingParameter {
    public static final int SIZE_BYTES = 4;
    public static final int PRIORITY_OFFSET = 0;

    private SchedulingParameter() {}
}
