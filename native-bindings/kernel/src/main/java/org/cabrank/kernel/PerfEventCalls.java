package org.cabrank.kernel;

/** perf_event_open(2): counters of what threads and the CPU do. Constants are in {@link PerfEvents}. */
public interface PerfEventCalls extends NativeCalls {

    /**
     * perf_event_open(2): opens a counter. A read of the descriptor returns the count, followed by the two times that
     * {@link PerfEventAttr#READ_FORMAT_OFFSET} requests.
     *
     * @param attributes address of a {@link PerfEventAttr}
     * @param tid the thread whose events count; 0: the calling thread
     * @param cpu the CPU on which events count; -1: all CPUs
     * @param groupFd the leader of a group of counters, or -1
     * @return the descriptor; {@code ENOENT} if the machine does not have the event; {@code EACCES} if
     *     kernel.perf_event_paranoid forbids it; {@code EPERM} if a sandbox forbids it; {@code ENOSYS} if the kernel has no
     *     such counters; {@code ESRCH} if the thread has ended; {@code EMFILE} beyond RLIMIT_NOFILE
     */
    default int perfEventOpen(long attributes, int tid, int cpu, int groupFd, int flags) {
        return (int) call(SystemCall.PERF_EVENT_OPEN, attributes, tid, cpu, groupFd, flags, 0);
    }
}
