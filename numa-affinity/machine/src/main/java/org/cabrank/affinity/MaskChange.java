package org.cabrank.affinity;

import java.util.Objects;

/**
 * A change that a {@link MaskWatch} has found: a thread's mask differs from the plan, or agrees with it again. Immutable.
 *
 * @param asPlanned true if the thread has the planned mask. If false, a service that insists on its placement should stop
 * @param now the mask after the watch has restored it as far as possible
 * @param words a description for the log, with the cause as far as it is known
 */
public record MaskChange(boolean asPlanned, CpuList now, String words) {
    public MaskChange {
        Objects.requireNonNull(now);
        Objects.requireNonNull(words);
    }
}
