package org.cabrank.affinity;

import java.util.Optional;
import java.util.function.Supplier;
import org.cabrank.affinity.MaskChange.Kind;
import org.cabrank.kernel.Errno;

/**
 * A pinned thread as its watch knows it: where it shall run, and where it was found last. One thread at a time uses it.
 *
 * <p>The kernel is asked by trying, since what it makes of a mask says what the cpuset and the CPUs that are online leave of
 * it: a thread that is not where it shall be is offered its own CPUs, then those of its shard.
 */
final class WatchedThread {
    /**
     * Number of times that a mask is restored against repeated changes by other processes; afterwards the watch accepts the change.
     */
    static final int RESTORES_MAX = 3;

    /**
     * Named bound: checks in a row that find the thread in its place, after which nobody insists any more. Before Linux 6.2 each
     * write to the cpuset takes away what threads have chosen, and whoever manages a host's cpusets may do that every day.
     */
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

    /**
     * Returns true if the thread has ended or is no longer watched. Its id must not be used any more, because the kernel
     * reuses thread ids.
     */
    boolean isOver() {
        return left || !thread.isAlive();
    }

    boolean isThread(Thread other) {
        return thread == other;
    }

    /** Puts the thread where it shall be, as far as that is possible: what there is to say if it is not there. */
    Optional<MaskChange> place() {
        CpuList found = expected;
        try {
            found = masks.read(tid);
            expected = settle();
            return expected.equals(planned) ? Optional.empty() : Optional.of(lacking());
        } catch (AffinityException failed) {
            return failed(failed, found);
        }
    }

    /** Checks the mask and restores it if possible. Returns a description of the change, if any. */
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
            CpuList now = settle();
            refused = 0;
            return isThere && now.equals(expected) ? Optional.empty() : Optional.of(changed(found, now));
        } catch (AffinityException failed) {
            return failed(failed, found);
        }
    }

    /** The best that there is for the thread at this moment. */
    private CpuList settle() throws AffinityException {
        for (CpuList wanted : new CpuList[] {planned, shardCpus}) {
            int result = masks.write(tid, wanted);
            if (result >= 0) {
                return masks.read(tid);
            }
            if (result != -Errno.EINVAL) {
                throw new AffinityException(
                        "cannot put " + who() + " on CPU " + wanted + ": " + Errno.describe(-result),
                        Errno.exception("sched_setaffinity", result));
            }
        }
        return masks.read(tid);
    }

    private MaskChange changed(CpuList found, CpuList now) throws AffinityException {
        CpuList before = expected;
        expected = now;
        if (now.equals(before)) {
            return ++restores > RESTORES_MAX ? leave(found) : restored(found);
        }
        return now.equals(planned)
                ? change(Kind.REGAINED, "CPU " + planned + " can be used again: " + who() + " runs there as planned")
                : lacking();
    }

    /** Describes a thread that has fewer CPUs than planned, or other ones. */
    private MaskChange lacking() {
        String wasTo = who() + " was to run on CPU " + planned + ": ";
        if (expected.isEmpty()) {
            return change(Kind.ESCAPED, wasTo + whyNot(planned) + "; no CPU of the machine is left to it");
        }
        if (planned.containsAll(expected)) {
            return change(
                    Kind.NARROWED,
                    wasTo + whyNot(planned.without(expected)) + "; it runs on " + expected + ", what is left of these");
        }
        if (shardCpus.containsAll(expected)) {
            return change(
                    Kind.NARROWED,
                    wasTo + whyNot(planned) + "; it runs on " + expected + ", what is left of its shard's");
        }
        return change(
                Kind.ESCAPED,
                wasTo + whyNot(planned.union(shardCpus))
                        + "; none of its shard's CPUs is left, and it runs on " + expected
                        + ", where the kernel has put it, until one is back");
    }

    private MaskChange restored(CpuList found) {
        return change(
                Kind.RESTORED,
                "somebody let " + who() + " run on CPU " + found
                        + " (taskset does, or a change of the cpuset); it runs on " + expected + " as before");
    }

    private MaskChange leave(CpuList found) throws AffinityException {
        left = true;
        int result = masks.write(tid, found);
        if (result < 0) {
            throw new AffinityException(
                    "cannot leave " + who() + " on CPU " + found + ": " + Errno.describe(-result),
                    Errno.exception("sched_setaffinity", result));
        }
        expected = found;
        return change(
                Kind.LEFT,
                "somebody lets " + who() + " run on CPU " + found + ", again after it was put" + " back on " + planned
                        + " " + RESTORES_MAX + " times: it is left there, and no longer watched");
    }

    /** Said once, until something else happens. */
    private Optional<MaskChange> failed(AffinityException failed, CpuList found) {
        int errno = failed.errno();
        // The kernel knows the thread no more, which Java is about to find out.
        if (errno == Errno.ESRCH || errno == refused) {
            return Optional.empty();
        }
        refused = errno;
        expected = found;
        return Optional.of(change(
                Kind.REFUSED,
                failed.getMessage() + "; it was to run on " + planned + ", and was last seen to run on " + found));
    }

    private MaskChange change(Kind kind, String words) {
        return new MaskChange(kind, planned, expected, words);
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
