package org.cabrank.kernel;

/** perf_event_open(2): counters of what threads and the CPU do. Constants are in {@link PerfEvents}. */
public interface PerfEventCalls {

    /**
     * perf_event_open(2): a descriptor whose read gives a count, after it the two times that
     * {@link PerfEventAttr#READ_FORMAT_OFFSET} asks for.
     *
     * @param attributes the address of a {@link PerfEventAttr}
     * @param tid the thread whose events count; 0: the calling one
     * @param cpu where they count; -1: wherever the thread runs
     * @param groupFd the leader of a group of counters, or -1
     * @return the descriptor; {@code ENOENT} for an event that this machine does not have, {@code EACCES} for what
     *     kernel.perf_event_paranoid forbids, {@code EPERM} where a sandbox does, {@code ENOSYS} where the kernel has
     *     no such counters, {@code ESRCH} when the thread has ended, {@code EMFILE} beyond RLIMIT_NOFILE
     */
    int perfEventOpen(long attributes, int tid, int cpu, int groupFd, int flags);
}
