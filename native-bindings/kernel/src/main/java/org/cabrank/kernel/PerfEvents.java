package org.cabrank.kernel;

/** Constants of perf_event_open(2), for {@link PerfEventCalls}. */
public final class PerfEvents {
    /** Events that the CPU counts; a virtual machine may have none. */
    public static final int PERF_TYPE_HARDWARE = 0;
    /** Events that the kernel counts. */
    public static final int PERF_TYPE_SOFTWARE = 1;
    /** Places in the kernel that have a name; tracefs tells their numbers. */
    public static final int PERF_TYPE_TRACEPOINT = 2;

    public static final int PERF_COUNT_HW_CPU_CYCLES = 0;
    public static final int PERF_COUNT_HW_INSTRUCTIONS = 1;
    /** Cache misses, usually of the last level. */
    public static final int PERF_COUNT_HW_CACHE_MISSES = 3;

    public static final int PERF_COUNT_SW_CONTEXT_SWITCHES = 3;

    /** A read also gives the ns for which the event was wanted. */
    public static final int PERF_FORMAT_TOTAL_TIME_ENABLED = 1;
    /** A read also gives the ns for which it was counted: less, where the CPU has too few counters for all that are wanted. */
    public static final int PERF_FORMAT_TOTAL_TIME_RUNNING = 1 << 1;

    public static final int PERF_FLAG_FD_CLOEXEC = 1 << 3;

    /** Flag at {@link PerfEventAttr#FLAGS_OFFSET}: threads that the thread creates from now on are counted with the thread. */
    public static final long INHERIT = 1 << 1;

    private PerfEvents() {}
}
