package org.cabrank.affinity;

import java.util.Objects;

/**
 * A change that a {@link MaskWatch} has found: the mask of a pinned thread differed from the plan, or agrees with the plan again.
 * Immutable.
 *
 * @param asPlanned true if the watched thread has the planned mask; a service that insists on its placement stops when this is false
 * @param now the mask after the watch has repaired as much as possible
 * @param words a description for the log, with the cause as far as it is known
 */
public record MaskChange(boolean asPlanned, CpuList now, String words) {
    public MaskChange {
        Objects.requireNonNull(now);
        Objects.requireNonNull(words);
    }
}
