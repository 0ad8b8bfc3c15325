package org.cabrank.bench.report.profile;

import com.fasterxml.jackson.annotation.JsonIgnore;
import java.util.List;

/**
 * Stacks of one contender in one cell, sampled each time its threads had used another {@code intervalNs} of CPU time. The interval
 * was used for nothing else: none of its requests is in the measured figures.
 *
 * @param event event of async-profiler that took the samples: {@code cpu} with stacks of the kernel, {@code ctimer} without
 * @param kernelStacks true if stacks reach into the kernel, so that samples in user space differ from samples in the kernel
 * @param intervalNs CPU time in ns between two samples of a thread
 * @param answers requests that the contender answered in the interval; 0: unknown
 * @param threads samples of each of the contender's threads, the busiest first, without those of the JVM
 * @param jvmSamples samples of the JVM's own threads (compiler, garbage collector), which are in no stack
 * @param stacks stacks of the contender's threads
 */
public record CpuProfile(
        String cell,
        String contender,
        String event,
        boolean kernelStacks,
        long intervalNs,
        long answers,
        List<ThreadSamples> threads,
        long jvmSamples,
        StackTree stacks) {

    public CpuProfile {
        threads = List.copyOf(threads);
    }

    /**
     * Samples of one thread.
     *
     * @param user samples in user space; all samples if stacks do not reach into the kernel
     * @param kernel samples in the kernel
     */
    public record ThreadSamples(String thread, long user, long kernel) {}

    /** Samples of the contender's threads in user space; all samples if stacks do not reach into the kernel. */
    @JsonIgnore
    public long userSamples() {
        return threads.stream().mapToLong(ThreadSamples::user).sum();
    }

    /** Samples of the contender's threads in the kernel. */
    @JsonIgnore
    public long kernelSamples() {
        return threads.stream().mapToLong(ThreadSamples::kernel).sum();
    }

    /** Samples of the contender's threads. */
    @JsonIgnore
    public long samples() {
        return userSamples() + kernelSamples();
    }

    /** Share of user space in the samples of the contender's threads; NaN if it is unknown. */
    @JsonIgnore
    public double userShare() {
        return kernelStacks && samples() > 0 ? (double) userSamples() / samples() : Double.NaN;
    }

    /** CPU time in ns for each request that {@code samples} samples stand for; NaN if the number of requests is unknown. */
    public double nsPerRequest(long samples) {
        return answers == 0 ? Double.NaN : (double) samples * intervalNs / answers;
    }
}
