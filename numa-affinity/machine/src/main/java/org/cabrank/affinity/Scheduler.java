package org.cabrank.affinity;

import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.util.Objects;
import org.cabrank.affinity.SchedulingPolicy.Kind;
import org.cabrank.kernel.Errno;
import org.cabrank.kernel.Kernel;
import org.cabrank.kernel.NativeArgument;
import org.cabrank.kernel.Resources;
import org.cabrank.kernel.Scheduling;
import org.cabrank.kernel.layout.ResourceLimit;
import org.cabrank.kernel.layout.SchedulingParameter;

/**
 * Scheduling of the calling thread: sched_setscheduler(2) and setpriority(2). Thread-safe. Threads that a favoured thread starts are not
 * favoured (SCHED_RESET_ON_FORK), because they may belong to the JVM or to a library.
 */
public final class Scheduler {
    private static final int CALLER = 0;

    private static final int NICE_BASE = 20;

    private final Kernel kernel;

    public Scheduler(Kernel kernel) {
        this.kernel = Objects.requireNonNull(kernel);
    }

    /** @throws AffinityException if the kernel does not report the policy, or {@link SchedulingPolicy} lacks the policy */
    public SchedulingPolicy current() throws AffinityException {
        int policy = good("sched_getscheduler", kernel.schedGetscheduler(CALLER)) & ~Scheduling.SCHED_RESET_ON_FORK;
        for (Kind kind : Kind.values()) {
            if (kind.number == policy) {
                return new SchedulingPolicy(kind, kind == Kind.OTHER ? nice() : kind.isRealTime() ? priority() : 0);
            }
        }
        throw new AffinityException("this thread has the policy " + policy + ", which is not known here");
    }

    /**
     * Gives the calling thread this policy, and verifies it. On failure the thread keeps its former policy.
     *
     * @throws AffinityException if the kernel refuses; the message names the limit that is too low and how to raise it
     */
    public void apply(SchedulingPolicy policy) throws AffinityException {
        SchedulingPolicy before = current();
        int result = set(policy);
        if (result < 0) {
            throw new AffinityException(
                    refusal(policy, result) + restored(before), Errno.exception(call(policy), result));
        }
        SchedulingPolicy after = current();
        if (!after.equals(policy)) {
            throw new AffinityException(
                    "this thread was to have " + policy + ", but the kernel says " + after + restored(before));
        }
    }

    private static String call(SchedulingPolicy policy) {
        return policy.kind() == Kind.OTHER ? "setpriority" : "sched_setscheduler";
    }

    private int set(SchedulingPolicy policy) {
        int result = setScheduler(policy);
        return result < 0 || policy.kind() != Kind.OTHER
                ? result
                : kernel.setpriority(Scheduling.PRIO_PROCESS, CALLER, policy.level());
    }

    private int setScheduler(SchedulingPolicy policy) {
        boolean favoured = policy.kind().isRealTime() || policy.kind() == Kind.OTHER && policy.level() < 0;
        // Keeps a flag that is set, because only a privileged thread may clear it. The flag affects only threads that
        // start later.
        boolean flagged = (kernel.schedGetscheduler(CALLER) & Scheduling.SCHED_RESET_ON_FORK) != 0;
        int flags = favoured || flagged ? Scheduling.SCHED_RESET_ON_FORK : 0;
        ByteBuffer parameter = direct(SchedulingParameter.SIZE_BYTES);
        parameter.putInt(SchedulingParameter.PRIORITY_OFFSET, policy.kind().isRealTime() ? policy.level() : 0);
        return NativeArgument.pass(
                kernel, parameter, address -> kernel.schedSetscheduler(CALLER, policy.kind().number | flags, address));
    }

    private String refusal(SchedulingPolicy policy, int result) {
        String asked = "this thread cannot have " + policy + ": ";
        if (-result != Errno.EPERM && -result != Errno.EACCES) {
            return asked + Errno.describe(-result);
        }
        if (policy.kind().isRealTime()) {
            return asked + "the kernel does not permit it (" + Errno.name(-result)
                    + "). RLIMIT_RTPRIO allows priorities up to "
                    + limit(Resources.RLIMIT_RTPRIO)
                    + ": raise it ('ulimit -r', LimitRTPRIO= of a systemd unit) or give the"
                    + " process CAP_SYS_NICE. Where it has that, its cgroup has no real-time budget (cpu.rt_runtime_us), or"
                    + " a sandbox such as seccomp forbids the call";
        }
        return asked + "the kernel does not permit it (" + Errno.name(-result) + "). RLIMIT_NICE is "
                + limit(Resources.RLIMIT_NICE) + ", and allows a nice value of " + NICE_BASE
                + " less that and more: raise it"
                + " ('ulimit -e', LimitNICE= of a systemd unit) or give the process CAP_SYS_NICE";
    }

    private String limit(int resource) {
        ByteBuffer limit = direct(ResourceLimit.SIZE_BYTES);
        int result = NativeArgument.pass(kernel, limit, address -> kernel.getrlimit(resource, address));
        if (result < 0) {
            return "an unknown value (" + Errno.describe(-result) + ")";
        }
        long soft = limit.getLong(ResourceLimit.CUR_OFFSET);
        return soft == Resources.RLIM_INFINITY ? "any" : Long.toUnsignedString(soft);
    }

    private String restored(SchedulingPolicy before) {
        int result = set(before);
        return result < 0
                ? "; and going back to " + before + " failed: " + Errno.describe(-result)
                : "; it has " + before + " as before";
    }

    private int nice() throws AffinityException {
        return Scheduling.niceOf(good("getpriority", kernel.getpriority(Scheduling.PRIO_PROCESS, CALLER)));
    }

    private int priority() throws AffinityException {
        ByteBuffer parameter = direct(SchedulingParameter.SIZE_BYTES);
        good(
                "sched_getparam",
                NativeArgument.pass(kernel, parameter, address -> kernel.schedGetparam(CALLER, address)));
        return parameter.getInt(SchedulingParameter.PRIORITY_OFFSET);
    }

    private static int good(String call, int result) throws AffinityException {
        if (result < 0) {
            throw new AffinityException("cannot read this thread's scheduling", Errno.exception(call, result));
        }
        return result;
    }

    private static ByteBuffer direct(int bytes) {
        return ByteBuffer.allocateDirect(bytes).order(ByteOrder.nativeOrder());
    }
}
