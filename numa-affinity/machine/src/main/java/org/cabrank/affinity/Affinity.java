package org.cabrank.affinity;

import java.util.Objects;
import java.util.concurrent.Executor;
import java.util.concurrent.ThreadFactory;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.function.UnaryOperator;
import org.cabrank.kernel.Errno;
import org.cabrank.kernel.Kernel;

/**
 * Affinity masks of threads: sched_getaffinity(2) and sched_setaffinity(2). Thread-safe. Threads and processes inherit the mask of the
 * thread that starts them. An executor creates its threads when the first tasks arrive, so a thread that is created for a handler's task
 * inherits the shard's CPUs. {@link #unpinned} and {@link #unpinnedTasks} prevent that.
 */
public final class Affinity {
    private static final int CALLER = 0;

    private static final System.Logger LOGGER = System.getLogger(Affinity.class.getName());

    private final AffinityMasks masks;

    public Affinity(Kernel kernel) {
        this.masks = new AffinityMasks(Objects.requireNonNull(kernel));
    }

    /** The CPUs that the calling thread may run on. */
    public CpuList current() throws AffinityException {
        return masks.read(CALLER);
    }

    /** The CPUs that this process may use: those of its first thread, which the JVM's launcher leaves unpinned. */
    public CpuList ofProcess() throws AffinityException {
        return masks.read((int) ProcessHandle.current().pid());
    }

    /**
     * Pins the calling thread, and verifies the result: the kernel silently drops CPUs that do not exist, are offline or are outside the
     * cpuset, as long as one CPU remains. On failure the thread keeps its former CPUs.
     *
     * @throws IllegalArgumentException for an empty list
     * @throws AffinityException if the thread may not run on every one of these CPUs; the message names the missing ones
     */
    public void pin(CpuList cpus) throws AffinityException {
        if (cpus.isEmpty()) {
            throw new IllegalArgumentException("a thread cannot be pinned to no CPU at all");
        }
        CpuList before = masks.read(CALLER);
        int result = masks.write(CALLER, cpus);
        if (result < 0) {
            throw new AffinityException(refusal(cpus, before, result), Errno.exception("sched_setaffinity", result));
        }
        CpuList after = masks.read(CALLER);
        if (!after.equals(cpus)) {
            throw new AffinityException(partial(cpus, after) + restored(before));
        }
    }

    /**
     * Returns a factory of threads that may run on all CPUs of this process, whichever thread starts them: each thread first removes its
     * inherited pinning. If the kernel refuses, the thread keeps the CPUs of the thread that started it, and one warning is logged.
     */
    public ThreadFactory unpinned(ThreadFactory factory) {
        Objects.requireNonNull(factory, "factory");
        UnaryOperator<Runnable> unpinning = unpinning();
        return task -> factory.newThread(unpinning.apply(task));
    }

    /**
     * Returns an executor that runs tasks as on {@link #unpinned} threads, at the cost of a few system calls for each task. For an executor
     * whose threads are out of reach, such as carriers of virtual threads: the JVM starts a carrier from the thread that submits work.
     *
     * @param executor must never run tasks in the submitting thread, which would lose its pinning
     */
    public Executor unpinnedTasks(Executor executor) {
        Objects.requireNonNull(executor, "executor");
        UnaryOperator<Runnable> unpinning = unpinning();
        return task -> executor.execute(unpinning.apply(task));
    }

    /** Returns an operator that removes the pinning before the work. Logs a failure once. */
    private UnaryOperator<Runnable> unpinning() {
        AtomicBoolean complained = new AtomicBoolean();
        return work -> () -> {
            try {
                // Read each time, because a changed cpuset changes the process's mask.
                CpuList all = ofProcess();
                if (!current().equals(all)) {
                    pin(all);
                }
            } catch (AffinityException refused) {
                if (complained.compareAndSet(false, true)) {
                    LOGGER.log(
                            System.Logger.Level.WARNING,
                            "{0} stays on the CPUs of the thread that started it: {1}",
                            Thread.currentThread().getName(),
                            refused.getMessage());
                }
            }
            work.run();
        };
    }

    private static String refusal(CpuList cpus, CpuList before, int result) {
        String why = switch (-result) {
            case Errno.EINVAL -> "none of these CPUs is there and allowed for this process";
            case Errno.EPERM -> "the kernel does not permit it (EPERM): a sandbox such as seccomp may forbid the call";
            default -> Errno.describe(-result);
        };
        return "cannot pin this thread to CPU " + cpus + ": " + why + "; it may run on " + before;
    }

    private static String partial(CpuList cpus, CpuList after) {
        return "cannot pin this thread to CPU " + cpus + ": the kernel lets it run on " + after + " instead; "
                + cpus.without(after) + " is missing, offline or outside this process's cpuset";
    }

    private String restored(CpuList before) {
        int result = masks.write(CALLER, before);
        return result < 0
                ? "; and going back to " + before + " failed: " + Errno.describe(-result)
                : "; it may run on " + before + " as before";
    }
}
