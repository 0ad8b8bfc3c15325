package org.cabrank.kernel;

/** Where threads run. Masks have one bit for each CPU, CPU 0 lowest; a failure is {@code -errno}. */
public interface SchedulerCalls {

    /**
     * sched_setaffinity(2) for the thread {@code tid} (0: the caller), from a mask of {@code maskBytes} bytes. CPUs
     * that are missing, or outside the process's cpuset, are dropped without a word as long as one remains;
     * {@code EINVAL} when none does.
     */
    int schedSetaffinity(int tid, int maskBytes, long mask);

    /**
     * sched_getaffinity(2): 0, and the rest of the mask is zeroed.
     *
     * @param maskBytes a multiple of 8; {@code EINVAL} when the kernel's mask is wider
     */
    int schedGetaffinity(int tid, int maskBytes, long mask);

    /** The CPU the caller runs on at this moment. */
    int schedGetcpu();

    /** The kernel's id of the calling thread. */
    int gettid();
}
