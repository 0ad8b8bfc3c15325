package org.cabrank.affinity;

import java.util.Optional;
import java.util.function.Supplier;
import org.cabrank.kernel.Errno;

/**
 * A pinned thread, with its planned CPUs and the CPUs that it had at the last check. Used by one thread at a time. The watch sets the
 * planned CPUs. If the kernel refuses, because none of them is online and in the cpuset, the watch sets the CPUs of the shard.
 */
final class WatchedThread {
    /** If a mask changes again after this number of restores, the watch accepts the change. */
    static final int RESTORES_MAX = 3;

    /** After this number of calm checks, the count of restores is 0 again. Before Linux 6.2, each write to a cpuset resets masks. */
    static final int CALM_CHECKS = 60;

    private final AffinityMasks masks;
    private final Supplier<Optional<CpuList>> onlineCpus;
    private final Thread thread;
    private final int tid;
    private final CpuList planned;
    private final CpuList shardCpus;
    private CpuList expected;
    private int restores;
    private int calmChecks;
    private boolean left;
    private int refused;

    WatchedThread(
            AffinityMasks masks,
            Supplier<Optional<CpuList>> onlineCpus,
            Thread thread,
            int tid,
            CpuList planned,
            CpuList shardCpus) {
        this.masks = masks;
        this.onlineCpus = onlineCpus;
        this.thread = thread;
        this.tid = tid;
        this.planned = planned;
        this.shardCpus = shardCpus;
        this.expected = planned;
    }

    /** True if the thread has ended (the kernel may reuse its id) or is no longer watched. */
    boolean isOver() {
        return left || !thread.isAlive();
    }

    boolean isThread(Thread other) {
        return thread == other;
    }

    /** Puts the thread on its planned CPUs, as far as possible. Returns a description if the thread did not get all planned CPUs. */
    Optional<MaskChange> place() {
        CpuList found = expected;
        try {
            found = masks.read(tid);
            expected = applyMask();
            return expected.equals(planned) ? Optional.empty() : Optional.of(lacking());
        } catch (AffinityException failed) {
            return failed(failed, found);
        }
    }

    Optional<MaskChange> check() {
        CpuList found = expected;
        try {
            found = masks.read(tid);
            boolean isThere = found.equals(expected);
            if (isThere && expected.equals(planned)) {
                refused = 0;
                calmChecks++;
                return Optional.empty();
            }
            if (calmChecks >= CALM_CHECKS) {
                restores = 0;
            }
            calmChecks = 0;
            CpuList now = applyMask();
            refused = 0;
            return isThere && now.equals(expected) ? Optional.empty() : Optional.of(changed(found, now));
        } catch (AffinityException failed) {
            return failed(failed, found);
        }
    }

    private CpuList applyMask() throws AffinityException {
        for (CpuList wanted : new CpuList[] {planned, shardCpus}) {
            int result = masks.write(tid, wanted);
            if (result >= 0) {
                return masks.read(tid);
            }
            if (result != -Errno.EINVAL) {
                throw refusal("put", wanted, result);
            }
        }
        return masks.read(tid);
    }

    private AffinityException refusal(String what, CpuList cpus, int result) {
        return new AffinityException(
                "cannot " + what + " " + who() + " on CPU " + cpus + ": " + Errno.describe(-result),
                Errno.exception("sched_setaffinity", result));
    }

    private MaskChange changed(CpuList found, CpuList now) throws AffinityException {
        CpuList before = expected;
        expected = now;
        if (now.equals(before)) {
            return ++restores > RESTORES_MAX ? leave(found) : restored(found);
        }
        return now.equals(planned)
                ? change(true, "CPU " + planned + " can be used again: " + who() + " runs there as planned")
                : lacking();
    }

    private MaskChange lacking() {
        String wasTo = who() + " was to run on CPU " + planned + ": ";
        if (expected.isEmpty()) {
            return change(false, wasTo + whyNot(planned) + "; no CPU of the machine is left to it");
        }
        if (planned.containsAll(expected)) {
            return change(
                    false,
                    wasTo + whyNot(planned.without(expected)) + "; it runs on " + expected + ", what is left of these");
        }
        if (shardCpus.containsAll(expected)) {
            return change(
                    false, wasTo + whyNot(planned) + "; it runs on " + expected + ", what is left of its shard's");
        }
        return change(
                false,
                wasTo + whyNot(planned.union(shardCpus))
                        + "; none of its shard's CPUs is left, and it runs on " + expected
                        + ", where the kernel has put it, until one is back");
    }

    private MaskChange restored(CpuList found) {
        return change(
                expected.equals(planned),
                "somebody let " + who() + " run on CPU " + found
                        + " (taskset does, or a change of the cpuset); it runs on " + expected + " as before");
    }

    private MaskChange leave(CpuList found) throws AffinityException {
        left = true;
        int result = masks.write(tid, found);
        if (result < 0) {
            throw refusal("leave", found, result);
        }
        expected = found;
        return change(
                false,
                "somebody lets " + who() + " run on CPU " + found + ", again after it was put" + " back on " + planned
                        + " " + RESTORES_MAX + " times: it is left there, and no longer watched");
    }

    /** Describes the failure, unless the last check failed with the same error. */
    private Optional<MaskChange> failed(AffinityException failed, CpuList found) {
        int errno = failed.errno();
        // With ESRCH the thread has ended in the kernel. Thread.isAlive will soon return false.
        if (errno == Errno.ESRCH || errno == refused) {
            return Optional.empty();
        }
        refused = errno;
        expected = found;
        return Optional.of(change(
                false,
                failed.getMessage() + "; it was to run on " + planned + ", and was last seen to run on " + found));
    }

    private MaskChange change(boolean asPlanned, String words) {
        return new MaskChange(asPlanned, expected, words);
    }

    private String who() {
        return "thread " + thread.getName() + " (" + tid + ")";
    }

    private String whyNot(CpuList gone) {
        Optional<CpuList> online = onlineCpus.get();
        if (online.isEmpty()) {
            return gone + " is offline or outside this process's cpuset";
        }
        CpuList offline = gone.without(online.get());
        CpuList outside = gone.intersection(online.get());
        String offlineWords = offline.isEmpty() ? "" : offline + " is offline";
        String outsideWords = outside.isEmpty() ? "" : outside + " is outside this process's cpuset";
        return offlineWords + (offline.isEmpty() || outside.isEmpty() ? "" : ", ") + outsideWords;
    }
}
