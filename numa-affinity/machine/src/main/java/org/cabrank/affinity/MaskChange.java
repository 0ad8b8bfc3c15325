package org.cabrank.affinity;

import java.util.Objects;

/**
 * A change that a {@link MaskWatch} has found: the mask of a pinned thread differed from the plan, or agrees with the plan
 * again. Immutable.
 *
 * @param planned the CPUs that the thread was pinned to
 * @param now the mask after the watch has repaired as much as possible
 * @param words a description for the log, with the cause as far as it is known
 */
public record MaskChange(Kind kind, CpuList planned, CpuList now, String words) {

    public MaskChange {
        Objects.requireNonNull(kind);
        Objects.requireNonNull(planned);
        Objects.requireNonNull(now);
        Objects.requireNonNull(words);
    }

    /** The outcome of a check for one thread. */
    public enum Kind {
        /** Another process or thread had changed the mask; the watch has restored it. */
        RESTORED(true),
        /** All CPUs that the thread was pinned to are there again. */
        REGAINED(true),
        /** Some or all of these CPUs are gone; the thread runs on what is left of its shard's. */
        NARROWED(false),
        /** None of the shard's CPUs is left; the thread runs where the kernel has put it. */
        ESCAPED(false),
        /** The mask is changed again after each restoration. The thread keeps that mask and is no longer watched. */
        LEFT(false),
        /** The kernel neither tells nor changes it. */
        REFUSED(false);

        private final boolean asPlanned;

        Kind(boolean asPlanned) {
            this.asPlanned = asPlanned;
        }
    }

    /** Returns true if the thread has the planned mask. A service that insists on its placement stops when this is false. */
    public boolean asPlanned() {
        return kind.asPlanned && now.equals(planned);
    }

    @Override
    public String toString() {
        return words;
    }
}
