package org.cabrank.affinity;

import java.util.Objects;
import java.util.concurrent.Executor;
import java.util.concurrent.ThreadFactory;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.function.UnaryOperator;
import org.cabrank.kernel.Errno;
import org.cabrank.kernel.Kernel;

/**
 * Affinity masks of threads: sched_getaffinity(2) and sched_setaffinity(2). Thread-safe.
 *
 * <p>A thread inherits the mask of the thread that starts it. For example, a handler submits the first task to an executor, and the
 * executor's thread gets the CPUs of the handler's shard. {@link #unpinned} and {@link #unpinnedTasks} avoid this.
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

    /** The CPUs that this process may use. Reads the mask of the first thread, because the JVM's launcher does not pin this thread. */
    public CpuList ofProcess() throws AffinityException {
        return masks.read((int) ProcessHandle.current().pid());
    }

    /**
     * Pins the calling thread, and verifies the result. The kernel silently drops CPUs that do not exist, are offline or are outside the
     * cpuset, as long as one CPU remains. On failure the thread keeps its former CPUs.
     *
     * @throws IllegalArgumentException for an empty list
     * @throws AffinityException if the thread cannot run on all these CPUs; the message names the missing CPUs
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
     * Returns a factory of threads that may run on all CPUs of this process. Each thread first removes the pinning that it has inherited.
     * If the kernel refuses this, the thread keeps the inherited CPUs, and the factory logs one warning.
     */
    public ThreadFactory unpinned(ThreadFactory factory) {
        Objects.requireNonNull(factory, "factory");
        UnaryOperator<Runnable> unpinning = unpinning();
        return task -> factory.newThread(unpinning.apply(task));
    }

    /**
     * Returns an executor that runs each task without the pinning that its thread has inherited, at the cost of a few system calls. Use it
     * for executors without a {@link ThreadFactory}, such as the executor of virtual threads. The carriers of virtual threads inherit the
     * pinning of the submitting thread.
     *
     * @param executor must never run a task in the submitting thread, because that thread would lose its pinning
     */
    public Executor unpinnedTasks(Executor executor) {
        Objects.requireNonNull(executor, "executor");
        UnaryOperator<Runnable> unpinning = unpinning();
        return task -> executor.execute(unpinning.apply(task));
    }

    private UnaryOperator<Runnable> unpinning() {
        AtomicBoolean complained = new AtomicBoolean();
        return work -> () -> {
            try {
                // Reads the mask for each task, because a changed cpuset changes the mask of the process.
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
