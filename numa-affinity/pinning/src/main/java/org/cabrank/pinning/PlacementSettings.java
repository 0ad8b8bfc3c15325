package org.cabrank.pinning;

import java.util.Objects;
import org.cabrank.affinity.placement.Placement;

/** A placement. If it is unavailable, the service starts with a warning, or refuses to start if {@code strict} is true. */
public record PlacementSettings(Placement placement, boolean strict) {
    public static final PlacementSettings NONE = new PlacementSettings(Placement.NONE, false);

    public PlacementSettings {
        Objects.requireNonNull(placement);
    }

    /** Returns settings that start with a warning if the placement is unavailable. */
    public static PlacementSettings of(Placement placement) {
        return new PlacementSettings(placement, false);
    }

    public PlacementSettings withStrict(boolean changed) {
        return new PlacementSettings(placement, changed);
    }

    public boolean isPinned() {
        return !equals(NONE);
    }
}
