package org.cabrank.affinity;

import java.util.Objects;

/**
 * What a {@link MaskWatch} has found: a pinned thread could run elsewhere than it was to, or can run there again. Immutable.
 *
 * @param thread the thread's name
 * @param tid the kernel's id of it
 * @param planned where it was pinned to
 * @param found where it could run when the watch looked
 * @param now where it may run now that the watch has done what it can
 * @param words all of this for people, with the cause as far as it is known
 */
public record MaskChange(Kind kind, String thread, int tid, CpuList planned, CpuList found, CpuList now, String words) {

    public MaskChange {
        Objects.requireNonNull(kind);
        Objects.requireNonNull(thread);
        Objects.requireNonNull(planned);
        Objects.requireNonNull(found);
        Objects.requireNonNull(now);
        Objects.requireNonNull(words);
    }

    /** What happened to the thread's mask, by what has become of it. */
    public enum Kind {
        /** Somebody had changed it; it is as it was before that. */
        RESTORED(true),
        /** All CPUs that the thread was pinned to are there again. */
        REGAINED(true),
        /** Some or all of these CPUs are gone; the thread runs on what is left of its shard's. */
        NARROWED(false),
        /** None of the shard's CPUs is left; the thread runs where the kernel has put it. */
        ESCAPED(false),
        /** Somebody changes it whenever it is put back; the thread is left there and no longer watched. */
        LEFT(false),
        /** The kernel neither tells nor changes it. */
        REFUSED(false);

        private final boolean asPlanned;

        Kind(boolean asPlanned) {
            this.asPlanned = asPlanned;
        }
    }

    /** Whether the placement holds; a service that insists on its placement ends when it does not. */
    public boolean asPlanned() {
        return kind.asPlanned && now.equals(planned);
    }

    @Override
    public String toString() {
        return words;
    }
}
