package org.cabrank.bench.place;

import java.util.Objects;
import org.cabrank.affinity.placement.Placement;

/**
 * Where a user wants threads to run.
 *
 * @param strict refuse what cannot be had as asked for
 */
public record PlacementSettings(Placement placement, boolean strict) {
    /** Nothing is pinned. */
    public static final PlacementSettings NONE = new PlacementSettings(Placement.none(), false);

    public PlacementSettings {
        Objects.requireNonNull(placement);
    }

    /** Whether threads are held to CPUs at all. */
    public boolean isPinned() {
        return !equals(NONE);
    }
}
