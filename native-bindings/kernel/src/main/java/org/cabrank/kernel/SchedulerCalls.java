package org.cabrank.kernel;

/** Where threads run. */
public interface SchedulerCalls {

    /** sched_setaffinity(2) for the thread {@code tid} (0: the caller), from a mask of {@code maskBytes} bytes. */
    int schedSetaffinity(int tid, int maskBytes, long mask);

    /** sched_getaffinity(2); {@code EINVAL} when the kernel's mask is wider than {@code maskBytes}. */
    int schedGetaffinity(int tid, int maskBytes, long mask);

    /** The CPU the caller runs on at this moment. */
    int schedGetcpu();

    /** The kernel's id of the calling thread. */
    int gettid();
}
